/** Fetches accounts and slots by calls that every node serves. */
import { RemoteError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { EMPTY_CODE_HASH, keccak256 } from "../../primitives/hash/hash.ts";
import type { RemoteAccount, StateKeys } from "../upstream.ts";
import { readData, readList, readObject, readQuantity, readSlotValue } from "../wire.ts";
import type { BlockReads } from "./block-reads.ts";

/** An account with its code. */
export interface FetchedAccount {
  readonly account: RemoteAccount | undefined;
  readonly code: Bytes;
}

/** A trie node of a proof, with its hash. */
export interface FetchedNode {
  readonly hash: Bytes;
  readonly bytes: Bytes;
}

/** Receives fetched values as they arrive. Each requested key gets one value or one failure. */
export interface FetchReceiver {
  account(address: Bytes, fetched: FetchedAccount): void;
  slot(address: Bytes, slot: Bytes, value: Bytes): void;
  nodes(nodes: readonly FetchedNode[]): void;
  accountFailed(address: Bytes, error: unknown): void;
  slotFailed(address: Bytes, slot: Bytes, error: unknown): void;
}

/** Fetches the keys of one batch. */
export interface StateFetcher {
  /** Whether values are verified by the block's hash. */
  readonly isProven: boolean;
  fetch(accounts: readonly Bytes[], slots: readonly StateKeys[], receiver: FetchReceiver): void;
  /** Code of an account. @throws {RemoteError} */
  code(address: Bytes): Promise<Bytes>;
  /** Whether an account has storage; false if the node cannot tell. @throws {RemoteError} */
  hasStorage(address: Bytes): Promise<boolean>;
}

/** Slots of one eth_getStorageValues (geth, Erigon, Besu and Nethermind accept 1,024). */
const SLOTS_A_CALL = 1024;
/** Smallest number of slots for which it is worth testing whether the node has eth_getStorageValues. */
const SLOTS_TO_TRY = 4;

/** Used without `verify`: the node's answers are believed. */
export class PlainFetcher implements StateFetcher {
  readonly isProven = false;
  readonly #reads: BlockReads;

  constructor(reads: BlockReads) {
    this.#reads = reads;
  }

  fetch(accounts: readonly Bytes[], slots: readonly StateKeys[], receiver: FetchReceiver): void {
    for (const address of accounts) void this.#fetchAccount(address, receiver);
    const count = slots.reduce((sum, entry) => sum + entry.slots.length, 0);
    const { hasStorageValues } = this.#reads.traits;
    const isWorthIt = hasStorageValues === true ? count > 1 : hasStorageValues === undefined && count >= SLOTS_TO_TRY;
    if (!isWorthIt) this.#fetchSlots(slots, receiver);
    else for (const group of groupsOf(slots, SLOTS_A_CALL)) void this.#fetchTogether(group, receiver);
  }

  async #fetchAccount(address: Bytes, receiver: FetchReceiver): Promise<void> {
    try {
      const params = [encodeData(address)];
      const [balance, nonce, code] = await Promise.all([
        this.#reads.read("eth_getBalance", params, readQuantity),
        this.#reads.read("eth_getTransactionCount", params, readQuantity),
        this.#reads.read("eth_getCode", params, readData),
      ]);
      const codeHash = code.length === 0 ? EMPTY_CODE_HASH : keccak256(code);
      const isAbsent = balance === 0n && nonce === 0n && code.length === 0;
      receiver.account(address, { account: isAbsent ? undefined : { balance, nonce, codeHash }, code });
    } catch (error) {
      receiver.accountFailed(address, error);
    }
  }

  #fetchSlots(keys: readonly StateKeys[], receiver: FetchReceiver): void {
    for (const { address, slots } of keys) for (const slot of slots) void this.#fetchSlot(address, slot, receiver);
  }

  async #fetchSlot(address: Bytes, slot: Bytes, receiver: FetchReceiver): Promise<void> {
    try {
      const params = [encodeData(address), encodeData(slot)];
      receiver.slot(address, slot, await this.#reads.read("eth_getStorageAt", params, readSlotValue));
    } catch (error) {
      receiver.slotFailed(address, slot, error);
    }
  }

  /** Fetches the slots of several accounts by one call, or one by one if the node does not serve it. */
  async #fetchTogether(keys: readonly StateKeys[], receiver: FetchReceiver): Promise<void> {
    const { traits } = this.#reads;
    try {
      const asked = [storageValuesOf(keys)];
      const values = await this.#reads.read("eth_getStorageValues", asked, (answer) => readSlots(answer, keys));
      traits.hasStorageValues = true;
      for (const { address, slot, value } of values) receiver.slot(address, slot, value);
    } catch (error) {
      // Some nodes serve the method for recent blocks only.
      const isUnserved = error instanceof RemoteError && UNSERVED.has(error.code);
      if (isUnserved) traits.hasStorageValues = false;
      if (isUnserved) this.#fetchSlots(keys, receiver);
      else for (const { address, slots } of keys) for (const slot of slots) receiver.slotFailed(address, slot, error);
    }
  }

  code(address: Bytes): Promise<Bytes> {
    return this.#reads.read("eth_getCode", [encodeData(address)], readData);
  }

  async hasStorage(address: Bytes): Promise<boolean> {
    const { traits } = this.#reads;
    if (traits.hasProofs === false) return false;
    try {
      const root = await this.#reads.read("eth_getProof", [encodeData(address), []], (proof) =>
        readData(readObject(proof).storageHash),
      );
      traits.hasProofs = true;
      return !NO_STORAGE.has(encodeData(root));
    } catch (error) {
      if (!(error instanceof RemoteError) || !UNSERVED.has(error.code)) throw error;
      traits.hasProofs = false;
      return false;
    }
  }
}

/** The first parameter of eth_getStorageValues. */
export function storageValuesOf(keys: readonly StateKeys[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(keys.map(({ address, slots }) => [encodeData(address), slots.map(encodeData)]));
}

/** Errors of a method that a node does not serve, or not for this block. */
const UNSERVED: ReadonlySet<string> = new Set([
  "REMOTE_METHOD_MISSING",
  "REMOTE_REFUSED",
  "REMOTE_STATE_PRUNED",
  "REMOTE_BAD_ANSWER",
]);

/** Storage roots of accounts without storage: the empty trie's, and those that some nodes give for absent accounts. */
const NO_STORAGE: ReadonlySet<string> = new Set([
  "0x",
  `0x${"00".repeat(32)}`,
  "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  encodeData(EMPTY_CODE_HASH),
]);

interface SlotValue {
  readonly address: Bytes;
  readonly slot: Bytes;
  readonly value: Bytes;
}

function readSlots(answer: unknown, keys: readonly StateKeys[]): readonly SlotValue[] {
  const byAddress = new Map(
    Object.entries(readObject(answer)).map(([address, values]) => [address.toLowerCase(), values]),
  );
  return keys.flatMap(({ address, slots }) => {
    const values = readList(byAddress.get(encodeData(address)));
    if (values.length !== slots.length) throw new TypeError(`expected ${slots.length} values, got ${values.length}`);
    return slots.map((slot, index) => ({ address, slot, value: readSlotValue(values[index]) }));
  });
}

/** Splits the keys into groups of at most `most` slots. */
export function groupsOf(keys: readonly StateKeys[], most: number): readonly (readonly StateKeys[])[] {
  const groups: StateKeys[][] = [];
  let left = 0;
  for (const { address, slots } of keys) {
    for (let from = 0; from < slots.length; ) {
      if (left === 0) {
        groups.push([]);
        left = most;
      }
      const part = slots.slice(from, from + left);
      groups.at(-1)?.push({ address, slots: part });
      from += part.length;
      left -= part.length;
    }
  }
  return groups;
}
