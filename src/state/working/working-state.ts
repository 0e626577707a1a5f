/**
 * The working state over a reader: an overlay of accounts, slots and codes, with the changes of the last transaction,
 * roots and commits.
 *
 * Byte arrays are held without a copy, so callers must not change them afterwards. It applies no hardfork rules: the
 * engine decides whether an empty account is deleted.
 *
 * It has over 300 lines, because reads, writes, roots and forks of a state share its private tables.
 */

import { RemoteError, UnsupportedError } from "../../errors/hindcast-error.ts";
import type { AccountWrite, TransactionEffects } from "../../evm/engine.ts";
import { type Bytes, EMPTY_BYTES, equalBytes, stripLeadingZeros } from "../../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { type HashedWrites, ProvenRoot } from "../fork/proven-root.ts";
import type { ProvenStates } from "../fork/proven-state.ts";
import { ownStateId } from "../state-id.ts";
import type { TrieBacking, WrittenAccount } from "../trie/trie-reader.ts";
import {
  type AccountChange,
  type AccountState,
  EMPTY_ACCOUNT,
  type StateBase,
  type StateCommit,
  type StateReader,
  type WorkingStateView,
} from "../view.ts";
import { AccountTable, RootTracker } from "./account-table.ts";
import { type AppliedWrite, changesOf, isSameAccount, writtenUnread } from "./transaction-changes.ts";
import { type WorkingAccount, type WorkingSlot, WorkingStorage } from "./working-account.ts";
import { WorkingCodes } from "./working-codes.ts";
import { WorkingTries } from "./working-tries.ts";

/** A stored state to work on. A working state over another reader has no roots. */
export interface StoredBase {
  readonly reader: StateBase;
  readonly backing: TrieBacking;
  /** Called with each commit, so that its state can be read before it is stored, and with the writes since the base. */
  readonly onCommit: (commit: StateCommit, written: Iterable<WrittenAccount> | undefined) => void;
  /** On a fork, if the state has a true root. */
  readonly proven?: ProvenStates | undefined;
}

/** Lives for one block or call. A {@link fork} and its original do not see each other's later writes. */
export class WorkingState implements WorkingStateView {
  readonly #base: StateReader;
  readonly #stored: StoredBase | undefined;
  readonly #unrooted = new RootTracker();
  #table = new AccountTable();
  #codes = new WorkingCodes();
  #tries: WorkingTries | undefined;
  /** On a fork with proofs. */
  #proven: ProvenRoot | undefined;
  /** Effects of the last transaction. */
  #applied: readonly AppliedWrite[] = [];
  /** True in a fork until its first root: {@link #unrooted} does not include the changes that it began with. */
  #isFresh = false;

  constructor(base: StateReader, stored?: StoredBase) {
    this.#base = base;
    this.#stored = stored;
    this.#proven = stored?.proven && new ProvenRoot(stored.proven, stored.backing.keys);
  }

  getAccount(address: Bytes): MaybePromise<AccountState | undefined> {
    const account = this.#table.find(address);
    const { record } = account;
    return record === undefined ? this.#loadRecord(account) : (record ?? undefined);
  }

  #loadRecord(account: WorkingAccount): MaybePromise<AccountState | undefined> {
    const loaded = this.#base.getAccount(account.address);
    if (!(loaded instanceof Promise)) {
      account.record = loaded ?? null;
      return loaded;
    }
    return loaded.then((record) => {
      // If the account was written meanwhile, that value stays; the caller asked before.
      if (account.record === undefined) account.record = record ?? null;
      return record;
    });
  }

  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    const account = this.#table.find(address);
    const found = this.#table.slot(account.storage, slot);
    return found.value ?? this.#loadSlot(address, found);
  }

  #loadSlot(address: Bytes, slot: WorkingSlot): MaybePromise<Bytes> {
    const loaded = this.#base.getStorage(address, slot.slot);
    if (!(loaded instanceof Promise)) {
      slot.value = loaded;
      return loaded;
    }
    return loaded.then((value) => {
      slot.value ??= value;
      return value;
    });
  }

  getCode(codeHash: Bytes): MaybePromise<Bytes> {
    if (equalBytes(codeHash, EMPTY_CODE_HASH)) return EMPTY_BYTES;
    return this.#codes.get(codeHash) ?? this.#base.getCode(codeHash);
  }

  /** On a fork, considers only slots that were written here or are stored as changes. */
  hasStorage(address: Bytes): MaybePromise<boolean> {
    const reader = this.#stored?.reader;
    if (reader?.isOverlay === true) {
      const { storage } = this.#table.find(address);
      return hasValue(storage) || (storage.hasBase && reader.hasStorage(address));
    }
    // The tries show whether the base's slots were overwritten.
    if (reader !== undefined) this.computeStateRoot();
    const account = this.getAccount(address);
    if (account instanceof Promise) return account.then((found) => this.#hasStorage(address, found));
    return this.#hasStorage(address, account);
  }

  #hasStorage(address: Bytes, account: AccountState | undefined): boolean {
    if (account === undefined) return false;
    return !equalBytes(account.storageRoot, EMPTY_TRIE_ROOT) || hasValue(this.#table.find(address).storage);
  }

  putAccount(address: Bytes, account: AccountState): void {
    this.#write(this.#table.find(address)).record = account;
  }

  /** The account itself if this view may change it, else a copy that replaces it. */
  #own(account: WorkingAccount): WorkingAccount {
    if (this.#table.owns(account)) return account;
    return this.#table.take(account, this.#unrooted.stamp);
  }

  /** Notes an account before it changes. Returns the account to change. */
  #write(found: WorkingAccount): WorkingAccount {
    const account = this.#own(found);
    this.#unrooted.noteAccount(account);
    return account;
  }

  /** @throws {TypeError} if the account does not exist */
  putStorage(address: Bytes, slot: Bytes, value: Bytes): void {
    const found = this.#table.find(address);
    if (this.#isAbsent(found)) throw new TypeError("putStorage: there is no such account");
    const account = this.#own(found);
    this.#writeSlot(
      account,
      this.#table.slot(account.storage, slot),
      value[0] === 0 ? stripLeadingZeros(value) : value,
    );
  }

  /** True if there is no such account, or if it was not read from a base without tries. */
  #isAbsent(account: WorkingAccount): boolean {
    if (account.record === undefined && this.#stored !== undefined) {
      const loaded = this.#loadRecord(account);
      if (loaded instanceof Promise) throw writtenUnread(loaded, account.address);
    }
    return account.record === null;
  }

  #writeSlot(account: WorkingAccount, slot: WorkingSlot, value: Bytes): void {
    this.#unrooted.noteSlot(account, slot);
    slot.value = value;
  }

  clearStorage(address: Bytes): void {
    const found = this.#table.find(address);
    if (!found.storage.isUntouched) this.#write(found).storage = new WorkingStorage(false);
  }

  putCode(address: Bytes, code: Bytes): MaybePromise<void> {
    const codeHash = this.#codes.put(code);
    const before = this.getAccount(address);
    if (before instanceof Promise) {
      return before.then((account) => this.putAccount(address, { ...(account ?? EMPTY_ACCOUNT), codeHash }));
    }
    this.putAccount(address, { ...(before ?? EMPTY_ACCOUNT), codeHash });
  }

  apply({ writes }: Pick<TransactionEffects, "writes">): void {
    const applied: AppliedWrite[] = [];
    for (const write of writes) {
      const entry = this.#apply(write);
      if (entry !== undefined) applied.push(entry);
    }
    this.#applied = applied;
  }

  /** Applies a write. Returns undefined if it changes nothing. */
  #apply(write: AccountWrite): AppliedWrite | undefined {
    const found = this.#table.find(write.address);
    if (write.isDeleted && this.#isAbsent(found)) return undefined;
    const before = found.record;
    const { storage } = found;
    const wipes = write.isDeleted || write.wipesStorage;
    const isSame = !wipes && before !== null && before !== undefined && isSameAccount(before, write);
    if (isSame && write.slots.length === 0) return undefined;
    const slotsBefore = write.slots.map(({ slot }) => this.#table.slot(storage, slot).value);
    const account = this.#write(found);
    const isWiped = wipes && !storage.isUntouched;
    if (isWiped) account.storage = new WorkingStorage(false);
    account.record = write.isDeleted ? null : isSame ? before : recordOf(write, before);
    if (write.code !== undefined && write.code.length > 0) this.#codes.add(write.codeHash, write.code);
    for (const { slot, value } of write.isDeleted ? [] : write.slots) {
      this.#writeSlot(account, this.#table.slot(account.storage, slot), value);
    }
    return {
      write,
      before,
      after: account.record ?? undefined,
      slotsBefore,
      wiped: isWiped ? storage : undefined,
    };
  }

  transactionChanges(): readonly AccountChange[] {
    return changesOf(this.#applied, this.#base);
  }

  /** The stored state that this one is based on. */
  get storedBase(): StateBase | undefined {
    return this.#stored?.reader;
  }

  /**
   * On a fork, the root is that of the trie of changes if there is no true one.
   *
   * @throws {UnsupportedError} `UNSUPPORTED` over a base without tries
   */
  computeStateRoot(): Bytes {
    const changesRoot = this.hashWrites();
    return this.#proven?.of(this.#hashed())?.stateRoot ?? changesRoot;
  }

  /** True if the state is that of a forked chain, with changes. */
  get isOnFork(): boolean {
    return this.#stored?.reader.isOverlay === true;
  }

  /** True on a fork whose values before the changes are proven, so that its root is that of all accounts. */
  get hasProofs(): boolean {
    return this.#proven !== undefined;
  }

  /** True if the root is that of all accounts. On a fork it may be that of the changes. */
  get hasTrueRoot(): boolean {
    if (!this.#requireStored().reader.isOverlay) return true;
    this.hashWrites();
    return this.#proven?.of(this.#hashed()) !== undefined;
  }

  /** The writes, after {@link hashWrites}. */
  #hashed(): HashedWrites {
    return { changes: this.#tries as WorkingTries, written: () => this.#records() };
  }

  *#records(): Iterable<readonly [WorkingAccount, AccountState | undefined]> {
    for (const account of this.#written()) {
      const record = account.record === undefined ? this.#loadRecord(account) : account.record;
      if (record instanceof Promise) throw writtenUnread(record, account.address);
      yield [account, record ?? undefined];
    }
  }

  /**
   * On a fork with proofs: fetches the proofs that a true root needs, as far as they can be requested. Those of keys that
   * code has read are there already; edits may not have read what they write. Without one of them the root is that of the
   * changes.
   *
   * @param mayLack - whether this is an error that allows to go on without a proof; default: the fork is offline
   * @returns that error; undefined if no proof is missing
   * @throws {RemoteError} if the forked chain cannot be read
   */
  async fetchProofs(mayLack: (error: RemoteError) => boolean = isOffline): Promise<RemoteError | undefined> {
    if (this.#proven === undefined) return undefined;
    try {
      await this.#readWritten();
      this.hashWrites();
      await this.#proven.fetchNodes(this.#hashed());
      return undefined;
    } catch (error) {
      if (!(error instanceof RemoteError) || !mayLack(error)) throw error;
      this.#proven = undefined;
      return error;
    }
  }

  async #readWritten(): Promise<void> {
    const reads: MaybePromise<unknown>[] = [];
    for (const { address, storage } of this.#written()) {
      reads.push(this.#base.getAccount(address));
      if (!storage.hasBase) continue;
      for (const { slot, isWritten } of storage.values()) {
        if (isWritten) reads.push(this.#base.getStorage(address, slot));
      }
    }
    await Promise.all(reads);
  }

  /**
   * Updates the tries with the writes so far, so that the root costs less later. Returns the root of the trie of
   * accounts, or on a fork of that of changes.
   *
   * @throws {UnsupportedError} `UNSUPPORTED` over a base without tries
   */
  hashWrites(): Bytes {
    const stored = this.#requireStored();
    if (this.#isFresh || this.#unrooted.accounts.length > 0) this.#proven?.forget();
    this.#tries ??= new WorkingTries(stored.backing, stored.reader);
    const { accounts, stamp } = this.#unrooted;
    for (const account of this.#isFresh ? this.#table.values() : accounts) {
      if (account.isWritten) this.#tries.update(this.#table.current(account), stamp);
    }
    this.#isFresh = false;
    this.#unrooted.begin();
    return this.#tries.root();
  }

  /**
   * @param isLast - false if a later commit of this state replaces it; it then has no true root on a fork
   * @throws {UnsupportedError} `UNSUPPORTED` over a base without tries
   */
  commitState(isLast = true): StateCommit {
    const stored = this.#requireStored();
    const stateRoot = ownStateId(this.hashWrites());
    // Computed before the commit, after which the tries are read from the database.
    if (isLast) this.#proven?.of(this.#hashed());
    const trieNodes = this.#tries?.commit() ?? [];
    const codes = this.#codes.takeNew(this.#table.values());
    const preimages = this.#tries?.takePreimages() ?? [];
    const changes = { stateRoot, trieNodes, codes, ...(trieNodes.length === 0 ? {} : { preimages }) };
    const commit = isLast && this.#proven !== undefined ? this.#proven.commitOf(this.#hashed(), changes) : changes;
    stored.onCommit(commit, isLast ? this.#written() : undefined);
    return commit;
  }

  *#written(): Iterable<WorkingAccount> {
    for (const account of this.#table.values()) if (account.isWritten) yield account;
  }

  #requireStored(): StoredBase {
    if (this.#stored !== undefined) return this.#stored;
    throw new UnsupportedError({
      code: "UNSUPPORTED",
      what: "A state over a remote chain has no state root of its own.",
      fix: "Ask for the accounts or slots themselves.",
    });
  }

  /**
   * An independent state with the same content over the same base.
   *
   * Copy-on-write: each side copies an account at its first write. The fork's first root includes all changes since the
   * base.
   */
  fork(): WorkingState {
    const fork = new WorkingState(this.#base, this.#stored);
    fork.#table = this.#table.fork();
    fork.#isFresh = true;
    fork.#proven = this.#proven?.fork();
    fork.#codes = this.#codes.fork();
    return fork;
  }
}

const isOffline = ({ code }: RemoteError): boolean => code === "REMOTE_OFFLINE";

function hasValue(storage: WorkingStorage): boolean {
  for (const { value } of storage.values()) if (value !== undefined && value.length > 0) return true;
  return false;
}

/** Keeps the previous storage root until the tries compute the new one. */
function recordOf(write: AccountWrite, before: AccountState | null | undefined): AccountState {
  const { nonce, balance, codeHash, wipesStorage } = write;
  const storageRoot = wipesStorage ? EMPTY_TRIE_ROOT : (before?.storageRoot ?? EMPTY_TRIE_ROOT);
  return { nonce, balance, storageRoot, codeHash };
}
