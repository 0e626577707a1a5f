/**
 * Collects the accounts and slots requested in one turn of the event loop, or for as long as a caller holds them back,
 * and fetches them together.
 */
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import type { RemoteAccount, StateKeys } from "../upstream.ts";
import type { FetchedAccount, FetchedNode, FetchReceiver, StateFetcher } from "./state-fetcher.ts";

/** Stores fetched values before they are returned. */
export interface ReadKeeper {
  account(address: Bytes, fetched: FetchedAccount): RemoteAccount | undefined;
  slot(address: Bytes, slot: Bytes, value: Bytes): void;
  nodes(nodes: readonly FetchedNode[]): void;
}

/** A read that is not answered yet. */
interface Read<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** One for each state. Reads that are requested while a batch is being fetched form the next batch. */
export class BatchedReads {
  readonly #fetcher: StateFetcher;
  readonly #gather: (gatherer: () => void) => void;
  readonly #receiver: FetchReceiver;
  /** Reads that are requested or will be. */
  readonly #accounts = new Map<string, Read<RemoteAccount | undefined>>();
  readonly #slots = new Map<string, Read<Bytes>>();
  #nextAccounts: Bytes[] = [];
  #nextSlots = new Map<string, { readonly address: Bytes; readonly slots: Bytes[] }>();
  #isGathering = false;
  /** Number of callers that hold the batch back, and whether it would have been sent otherwise. */
  #holds = 0;
  #isDue = false;

  constructor(fetcher: StateFetcher, gather: (gatherer: () => void) => void, keeper: ReadKeeper) {
    this.#fetcher = fetcher;
    this.#gather = gather;
    this.#receiver = {
      account: (address, fetched) => settle(this.#accounts, bytesKey(address), () => keeper.account(address, fetched)),
      slot: (address, slot, value) =>
        settle(this.#slots, bytesKey(address) + bytesKey(slot), () => {
          keeper.slot(address, slot, value);
          return value;
        }),
      nodes: (nodes) => keeper.nodes(nodes),
      accountFailed: (address, error) => fail(this.#accounts, bytesKey(address), error),
      slotFailed: (address, slot, error) => fail(this.#slots, bytesKey(address) + bytesKey(slot), error),
    };
  }

  /** Reads an account in this turn's batch. */
  account(key: string, address: Bytes): Promise<RemoteAccount | undefined> {
    const known = this.#accounts.get(key);
    if (known !== undefined) return known.promise;
    this.#nextAccounts.push(address.slice());
    this.#open();
    return begin(this.#accounts, key);
  }

  /** Reads a slot in this turn's batch. */
  slot(key: string, address: Bytes, slot: Bytes): Promise<Bytes> {
    const slotKey = key + bytesKey(slot);
    const known = this.#slots.get(slotKey);
    if (known !== undefined) return known.promise;
    const entry = this.#nextSlots.get(key) ?? { address: address.slice(), slots: [] };
    entry.slots.push(slot.slice());
    this.#nextSlots.set(key, entry);
    this.#open();
    return begin(this.#slots, slotKey);
  }

  #open(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#gather(() => {
      if (this.#holds > 0) this.#isDue = true;
      else this.#leave();
    });
  }

  /** Holds the batch back, so that more reads join it, until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds--;
      if (this.#holds === 0 && this.#isDue) this.#leave();
    };
  }

  #leave(): void {
    this.#isGathering = false;
    this.#isDue = false;
    const [accounts, slots]: [Bytes[], StateKeys[]] = [this.#nextAccounts, [...this.#nextSlots.values()]];
    this.#nextAccounts = [];
    this.#nextSlots = new Map();
    this.#fetcher.fetch(accounts, slots, this.#receiver);
  }
}

function begin<T>(reads: Map<string, Read<T>>, key: string): Promise<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((onResult, onError) => {
    resolve = onResult;
    reject = onError;
  });
  // The caller may have gone away, so that nothing handles a failure.
  promise.catch(() => undefined);
  reads.set(key, { promise, resolve, reject });
  return promise;
}

/** Answers a read with the stored value. */
function settle<T>(reads: Map<string, Read<T>>, key: string, keep: () => T): void {
  const read = reads.get(key);
  reads.delete(key);
  try {
    const value = keep();
    read?.resolve(value);
  } catch (error) {
    read?.reject(error);
  }
}

function fail<T>(reads: Map<string, Read<T>>, key: string, error: unknown): void {
  reads.get(key)?.reject(error);
  reads.delete(key);
}
