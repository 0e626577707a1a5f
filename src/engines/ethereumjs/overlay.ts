/**
 * The state as a transaction sees it: what it wrote, with checkpoints, over the state that the port reads.
 *
 * Everything is in memory, so that a transaction is undone by forgetting it.
 */
import type { AccountWrite, SlotWrite } from "../../evm/engine.ts";
import type { EngineState, EvmAccount, StateReader } from "../../evm/state-port.ts";
import { type Bytes, bytesKey, EMPTY_BYTES, equalBytes, keyBytes } from "../../primitives/bytes.ts";
import { EMPTY_CODE_HASH, keccak256 } from "../../primitives/hash.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";

/** Waits for an answer of the state that is not there at once. */
export type Wait = <T>(answer: Promise<T>) => Promise<T>;

const ABSENT = {
  wipesStorage: true,
  nonce: 0n,
  balance: 0n,
  codeHash: EMPTY_CODE_HASH,
  code: undefined,
  slots: [],
} as const;

export class StateOverlay implements StateReader {
  readonly #state: EngineState;
  readonly #wait: Wait;
  /** Accounts as the state has them, by key. */
  readonly #stored = new Map<string, EvmAccount | undefined>();
  /** Accounts that were written, by key. */
  readonly #written = new Map<string, { readonly account: EvmAccount | undefined }>();
  /** Whether accounts have storage in the state, by key. */
  readonly #withStorage = new Map<string, boolean>();
  /** Slots as the state has them, by the keys of account and slot. */
  readonly #originals = new Map<string, Bytes>();
  /** Slots that were written: by account, by slot. */
  readonly #slots = new Map<string, Map<string, Bytes>>();
  /** Accounts whose earlier slots are gone. */
  readonly #wiped = new Map<string, true>();
  /** Keys of accounts whose account, slots or code were written, in this order; those that were reverted too. */
  readonly #changed = new Set<string>();
  /** Code by hash, the same array every time. It may outlive a transaction. */
  readonly #codes = new Map<string, Bytes>();
  readonly #undo: (() => void)[] = [];
  readonly #checkpoints: number[] = [];

  constructor(state: EngineState, wait: Wait) {
    this.#state = state;
    this.#wait = wait;
  }

  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined> {
    const key = bytesKey(address);
    const written = this.#written.get(key);
    return written === undefined ? this.#storedAccount(address, key) : written.account;
  }

  #storedAccount(address: Bytes, key: string): MaybePromise<EvmAccount | undefined> {
    if (this.#stored.has(key)) return this.#stored.get(key);
    return this.#remember(this.#state.getAccount(address), (account) => this.#stored.set(key, account));
  }

  #remember<T>(found: MaybePromise<T>, keep: (value: T) => void): MaybePromise<T> {
    if (found instanceof Promise) {
      return this.#wait(found).then((value) => {
        keep(value);
        return value;
      });
    }
    keep(found);
    return found;
  }

  /** Undefined deletes the account, with its storage. */
  putAccount(address: Bytes, account: EvmAccount | undefined): void {
    const key = bytesKey(address);
    if (account === undefined) this.wipeStorage(address);
    this.#changed.add(key);
    this.#set(this.#written, key, { account });
  }

  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    return this.#slots.get(bytesKey(address))?.get(bytesKey(slot)) ?? this.getOriginalStorage(address, slot);
  }

  /** Value of a slot before the transaction; empty once the account's storage was wiped. */
  getOriginalStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    if (this.#wiped.has(bytesKey(address))) return EMPTY_BYTES;
    const key = bytesKey(address) + bytesKey(slot);
    return (
      this.#originals.get(key) ??
      this.#remember(this.#state.getStorage(address, slot), (value) => this.#originals.set(key, value))
    );
  }

  /** `value` without leading zeros. */
  putStorage(address: Bytes, slot: Bytes, value: Bytes): void {
    const key = bytesKey(address);
    let slots = this.#slots.get(key);
    if (slots === undefined) {
      slots = new Map();
      this.#slots.set(key, slots);
    }
    this.#changed.add(key);
    this.#set(slots, bytesKey(slot), value);
  }

  wipeStorage(address: Bytes): void {
    const key = bytesKey(address);
    this.#changed.add(key);
    this.#set(this.#wiped, key, true);
    this.#set(this.#slots, key, new Map());
  }

  /** The account has slots from before the transaction. */
  hasStorage(address: Bytes): MaybePromise<boolean> {
    const key = bytesKey(address);
    if (this.#wiped.has(key)) return false;
    return (
      this.#withStorage.get(key) ??
      this.#remember(this.#state.hasStorage(address), (answer) => this.#withStorage.set(key, answer))
    );
  }

  getCode(codeHash: Bytes): MaybePromise<Bytes> {
    const key = bytesKey(codeHash);
    const code = equalBytes(codeHash, EMPTY_CODE_HASH) ? EMPTY_BYTES : this.#codes.get(key);
    return code ?? this.#remember(this.#state.getCode(codeHash), (found) => this.#codes.set(key, found));
  }

  /** Keeps code, and gives its hash. */
  addCode(code: Bytes): Bytes {
    const hash = keccak256(code);
    this.#codes.set(bytesKey(hash), code);
    return hash;
  }

  checkpoint(): void {
    this.#checkpoints.push(this.#undo.length);
  }

  commit(): void {
    this.#checkpoints.pop();
  }

  revert(): void {
    const mark = this.#checkpoints.pop() ?? 0;
    for (const undo of this.#undo.splice(mark).reverse()) undo();
  }

  #set<V>(map: Map<string, V>, key: string, value: V): void {
    const before = map.get(key);
    this.#undo.push(() => {
      if (before === undefined) map.delete(key);
      else map.set(key, before);
    });
    map.set(key, value);
  }

  /** What the transaction made of the accounts that it wrote, in the order of their first writes. */
  async writes(): Promise<AccountWrite[]> {
    const writes: AccountWrite[] = [];
    for (const key of this.#changed) {
      const address = keyBytes(key);
      const before = await this.#storedAccount(address, key);
      const account = await this.getAccount(address);
      if (account === undefined) {
        if (before !== undefined) writes.push({ ...ABSENT, address, isDeleted: true });
        continue;
      }
      const { nonce, balance, codeHash } = account;
      const hasOldCode = equalBytes(before?.codeHash ?? EMPTY_CODE_HASH, codeHash);
      const code = hasOldCode ? undefined : await this.getCode(codeHash);
      const slots = await this.#slotWrites(key);
      const wipesStorage = this.#wiped.has(key);
      writes.push({ address, isDeleted: false, wipesStorage, nonce, balance, codeHash, code, slots });
    }
    return writes;
  }

  async #slotWrites(key: string): Promise<SlotWrite[]> {
    const address = keyBytes(key);
    const writes: SlotWrite[] = [];
    for (const [slotKey, value] of this.#slots.get(key) ?? []) {
      const slot = keyBytes(slotKey);
      if (!equalBytes(await this.getOriginalStorage(address, slot), value)) writes.push({ slot, value });
    }
    return writes;
  }

  /** Forgets what was written and read: the state may be another one now. */
  forget(): void {
    const known = [this.#stored, this.#written, this.#withStorage, this.#originals, this.#slots, this.#wiped];
    for (const map of known) map.clear();
    this.#changed.clear();
    this.#undo.length = 0;
    this.#checkpoints.length = 0;
  }
}
