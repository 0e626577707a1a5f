/**
 * A state that can be written: an overlay over a reader, with a journal for checkpoints and, over a stored state, roots.
 *
 * In: reads and writes by bytes. Out: values, what a transaction changed, roots and commits. Byte arrays that come in
 * are kept, so their owners must not change them afterwards. It knows no hardfork rule: whether an empty account may
 * stay is the executor's business.
 */
import { UnsupportedError } from "../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES, equalBytes, stripLeadingZeros } from "../primitives/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../primitives/hash.ts";
import { AccountTable } from "./account-table.ts";
import { Journal, type UndoEntry } from "./journal.ts";
import { RootTracker, TransactionTracker } from "./tracking.ts";
import { changesOf } from "./transaction-changes.ts";
import type { TrieBacking, TrieReader } from "./trie-reader.ts";
import type { AccountChange, AccountState, MaybePromise, StateCommit, StateReader, WorkingStateView } from "./view.ts";
import { type WorkingAccount, type WorkingSlot, WorkingStorage } from "./working-account.ts";
import { WorkingCodes } from "./working-codes.ts";
import { WorkingTries } from "./working-tries.ts";

/** A stored state to work on; over any other reader a working state has no roots. */
export interface StoredBase {
  readonly reader: TrieReader;
  readonly backing: TrieBacking;
  /** Hears of each commit, so that its state can be read before it is stored. */
  readonly onCommit: (commit: StateCommit) => void;
}

export class WorkingState implements WorkingStateView {
  readonly #base: StateReader;
  readonly #stored: StoredBase | undefined;
  readonly #journal = new Journal();
  readonly #transaction = new TransactionTracker();
  readonly #unrooted = new RootTracker();
  #table = new AccountTable();
  #codes = new WorkingCodes();
  #tries: WorkingTries | undefined;
  /** True in a fork until its first root: the changes it came with are not in {@link #unrooted}. */
  #isFresh = false;

  constructor(base: StateReader, stored?: StoredBase) {
    this.#base = base;
    this.#stored = stored;
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
      // Written meanwhile? Then that stands; the caller asked before.
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

  putAccount(address: Bytes, account: AccountState): void {
    this.#write(this.#table.find(address)).record = account;
  }

  deleteAccount(address: Bytes): void {
    const found = this.#table.find(address);
    if (this.#isAbsent(found)) return;
    this.#write(found).record = null;
    this.clearStorage(address);
  }

  /** True when there is certainly no such account; over a remote base, one that nobody asked about may be absent too. */
  #isAbsent(account: WorkingAccount): boolean {
    if (account.record === undefined && this.#stored !== undefined) this.#loadRecord(account);
    return account.record === null;
  }

  /** The account itself if this view may change it, else a copy that takes its place. */
  #own(account: WorkingAccount): WorkingAccount {
    if (this.#table.owns(account)) return account;
    return this.#table.take(account, { period: this.#unrooted.stamp, transaction: this.#transaction.stamp });
  }

  /** Notes an account's record wherever it must be, before it changes. Returns the account to change. */
  #write(found: WorkingAccount): WorkingAccount {
    const account = this.#own(found);
    const checkpoint = this.#journal.current;
    if (checkpoint !== undefined && account.checkpoint !== checkpoint) {
      account.checkpoint = checkpoint;
      this.#journal.add({ kind: "record", account, before: account.record });
    }
    this.#transaction.noteAccount(account);
    this.#unrooted.noteAccount(account);
    return account;
  }

  /**
   * @throws {TypeError} for an account that does not exist: it has nowhere to keep storage
   */
  putStorage(address: Bytes, slot: Bytes, value: Bytes): void {
    const found = this.#table.find(address);
    if (this.#isAbsent(found)) throw new TypeError("putStorage: there is no such account");
    const account = this.#own(found);
    const written = this.#table.slot(account.storage, slot);
    const checkpoint = this.#journal.current;
    if (checkpoint !== undefined && written.checkpoint !== checkpoint) {
      written.checkpoint = checkpoint;
      this.#journal.add({ kind: "slot", account, slot: written, before: written.value });
    }
    this.#transaction.noteSlot(account, written);
    this.#unrooted.noteSlot(account, written);
    written.value = value[0] === 0 ? stripLeadingZeros(value) : value;
  }

  clearStorage(address: Bytes): void {
    const found = this.#table.find(address);
    if (found.storage.isUntouched) return;
    const account = this.#own(found);
    if (this.#journal.current !== undefined) {
      this.#journal.add({ kind: "storage", account, before: account.storage });
    }
    this.#transaction.noteAccount(account);
    this.#unrooted.noteAccount(account);
    account.storage = new WorkingStorage(false);
  }

  putCode(address: Bytes, code: Bytes): MaybePromise<void> {
    const hash = this.#codes.put(code);
    const before = this.getAccount(address);
    if (before instanceof Promise) return before.then((account) => this.#setCodeHash(address, account, hash));
    this.#setCodeHash(address, before, hash);
  }

  #setCodeHash(address: Bytes, before: AccountState | undefined, codeHash: Bytes): void {
    const { nonce, balance, storageRoot } = before ?? NO_ACCOUNT;
    this.putAccount(address, { nonce, balance, storageRoot, codeHash });
  }

  checkpoint(): void {
    this.#journal.open();
  }

  commitCheckpoint(): void {
    this.#journal.commit();
  }

  revertCheckpoint(): void {
    this.#journal.revert((entry) => this.#undo(entry));
  }

  #undo(entry: UndoEntry): void {
    const account = this.#own(this.#table.current(entry.account));
    // A transaction may have begun inside the checkpoint: what it began with is still here.
    this.#transaction.noteAccount(account);
    this.#unrooted.noteAccount(account);
    if (entry.kind === "record") {
      account.record = entry.before;
    } else if (entry.kind === "storage") {
      account.storage = entry.before;
    } else {
      // The account was copied since if a fork was taken in between.
      const slot = account === entry.account ? entry.slot : account.storage.slot(entry.slot.slot);
      this.#transaction.noteSlot(account, slot);
      this.#unrooted.noteSlot(account, slot);
      slot.value = entry.before;
    }
  }

  beginTransaction(): void {
    this.#transaction.begin();
  }

  /** Zero for an account whose storage was cleared in this transaction, as for a new contract (EELS does the same). */
  getOriginalStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    const account = this.#table.find(address);
    const found = this.#table.slot(account.storage, slot);
    if (found.transaction !== this.#transaction.stamp) return found.value ?? this.#loadSlot(address, found);
    if (found.original !== undefined) return found.original;
    const loaded = this.#base.getStorage(address, slot);
    if (!(loaded instanceof Promise)) found.original = loaded;
    return loaded;
  }

  transactionChanges(): readonly AccountChange[] {
    const touched = this.#transaction.accounts.map((account) => this.#table.current(account));
    return changesOf(touched, this.#transaction.stamp, this.#base);
  }

  /** @throws {UnsupportedError} `UNSUPPORTED` over a base without tries */
  computeStateRoot(): Bytes {
    const stored = this.#requireStored();
    this.#tries ??= new WorkingTries(stored.backing, stored.reader);
    const { accounts, stamp } = this.#unrooted;
    for (const account of this.#isFresh ? this.#table.values() : accounts) {
      if (account.isWritten) this.#tries.update(this.#table.current(account), stamp);
    }
    this.#isFresh = false;
    this.#unrooted.begin();
    return this.#tries.root();
  }

  /** @throws {UnsupportedError} `UNSUPPORTED` over a base without tries */
  commitState(): StateCommit {
    const stored = this.#requireStored();
    const stateRoot = this.computeStateRoot();
    const trieNodes = this.#tries?.commit() ?? [];
    const codes = this.#codes.takeNew(this.#table.values());
    const preimages = this.#tries?.takePreimages() ?? [];
    const commit = { stateRoot, trieNodes, codes, ...(trieNodes.length === 0 ? {} : { preimages }) };
    stored.onCommit(commit);
    return commit;
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
   * A state with the same content over the same base: neither sees what is written to the other afterwards.
   *
   * Costs next to nothing by itself; each side copies an account when it first writes it. The fork starts outside any
   * checkpoint, at the beginning of a transaction, and its first root takes over every change since the base.
   */
  fork(): WorkingState {
    const fork = new WorkingState(this.#base, this.#stored);
    fork.#table = this.#table.fork();
    fork.#isFresh = true;
    fork.#codes = this.#codes.fork();
    return fork;
  }
}

const NO_ACCOUNT: AccountState = {
  nonce: 0n,
  balance: 0n,
  storageRoot: EMPTY_TRIE_ROOT,
  codeHash: EMPTY_CODE_HASH,
};
