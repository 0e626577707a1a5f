/**
 * The tries of one working state: applies writes since the last root, and gives the new root and the nodes that the
 * store lacks.
 *
 * Storage tries are opened when an account's storage first changes and stay open, so that the cost of a root after
 * every transaction (receipts before Byzantium) depends only on that transaction's changes.
 */
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import { encodeChangedAccount, encodeDeletedAccount } from "../fork/changed-account.ts";
import { encodeAccount, encodeStorageValue } from "../trie/account-codec.ts";
import { fromNibbles } from "../trie/nibbles.ts";
import { Trie } from "../trie/trie.ts";
import type { TrieBacking } from "../trie/trie-reader.ts";
import type { AccountState, HashedBytes, StateBase } from "../view.ts";
import { writtenUnread } from "./transaction-changes.ts";
import type { Stamp, WorkingAccount, WorkingSlot } from "./working-account.ts";

interface StorageTrie {
  readonly trie: Trie;
  /** {@link WorkingStorage.lineage} of the storage that the trie was filled from. */
  readonly lineage: Stamp;
}

/** One for each working state, made at its first root. */
export class WorkingTries {
  readonly #backing: TrieBacking;
  readonly #base: StateBase;
  readonly #accounts: Trie;
  readonly #storages = new Map<string, StorageTrie>();
  /** Storage tries written since the last commit. */
  readonly #written = new Set<Trie>();
  /** Addresses and slots written since the last commit that may not be in the store, by path. */
  #preimages = new Map<Bytes, Bytes>();

  constructor(backing: TrieBacking, base: StateBase) {
    this.#backing = backing;
    this.#base = base;
    this.#accounts = new Trie(backing.nodes, base.trieRoot);
  }

  /**
   * Updates the tries with an account, and sets the storage root of its record.
   *
   * @param period - stamp of the changes since the last root
   * @throws {StoreError} `STORE_CORRUPT` if a trie node is missing
   */
  update(account: WorkingAccount, period: Stamp): void {
    const path = this.#backing.keys.ofAddress(account.address);
    const record = account.record === undefined ? this.#baseRecord(account.address) : account.record;
    const { isOverlay } = this.#base;
    if (record === undefined || record === null) {
      this.#close(account.key);
      if (isOverlay) this.#accounts.put(path, encodeDeletedAccount());
      else this.#accounts.delete(path);
      return;
    }
    const storageRoot = this.#storageRoot(account, period);
    const leaf = isOverlay
      ? encodeChangedAccount(record, storageRoot, this.#isWiped(account))
      : encodeAccount(record, storageRoot);
    this.#accounts.put(path, leaf);
    this.#keepPreimage(path, account.address);
    // Other views that share the object see the same slots, so the root is right for them too.
    if (!equalBytes(record.storageRoot, storageRoot)) account.record = { ...record, storageRoot };
  }

  #baseRecord(address: Bytes): AccountState | undefined {
    const record = this.#base.getAccount(address);
    if (record instanceof Promise) throw writtenUnread(record, address);
    return record;
  }

  /** True if slots that are not in the account's trie are zero, even if the forked chain has values there. */
  #isWiped({ address, storage }: WorkingAccount): boolean {
    return !storage.hasBase || this.#base.changedAccount?.(address)?.isWiped === true;
  }

  #storageRoot(account: WorkingAccount, period: Stamp): Bytes {
    const { key, address, storage } = account;
    let open = this.#storages.get(key);
    let slots: Iterable<WorkingSlot> = storage.period === period ? storage.changed : [];
    if (open?.lineage !== storage.lineage) {
      const root = storage.hasBase ? this.#base.storageTrieOf(address) : EMPTY_TRIE_ROOT;
      this.#close(key);
      if (storage.isUnread) return root;
      open = { trie: new Trie(this.#backing.nodes, root), lineage: storage.lineage };
      this.#storages.set(key, open);
      slots = storage.values();
    }
    // In a trie of changes, a missing slot has the forked chain's value, so that zeros must be stored.
    const keepsZeros = this.#base.isOverlay && !this.#isWiped(account);
    for (const slot of slots) if (slot.isWritten) this.#updateSlot(open.trie, slot, keepsZeros);
    return open.trie.root();
  }

  /** Forgets an account's trie, whose nodes no root has. */
  #close(key: string): void {
    const open = this.#storages.get(key);
    if (open === undefined) return;
    this.#written.delete(open.trie);
    this.#storages.delete(key);
  }

  #updateSlot(trie: Trie, { slot, value }: WorkingSlot, keepsZeros: boolean): void {
    // Without a value the write was reverted to the base's value, which the trie has.
    if (value === undefined) return;
    const path = this.#backing.keys.ofSlot(slot);
    this.#written.add(trie);
    if (value.length === 0 && !keepsZeros) {
      trie.delete(path);
      return;
    }
    trie.put(path, encodeStorageValue(value));
    this.#keepPreimage(path, slot);
  }

  #keepPreimage(path: Bytes, preimage: Bytes): void {
    if (!this.#backing.keys.isStored(path)) this.#preimages.set(path, preimage);
  }

  root(): Bytes {
    return this.#accounts.root();
  }

  /** True if the tries have an account whose hashed address begins with these nibbles. */
  hasAccountBelow(prefix: Bytes): boolean {
    return this.#accounts.hasKeyBelow(prefix);
  }

  /** True if the trie of an account with written slots has one whose hashed number begins with these nibbles. */
  hasSlotBelow(account: Pick<WorkingAccount, "key">, prefix: Bytes): boolean {
    return this.#storages.get(account.key)?.trie.hasKeyBelow(prefix) === true;
  }

  /** The nodes of the root that no earlier commit returned. */
  commit(): HashedBytes[] {
    const added: HashedBytes[] = [];
    for (const trie of this.#written) trie.commit(added);
    this.#written.clear();
    this.#accounts.commit(added);
    return added;
  }

  /** Addresses and slots written since the last commit that may not be in the store, with their hashes. */
  takePreimages(): HashedBytes[] {
    const taken = Array.from(this.#preimages, ([path, bytes]) => ({ hash: fromNibbles(path), bytes }));
    this.#preimages = new Map();
    return taken;
  }
}
