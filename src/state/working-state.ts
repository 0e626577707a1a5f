/**
 * A state that can be written: an overlay over a reader, with a journal for checkpoints and, over a stored state, roots.
 *
 * In: reads and writes by bytes. Out: values, what a transaction changed, roots and commits. Byte arrays that come in
 * are kept, so their owners must not change them afterwards. It knows no hardfork rule: whether an empty account may
 * stay is the executor's business.
 */
import { UnsupportedError } from "../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES, equalBytes, stripLeadingZeros } from "../primitives/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, keccak256 } from "../primitives/hash.ts";
import { AccountTable } from "./account-table.ts";
import { Journal, type UndoEntry } from "./journal.ts";
import { wordKey } from "./map-keys.ts";
import { changesOf } from "./transaction-changes.ts";
import type { TrieBacking, TrieReader } from "./trie-reader.ts";
import type {
  AccountChange,
  AccountState,
  HashedBytes,
  MaybePromise,
  StateCommit,
  StateReader,
  WorkingStateView,
} from "./view.ts";
import { type Stamp, type WorkingAccount, type WorkingSlot, WorkingStorage } from "./working-account.ts";
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
  #table = new AccountTable();
  /** Codes put here, by hash: all of them, and those that no commit has given out. */
  #codes = new Map<string, HashedBytes>();
  #newCodes = new Map<string, HashedBytes>();

  #transaction: Stamp = {};
  /** Accounts written in this transaction. */
  #touched: WorkingAccount[] = [];

  #tries: WorkingTries | undefined;
  #period: Stamp = {};
  /** Accounts written since the last root. */
  #changed: WorkingAccount[] = [];
  /** True in a fork until its first root: the changes it came with are not in {@link #changed}. */
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
    const put = this.#codes.size === 0 ? undefined : this.#codes.get(wordKey(codeHash));
    return put === undefined ? this.#base.getCode(codeHash) : put.bytes;
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

  /** Notes an account's record wherever it must be, before it changes. Returns the account to change. */
  #write(found: WorkingAccount): WorkingAccount {
    const account = this.#table.own(found);
    const checkpoint = this.#journal.current;
    if (checkpoint !== undefined && account.checkpoint !== checkpoint) {
      account.checkpoint = checkpoint;
      this.#journal.add({ kind: "record", account, before: account.record });
    }
    this.#touch(account);
    this.#markChanged(account);
    return account;
  }

  /** Keeps what an account was when the transaction began. */
  #touch(account: WorkingAccount): void {
    if (account.transaction === this.#transaction) return;
    account.transaction = this.#transaction;
    account.originalRecord = account.record;
    account.originalStorage = account.storage;
    this.#touched.push(account);
  }

  #markChanged(account: WorkingAccount): void {
    if (account.period === this.#period) return;
    account.period = this.#period;
    account.isWritten = true;
    this.#changed.push(account);
  }

  /**
   * @throws {TypeError} for an account that does not exist: it has nowhere to keep storage
   */
  putStorage(address: Bytes, slot: Bytes, value: Bytes): void {
    const found = this.#table.find(address);
    if (this.#isAbsent(found)) throw new TypeError("putStorage: there is no such account");
    const account = this.#table.own(found);
    const written = this.#table.slot(account.storage, slot);
    const checkpoint = this.#journal.current;
    if (checkpoint !== undefined && written.checkpoint !== checkpoint) {
      written.checkpoint = checkpoint;
      this.#journal.add({ kind: "slot", account, slot: written, before: written.value });
    }
    if (written.transaction !== this.#transaction) this.#touchSlot(account, written);
    if (written.period !== this.#period) this.#markSlotChanged(account, written);
    written.value = value[0] === 0 ? stripLeadingZeros(value) : value;
  }

  #touchSlot(account: WorkingAccount, slot: WorkingSlot): void {
    this.#touch(account);
    const { storage } = account;
    slot.transaction = this.#transaction;
    slot.original = slot.value;
    if (storage.transaction !== this.#transaction) {
      storage.transaction = this.#transaction;
      storage.touched = [];
    }
    storage.touched.push(slot);
  }

  #markSlotChanged(account: WorkingAccount, slot: WorkingSlot): void {
    this.#markChanged(account);
    const { storage } = account;
    slot.period = this.#period;
    slot.isWritten = true;
    if (storage.period !== this.#period) {
      storage.period = this.#period;
      storage.changed = [];
    }
    storage.changed.push(slot);
  }

  clearStorage(address: Bytes): void {
    const found = this.#table.find(address);
    if (!found.storage.hasBase && found.storage.slots.size === 0) return;
    const account = this.#table.own(found);
    if (this.#journal.current !== undefined) {
      this.#journal.add({ kind: "storage", account, before: account.storage });
    }
    this.#touch(account);
    this.#markChanged(account);
    account.storage = new WorkingStorage(false);
  }

  putCode(address: Bytes, code: Bytes): MaybePromise<void> {
    const hash = code.length === 0 ? EMPTY_CODE_HASH : keccak256(code);
    if (code.length > 0) {
      const key = wordKey(hash);
      const entry = { hash, bytes: code };
      this.#codes.set(key, entry);
      this.#newCodes.set(key, entry);
    }
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
    const account = this.#table.own(this.#table.current(entry.account));
    // A transaction may have begun inside the checkpoint: what it began with is still here.
    this.#touch(account);
    this.#markChanged(account);
    if (entry.kind === "record") {
      account.record = entry.before;
    } else if (entry.kind === "storage") {
      account.storage = entry.before;
    } else {
      // The account was copied since if a fork was taken in between.
      const slot = account === entry.account ? entry.slot : account.storage.slot(entry.slot.slot);
      if (slot.transaction !== this.#transaction) this.#touchSlot(account, slot);
      if (slot.period !== this.#period) this.#markSlotChanged(account, slot);
      slot.value = entry.before;
    }
  }

  beginTransaction(): void {
    this.#transaction = {};
    this.#touched = [];
  }

  /** Zero for an account whose storage was cleared in this transaction, as for a new contract (EELS does the same). */
  getOriginalStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    const account = this.#table.find(address);
    const found = this.#table.slot(account.storage, slot);
    if (found.transaction !== this.#transaction) return found.value ?? this.#loadSlot(address, found);
    if (found.original !== undefined) return found.original;
    const loaded = this.#base.getStorage(address, slot);
    if (!(loaded instanceof Promise)) found.original = loaded;
    return loaded;
  }

  transactionChanges(): readonly AccountChange[] {
    const touched = this.#touched.map((account) => this.#table.current(account));
    return changesOf(touched, this.#transaction, this.#base);
  }

  /** @throws {UnsupportedError} `UNSUPPORTED` over a base without tries */
  computeStateRoot(): Bytes {
    const stored = this.#requireStored();
    this.#tries ??= new WorkingTries(stored.backing, stored.reader);
    const changed = this.#isFresh ? this.#table.values() : this.#changed;
    for (const account of changed) {
      if (account.isWritten) this.#tries.update(this.#table.current(account), this.#period);
    }
    this.#isFresh = false;
    this.#changed = [];
    this.#period = {};
    return this.#tries.root();
  }

  /** @throws {UnsupportedError} `UNSUPPORTED` over a base without tries */
  commitState(): StateCommit {
    const stored = this.#requireStored();
    const stateRoot = this.computeStateRoot();
    const trieNodes = this.#tries?.commit() ?? [];
    const commit = { stateRoot, trieNodes, codes: this.#takeNewCodes() };
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

  /** Codes that an account has and no commit has given out. Those of reverted creations stay behind. */
  #takeNewCodes(): HashedBytes[] {
    const codes: HashedBytes[] = [];
    if (this.#newCodes.size === 0) return codes;
    for (const { isWritten, record } of this.#table.values()) {
      if (!isWritten || record === undefined || record === null) continue;
      const key = wordKey(record.codeHash);
      const code = this.#newCodes.get(key);
      if (code === undefined) continue;
      codes.push(code);
      this.#newCodes.delete(key);
    }
    return codes;
  }

  /**
   * A state with the same content over the same base: neither sees what is written to the other afterwards.
   *
   * Costs nothing by itself; each side copies an account when it first writes it. The fork starts outside any
   * checkpoint, at the beginning of a transaction, and its first root takes over every change since the base.
   */
  fork(): WorkingState {
    const fork = new WorkingState(this.#base, this.#stored);
    fork.#table = this.#table.fork();
    fork.#isFresh = true;
    fork.#codes = new Map(this.#codes);
    // What this state has committed may yet be discarded: the fork's own commit must not rely on it.
    fork.#newCodes = new Map(this.#codes);
    return fork;
  }
}

const NO_ACCOUNT: AccountState = {
  nonce: 0n,
  balance: 0n,
  storageRoot: EMPTY_TRIE_ROOT,
  codeHash: EMPTY_CODE_HASH,
};
