/**
 * Caches the paths of addresses and slots: the nibbles of their keccak256. Hashing is much slower than a lookup, and
 * blocks often use the same addresses and slots.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { addressKey, wordKey } from "../map-keys.ts";
import { toNibbles } from "./nibbles.ts";

const ADDRESS_BYTES = 20;

/** One for each {@link StateDatabase}. The least recently used paths leave first. */
export class TrieKeys {
  readonly #addresses: RecentPaths;
  readonly #slots: RecentPaths;

  /** Cached paths whose preimage is in the store. */
  readonly #stored = new WeakSet<Bytes>();

  /**
   * @param limit - most addresses, and most slots, to cache
   * @param onHashed - called with each address and slot that is hashed
   */
  constructor(limit: number, onHashed?: (preimage: Bytes) => void) {
    this.#addresses = new RecentPaths(limit, onHashed);
    this.#slots = new RecentPaths(limit, onHashed);
  }

  /** Path of a 20-byte address in the state trie. */
  ofAddress(address: Bytes): Bytes {
    const key = addressKey(address);
    return this.#addresses.get(key) ?? this.#addresses.add(key, address);
  }

  /** Path of a 32-byte slot in a storage trie. */
  ofSlot(slot: Bytes): Bytes {
    const key = wordKey(slot);
    return this.#slots.get(key) ?? this.#slots.add(key, slot);
  }

  /** Drops all cached paths. */
  clear(): void {
    this.#addresses.clear();
    this.#slots.clear();
  }

  /** True if {@link markStored} was called for the path's address or slot. */
  isStored(path: Bytes): boolean {
    return this.#stored.has(path);
  }

  /** Notes that an address or slot is in the store, so that it is not written again. */
  markStored(preimage: Bytes): void {
    this.#stored.add(preimage.length === ADDRESS_BYTES ? this.ofAddress(preimage) : this.ofSlot(preimage));
  }
}

/**
 * Two generations: when the young one is full it becomes the old one, and entries of the old one that were not used
 * since are dropped. Nearly as good as an LRU, with less work per lookup.
 */
class RecentPaths {
  readonly #perGeneration: number;
  readonly #onHashed: ((preimage: Bytes) => void) | undefined;
  #young = new Map<string, Bytes>();
  #old = new Map<string, Bytes>();

  constructor(limit: number, onHashed: ((preimage: Bytes) => void) | undefined) {
    this.#onHashed = onHashed;
    this.#perGeneration = Math.max(1, limit >> 1);
  }

  get(key: string): Bytes | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.#keep(key, old);
    return old;
  }

  add(key: string, preimage: Bytes): Bytes {
    const path = toNibbles(keccak256(preimage));
    this.#onHashed?.(preimage);
    this.#keep(key, path);
    return path;
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }

  #keep(key: string, path: Bytes): void {
    this.#young.set(key, path);
    if (this.#young.size < this.#perGeneration) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
