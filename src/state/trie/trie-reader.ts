/**
 * Reads one state through its tries and caches values. A cached value never changes, because a root identifies its
 * state.
 */

import { type Bytes, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import { addressKey, wordKey } from "../map-keys.ts";
import type { StateRoot } from "../state-id.ts";
import type { AccountState, StateBase } from "../view.ts";
import { decodeAccount, decodeLeaf, decodeStorageValue, type LeafDamage } from "./account-codec.ts";
import type { CodeCache } from "./code-cache.ts";
import type { TrieKeys } from "./trie-keys.ts";
import type { TrieNodes } from "./trie-nodes.ts";

const DAMAGED_LEAF: LeafDamage = {
  what: "A leaf of a trie holds neither an account nor a storage value.",
  fix: "Restore the folder from a copy, or delete it and import the chain again.",
};

/** Parts that all readers of one database share. */
export interface TrieBacking {
  readonly nodes: TrieNodes;
  readonly keys: TrieKeys;
  readonly codes: CodeCache;
}

/** Most accounts and slots that a reader caches; then the cache is cleared. */
const MAX_REMEMBERED = 10_000;

/** Most slots of an account that a reader takes over; of an account with more, all are read again. */
const MAX_TAKEN_OVER = 5_000;

interface Remembered {
  readonly account: AccountState | undefined;
  readonly slots: Map<string, Bytes>;
}

/** An account after writes. */
export interface WrittenAccount {
  /** Key of its address, in the form of `addressKey`. */
  readonly key: string;
  /** Null if the account was deleted, undefined if it was not read. */
  readonly record: AccountState | null | undefined;
  /** Slots that were read or written. All others are unchanged if `hasBase` is true, empty otherwise. */
  readonly storage: { readonly hasBase: boolean; values(): Iterable<{ slot: Bytes; value: Bytes | undefined }> };
}

/** A reader that always answers synchronously. */
export class TrieReader implements StateBase {
  readonly id: StateRoot;
  readonly isOverlay = false;
  readonly #backing: TrieBacking;
  #remembered = new Map<string, Remembered>();
  #count = 0;

  constructor(backing: TrieBacking, id: StateRoot) {
    this.#backing = backing;
    this.id = id;
  }

  /**
   * A reader of the state that results from writes to this one. It takes over the cached values of this reader, because
   * successive blocks mostly read the same ones; this reader's cache is cleared.
   */
  succeededBy(id: StateRoot, written: Iterable<WrittenAccount>): TrieReader {
    const successor = new TrieReader(this.#backing, id);
    successor.#remembered = this.#remembered;
    successor.#count = this.#count;
    this.#remembered = new Map();
    this.#count = 0;
    for (const account of written) successor.#takeOver(account);
    return successor;
  }

  #takeOver({ key, record, storage }: WrittenAccount): void {
    const known = this.#remembered.get(key);
    this.#remembered.delete(key);
    if (record === undefined) return;
    const slots = storage.hasBase && known !== undefined ? known.slots : new Map<string, Bytes>();
    this.#makeRoom();
    this.#remembered.set(key, { account: record ?? undefined, slots });
    let taken = 0;
    for (const { slot, value } of storage.values()) {
      // Those that are left may be in the cache with their values of before.
      if (++taken > MAX_TAKEN_OVER) return void this.#remembered.delete(key);
      if (value === undefined) continue;
      this.#makeRoom();
      slots.set(wordKey(slot), value);
    }
  }

  get trieRoot(): StateRoot {
    return this.id;
  }

  storageTrieOf(address: Bytes): Bytes {
    return this.getAccount(address)?.storageRoot ?? EMPTY_TRIE_ROOT;
  }

  getAccount(address: Bytes): AccountState | undefined {
    return this.#remember(address).account;
  }

  getStorage(address: Bytes, slot: Bytes): Bytes {
    const { account, slots } = this.#remember(address);
    if (account === undefined) return EMPTY_BYTES;
    const key = wordKey(slot);
    const known = slots.get(key);
    if (known !== undefined) return known;
    const { nodes, keys } = this.#backing;
    const encoded = nodes.lookUp(account.storageRoot, keys.ofSlot(slot));
    const value = encoded === undefined ? EMPTY_BYTES : this.#decode(encoded, decodeStorageValue);
    this.#makeRoom();
    slots.set(key, value);
    return value;
  }

  hasStorage(address: Bytes): boolean {
    const { account } = this.#remember(address);
    return account !== undefined && !equalBytes(account.storageRoot, EMPTY_TRIE_ROOT);
  }

  getCode(codeHash: Bytes): Bytes {
    return this.#backing.codes.get(codeHash);
  }

  #remember(address: Bytes): Remembered {
    const key = addressKey(address);
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const { nodes, keys } = this.#backing;
    const encoded = nodes.lookUp(this.id, keys.ofAddress(address));
    const account = encoded === undefined ? undefined : this.#decode(encoded, decodeAccount);
    const fresh = { account, slots: new Map<string, Bytes>() };
    this.#makeRoom();
    this.#remembered.set(key, fresh);
    return fresh;
  }

  /** Makes room for one more account or slot in the cache. */
  #makeRoom(): void {
    if (this.#count++ < MAX_REMEMBERED) return;
    this.#remembered.clear();
    this.#count = 1;
  }

  #decode<T>(bytes: Bytes, decode: (bytes: Bytes) => T): T {
    return decodeLeaf(bytes, decode, this.id, DAMAGED_LEAF);
  }
}
