/** A map whose keys are hashes. */
import type { Bytes } from "./bytes.ts";

/**
 * Values by hash. Keys must be 32 uniformly distributed bytes, because they are not hashed again.
 *
 * An open-addressing table that holds 32 bits of each hash and the index of its entry. So an entry needs no object, and
 * a lookup compares a key only if its 32 bits match.
 */
export class HashMap<Value> {
  /** Pairs of hash bits and entry index plus one; zero marks a free slot. At most half of the slots are used. */
  #slots = NO_SLOTS;
  #mask = -1;
  #keys: (Bytes | undefined)[] = [];
  #values: (Value | undefined)[] = [];
  /** Indexes of deleted entries. */
  #free: number[] = [];

  /** True if the map has no entries. */
  get isEmpty(): boolean {
    return this.#keys.length === this.#free.length;
  }

  /** The hashes of all entries, in no order. */
  hashes(): Bytes[] {
    return this.#keys.filter((key) => key !== undefined);
  }

  /** The value of the hash at `offset` of some bytes. */
  get(bytes: Bytes, offset = 0): Value | undefined {
    const slot = this.#find(bytes, offset, hashBits(bytes, offset));
    return slot < 0 ? undefined : this.#values[this.#entryAt(slot)];
  }

  /** Stores the hash without a copy: it must not be changed afterwards. */
  set(hash: Bytes, value: Value): void {
    const bits = hashBits(hash, 0);
    const known = this.#find(hash, 0, bits);
    if (known >= 0) this.#values[this.#entryAt(known)] = value;
    else this.#enter(hash, value, bits);
  }

  /** As {@link set}, but returns false and changes nothing if the hash is in the map already. */
  add(hash: Bytes, value: Value): boolean {
    const bits = hashBits(hash, 0);
    if (this.#find(hash, 0, bits) >= 0) return false;
    this.#enter(hash, value, bits);
    return true;
  }

  #enter(hash: Bytes, value: Value, bits: number): void {
    const entry = this.#free.pop() ?? this.#keys.length;
    this.#keys[entry] = hash;
    this.#values[entry] = value;
    if (4 * this.#keys.length > this.#slots.length) this.#grow();
    put(this.#slots, this.#mask, bits, entry + 1);
  }

  delete(hash: Bytes): void {
    const slot = this.#find(hash, 0, hashBits(hash, 0));
    if (slot < 0) return;
    const entry = this.#entryAt(slot);
    this.#keys[entry] = undefined;
    this.#values[entry] = undefined;
    this.#free.push(entry);
    closeGap(this.#slots, this.#mask, slot);
  }

  clear(): void {
    this.#slots = NO_SLOTS;
    this.#mask = -1;
    this.#keys = [];
    this.#values = [];
    this.#free = [];
  }

  /** The slot of a hash; negative if the hash is not in the map. */
  #find(bytes: Bytes, offset: number, bits: number): number {
    const slots = this.#slots;
    if (slots.length === 0) return -1;
    for (let slot = bits & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const entry = slots[2 * slot + 1] as number;
      if (entry === 0) return -1;
      if (slots[2 * slot] === bits && isAt(this.#keys[entry - 1] as Bytes, bytes, offset)) return slot;
    }
  }

  #entryAt(slot: number): number {
    return (this.#slots[2 * slot + 1] as number) - 1;
  }

  #grow(): void {
    const before = this.#slots;
    const slots = new Int32Array(Math.max(FEWEST_SLOTS, 2 * before.length));
    const mask = (slots.length >> 1) - 1;
    for (let at = 0; at < before.length; at += 2) {
      const entry = before[at + 1] as number;
      if (entry !== 0) put(slots, mask, before[at] as number, entry);
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}

const NO_SLOTS = new Int32Array(0);
/** Array length of the smallest table: eight pairs. */
const FEWEST_SLOTS = 16;

/** The first 32 bits of a hash. */
function hashBits(bytes: Bytes, offset: number): number {
  return (
    ((bytes[offset] as number) << 24) |
    ((bytes[offset + 1] as number) << 16) |
    ((bytes[offset + 2] as number) << 8) |
    (bytes[offset + 3] as number)
  );
}

/** Stores a pair in the first free slot from its home slot on. */
function put(slots: Int32Array, mask: number, bits: number, entry: number): void {
  let slot = bits & mask;
  while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
  slots[2 * slot] = bits;
  slots[2 * slot + 1] = entry;
}

/** Frees a slot and moves up later pairs that had been displaced. */
function closeGap(slots: Int32Array, mask: number, emptied: number): void {
  let gap = emptied;
  for (let slot = (gap + 1) & mask; slots[2 * slot + 1] !== 0; slot = (slot + 1) & mask) {
    const bits = slots[2 * slot] as number;
    const isReachable = ((slot - bits) & mask) < ((slot - gap) & mask);
    if (isReachable) continue;
    slots[2 * gap] = bits;
    slots[2 * gap + 1] = slots[2 * slot + 1] as number;
    gap = slot;
  }
  slots[2 * gap + 1] = 0;
}

/** Compares from the end, because the first bytes are known to be equal. */
function isAt(hash: Bytes, bytes: Bytes, offset: number): boolean {
  if (hash === bytes) return true;
  for (let index = 31; index >= 0; index--) if (hash[index] !== bytes[offset + index]) return false;
  return true;
}
