/** Reads one state through its tries, and remembers what was read: the state behind a root never changes. */
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import { addressKey, wordKey } from "../map-keys.ts";
import type { AccountState, StateBase } from "../view.ts";
import { decodeAccount, decodeStorageValue } from "./account-codec.ts";
import type { CodeCache } from "./code-cache.ts";
import type { TrieKeys } from "./trie-keys.ts";
import { lookUp } from "./trie-lookup.ts";
import type { TrieNodes } from "./trie-nodes.ts";

/** What all readers of one database share. */
export interface TrieBacking {
  readonly nodes: TrieNodes;
  readonly keys: TrieKeys;
  readonly codes: CodeCache;
}

/** Accounts and slots that one reader remembers at most, before it starts over. */
const MAX_REMEMBERED = 10_000;

interface Remembered {
  readonly account: AccountState | undefined;
  readonly slots: Map<string, Bytes>;
}

/** What a write left of an account. */
export interface WrittenAccount {
  /** Key of its address, as `addressKey` makes it. */
  readonly key: string;
  /** Null where there is no such account any more, undefined where nobody has read it. */
  readonly record: AccountState | null | undefined;
  /** The slots that were read or written; of any other, `hasBase` says whether it is as it was or empty. */
  readonly storage: { readonly hasBase: boolean; values(): Iterable<{ slot: Bytes; value: Bytes | undefined }> };
}

/** A reader whose answers are always immediate. */
export class TrieReader implements StateBase {
  readonly stateRoot: Bytes;
  readonly isOverlay = false;
  readonly #backing: TrieBacking;
  #remembered = new Map<string, Remembered>();
  #count = 0;

  constructor(backing: TrieBacking, stateRoot: Bytes) {
    this.#backing = backing;
    this.stateRoot = stateRoot;
  }

  /**
   * A reader of the state that writes to this one led to. It takes over what this reader remembers, since the next block
   * reads mostly what the last one did; this reader starts over.
   */
  succeededBy(stateRoot: Bytes, written: Iterable<WrittenAccount>): TrieReader {
    const successor = new TrieReader(this.#backing, stateRoot);
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
    for (const { slot, value } of storage.values()) {
      if (value === undefined) continue;
      this.#makeRoom();
      slots.set(wordKey(slot), value);
    }
  }

  get trieRoot(): Bytes {
    return this.stateRoot;
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
    const encoded = lookUp(nodes, account.storageRoot, keys.ofSlot(slot));
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
    const encoded = lookUp(nodes, this.stateRoot, keys.ofAddress(address));
    const account = encoded === undefined ? undefined : this.#decode(encoded, decodeAccount);
    const fresh = { account, slots: new Map<string, Bytes>() };
    this.#makeRoom();
    this.#remembered.set(key, fresh);
    return fresh;
  }

  /** Before one more account or slot is remembered. */
  #makeRoom(): void {
    if (this.#count++ < MAX_REMEMBERED) return;
    this.#remembered.clear();
    this.#count = 1;
  }

  #decode<T>(bytes: Bytes, decode: (bytes: Bytes) => T): T {
    try {
      return decode(bytes);
    } catch (cause) {
      throw new StoreError({
        code: "STORE_CORRUPT",
        what: "A leaf of a trie holds neither an account nor a storage value.",
        where: `State root ${encodeData(this.stateRoot)}.`,
        fix: "Restore the folder from a copy, or delete it and import the chain again.",
        cause,
      });
    }
  }
}
