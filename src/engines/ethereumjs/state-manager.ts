/**
 * The state during a transaction: its writes with checkpoints, over the state of the port. Implements EthereumJS' state
 * manager interface.
 *
 * All writes are in memory, so that a transaction is undone by dropping them.
 */
import type { AccountFields, StateManagerInterface } from "@ethereumjs/common";
import { Account, type Address } from "@ethereumjs/util";
import type { AccountWrite, SlotWrite } from "../../evm/engine.ts";
import type { EngineState, EvmAccount, StateReader } from "../../evm/state-port.ts";
import { type Bytes, bytesKey, EMPTY_BYTES, equalBytes, keyBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, keccak256 } from "../../primitives/hash/hash.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";

/** EthereumJS only checks whether a storage root is that of an empty trie (EIP-7610). This value is not. */
const SOME_TRIE_ROOT: Bytes = new Uint8Array(32).fill(0xff);
const NEW_ACCOUNT: EvmAccount = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };
const DELETED = { ...NEW_ACCOUNT, isDeleted: true, wipesStorage: true, code: undefined } as const;

/** EthereumJS reads and writes through it; the session takes its writes as the effects of the transaction. */
export class OverlayStateManager implements StateManagerInterface {
  readonly #state: EngineState;
  readonly #collidesWithStorage: boolean;
  /** Written accounts, by key. */
  readonly #accounts = new Map<string, { readonly account: EvmAccount | undefined }>();
  /** Written slots, by account and slot. */
  readonly #slots = new Map<string, Map<string, Bytes>>();
  /** Accounts whose earlier storage was cleared. */
  readonly #wiped = new Map<string, true>();
  /** Slots that were written before the storage was cleared. */
  readonly #lost = new Map<string, Map<string, Bytes>>();
  /** Keys of written accounts in order of the first write, including reverted writes. */
  readonly #changed = new Set<string>();
  /** Code by hash; always the same array for a hash. May be used after a transaction. */
  readonly #codes = new Map<string, Bytes>();
  readonly #undo: (() => void)[] = [];
  readonly #checkpoints: number[] = [];

  /** The same state as a StateReader, synchronous where possible. */
  readonly reader: StateReader = {
    getAccount: (address) => this.#account(bytesKey(address), address),
    getStorage: (address, slot) => this.#slot(address, slot),
    getCode: (codeHash) => this.#code(codeHash),
  };

  readonly originalStorageCache = {
    get: async (address: Address, slot: Bytes): Promise<Bytes> => this.#originalSlot(address.bytes, slot),
    clear: (): void => {},
  };

  /** @param collidesWithStorage - true if no contract can be created where there is storage (EIP-7610) */
  constructor(state: EngineState, collidesWithStorage = true) {
    this.#state = state;
    this.#collidesWithStorage = collidesWithStorage;
  }

  #account(key: string, address: Bytes): MaybePromise<EvmAccount | undefined> {
    const written = this.#accounts.get(key);
    return written === undefined ? this.#state.getAccount(address) : written.account;
  }

  #slot(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    return this.#slots.get(bytesKey(address))?.get(bytesKey(slot)) ?? this.#originalSlot(address, slot);
  }

  #originalSlot(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    return this.#wiped.has(bytesKey(address)) ? EMPTY_BYTES : this.#state.getStorage(address, slot);
  }

  #code(codeHash: Bytes): MaybePromise<Bytes> {
    const key = bytesKey(codeHash);
    const known = equalBytes(codeHash, EMPTY_CODE_HASH) ? EMPTY_BYTES : this.#codes.get(key);
    if (known !== undefined) return known;
    const keep = (code: Bytes): Bytes => {
      this.#codes.set(key, code);
      return code;
    };
    const found = this.#state.getCode(codeHash);
    return found instanceof Promise ? found.then(keep) : keep(found);
  }

  /** A new object each time, because the EVM changes it before it puts it back. */
  async getAccount({ bytes }: Address): Promise<Account | undefined> {
    const key = bytesKey(bytes);
    const account = await this.#account(key, bytes);
    if (account === undefined) return undefined;
    const { nonce, balance, codeHash } = account;
    // The answer only matters where a contract could be created.
    const mayBeCreated =
      this.#collidesWithStorage && nonce === 0n && equalBytes(codeHash, EMPTY_CODE_HASH) && !this.#wiped.has(key);
    const hasStorage = mayBeCreated && (await this.#state.hasStorage(bytes));
    return new Account(nonce, balance, hasStorage ? SOME_TRIE_ROOT : EMPTY_TRIE_ROOT, codeHash);
  }

  async putAccount({ bytes }: Address, account?: Account): Promise<void> {
    if (account === undefined) this.#wipe(bytes);
    this.#write(bytes, account && { nonce: account.nonce, balance: account.balance, codeHash: account.codeHash });
  }

  async deleteAccount(address: Address): Promise<void> {
    await this.putAccount(address);
  }

  async modifyAccountFields({ bytes }: Address, fields: AccountFields): Promise<void> {
    const { nonce, balance, codeHash } = (await this.#account(bytesKey(bytes), bytes)) ?? NEW_ACCOUNT;
    this.#write(bytes, {
      nonce: fields.nonce ?? nonce,
      balance: fields.balance ?? balance,
      codeHash: fields.codeHash ?? codeHash,
    });
  }

  async putCode(address: Address, code: Bytes): Promise<void> {
    const codeHash = keccak256(code);
    this.#codes.set(bytesKey(codeHash), code);
    await this.modifyAccountFields(address, { codeHash });
  }

  async getCode({ bytes }: Address): Promise<Bytes> {
    return this.#code((await this.#account(bytesKey(bytes), bytes))?.codeHash ?? EMPTY_CODE_HASH);
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async getStorage({ bytes }: Address, slot: Bytes): Promise<Bytes> {
    return this.#slot(bytes, slot);
  }

  /** `value` without leading zeros. */
  async putStorage({ bytes }: Address, slot: Bytes, value: Bytes): Promise<void> {
    const key = bytesKey(bytes);
    const slots = this.#slots.get(key) ?? new Map<string, Bytes>();
    this.#slots.set(key, slots);
    this.#changed.add(key);
    this.#set(slots, bytesKey(slot), value);
  }

  async clearStorage({ bytes }: Address): Promise<void> {
    this.#wipe(bytes);
  }

  #write(address: Bytes, account: EvmAccount | undefined): void {
    const key = bytesKey(address);
    this.#changed.add(key);
    this.#set(this.#accounts, key, { account });
  }

  #wipe(address: Bytes): void {
    const key = bytesKey(address);
    this.#changed.add(key);
    this.#set(this.#wiped, key, true);
    const lost = this.#slots.get(key);
    if (lost !== undefined && lost.size > 0) this.#set(this.#lost, key, lost);
    this.#set(this.#slots, key, new Map());
  }

  #set<Value>(map: Map<string, Value>, key: string, value: Value): void {
    const before = map.get(key);
    this.#undo.push(() => {
      if (before === undefined) map.delete(key);
      else map.set(key, before);
    });
    map.set(key, value);
  }

  async checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#undo.length);
  }

  async commit(): Promise<void> {
    this.#checkpoints.pop();
  }

  async revert(): Promise<void> {
    for (const undo of this.#undo.splice(this.#checkpoints.pop() ?? 0).reverse()) undo();
  }

  /** The final values of all accounts that the transaction wrote, in the order of their first writes. */
  async writes(): Promise<AccountWrite[]> {
    const writes: AccountWrite[] = [];
    for (const key of this.#changed) {
      const address = keyBytes(key);
      const before = await this.#state.getAccount(address);
      const account = await this.#account(key, address);
      if (account === undefined) {
        if (before !== undefined) writes.push({ ...DELETED, address, slots: await this.#lostSlots(key, address) });
        continue;
      }
      const { nonce, balance, codeHash } = account;
      const hasOldCode = equalBytes(before?.codeHash ?? EMPTY_CODE_HASH, codeHash);
      const code = hasOldCode ? undefined : await this.#code(codeHash);
      const slots = await this.#slotWrites(key, address);
      const wipesStorage = this.#wiped.has(key);
      writes.push({ address, isDeleted: false, wipesStorage, nonce, balance, codeHash, code, slots });
    }
    return writes;
  }

  /** Slots of a deleted account that differed from before the transaction when its storage was cleared. */
  async #lostSlots(key: string, address: Bytes): Promise<SlotWrite[]> {
    const writes: SlotWrite[] = [];
    for (const [slotKey, value] of this.#lost.get(key) ?? []) {
      const slot = keyBytes(slotKey);
      if (!equalBytes(await this.#state.getStorage(address, slot), value)) writes.push({ slot, value });
    }
    return writes;
  }

  async #slotWrites(key: string, address: Bytes): Promise<SlotWrite[]> {
    const writes: SlotWrite[] = [];
    for (const [slotKey, value] of this.#slots.get(key) ?? []) {
      const slot = keyBytes(slotKey);
      if (!equalBytes(await this.#originalSlot(address, slot), value)) writes.push({ slot, value });
    }
    return writes;
  }

  /** Drops all writes; the underlying state may change afterwards. */
  forget(): void {
    for (const written of [this.#accounts, this.#slots, this.#wiped, this.#lost, this.#changed]) written.clear();
    this.#undo.length = 0;
    this.#checkpoints.length = 0;
  }

  clearCaches(): void {}

  // The EVM does not use roots, and the manager is not copied.
  getStateRoot = unsupported;
  setStateRoot = unsupported;
  hasStateRoot = unsupported;
  shallowCopy = unsupported;
}

function unsupported(): never {
  throw new TypeError("OverlayStateManager: it serves one session, and its state has no root");
}
