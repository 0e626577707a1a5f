/**
 * Paths in the tries: the nibbles of keccak256 of an address or slot, each hashed once and remembered in bounds.
 *
 * A hash costs a hundred times a look-up, and the same few addresses and slots come back in every block.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { addressKey, wordKey } from "../map-keys.ts";
import { toNibbles } from "./nibbles.ts";

const ADDRESS_BYTES = 20;

export class TrieKeys {
  readonly #addresses: RecentPaths;
  readonly #slots: RecentPaths;

  /** Paths whose key is in the store, as long as they are remembered. */
  readonly #stored = new WeakSet<Bytes>();

  /** @param limit - how many addresses, and how many slots, to remember at most */
  constructor(limit: number) {
    this.#addresses = new RecentPaths(limit);
    this.#slots = new RecentPaths(limit);
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

  /** True when the address or slot behind a path was said to be in the store. */
  isStored(path: Bytes): boolean {
    return this.#stored.has(path);
  }

  /** Notes that an address or slot is in the store, for whoever would write it again. */
  markStored(preimage: Bytes): void {
    this.#stored.add(preimage.length === ADDRESS_BYTES ? this.ofAddress(preimage) : this.ofSlot(preimage));
  }
}

/**
 * Two generations: when the young one is full it becomes the old one, and what was not asked for since is dropped.
 *
 * Like an LRU, at the cost of one map look-up and with nothing set aside before it is needed.
 */
class RecentPaths {
  readonly #perGeneration: number;
  #young = new Map<string, Bytes>();
  #old = new Map<string, Bytes>();

  constructor(limit: number) {
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
    this.#keep(key, path);
    return path;
  }

  #keep(key: string, path: Bytes): void {
    this.#young.set(key, path);
    if (this.#young.size < this.#perGeneration) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
