/** The entry of a hash, for maps whose keys are hashes. */
import type { Bytes } from "./bytes.ts";

/** Keys of a block: 64 KiB. */
const BLOCK_BITS = 11;
const BLOCK_KEYS = 1 << BLOCK_BITS;
const HASH_BYTES = 32;

/**
 * Numbers the entries of a map by hash, from zero without gaps. Keys must be 32 uniformly distributed bytes, because they
 * are not hashed again.
 *
 * An open-addressing table that holds 32 bits of each hash and the number of its entry. So an entry needs no object, and
 * a lookup compares a key only if its 32 bits match. The keys are packed too: an array each would take seven times the
 * memory, and work in each garbage collection. When most hashes were taken out, their memory is given back: a chain of
 * 100,000 blocks may leave for one of a few.
 */
export class HashIndex {
  /** Pairs of hash bits and entry number plus one; zero marks a free slot. At most half of the slots are used. */
  #slots = NO_SLOTS;
  #mask = -1;
  /** The keys by entry number, {@link BLOCK_KEYS} in a block; the last one may be shorter. */
  #blocks: Bytes[] = [];
  #length = 0;

  /** True if the map has no entries. */
  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Number of entries. */
  protected get length(): number {
    return this.#length;
  }

  /** The hashes as they are when reading begins, by entry number. */
  *hashes(): Generator<Bytes, void, undefined> {
    const blocks = this.#blocks.map((block) => block.slice());
    const length = this.#length;
    for (let entry = 0; entry < length; entry++) yield keyIn(blocks, entry);
  }

  /** The entry of the hash at `offset` of some bytes; negative if it has none. */
  protected find(bytes: Bytes, offset: number): number {
    const slot = this.#find(bytes, offset, hashBits(bytes, offset));
    return slot < 0 ? -1 : (this.#slots[2 * slot + 1] as number) - 1;
  }

  /** A new entry for a copy of a hash that has none. */
  protected enter(hash: Bytes): number {
    const entry = this.#length++;
    if (4 * this.#length > this.#slots.length) this.#resize(Math.max(FEWEST_SLOTS, 2 * this.#slots.length));
    this.#blockFor(entry).set(hash, (entry & (BLOCK_KEYS - 1)) * HASH_BYTES);
    put(this.#slots, this.#mask, hashBits(hash, 0), entry + 1);
    return entry;
  }

  /** The block of an entry's key, with room for it. The first block grows by doubling, because most maps are small. */
  #blockFor(entry: number): Bytes {
    const number = entry >>> BLOCK_BITS;
    const block = this.#blocks[number];
    const end = ((entry & (BLOCK_KEYS - 1)) + 1) * HASH_BYTES;
    if (block !== undefined && end <= block.length) return block;
    const longer = new Uint8Array(
      number > 0 ? BLOCK_KEYS * HASH_BYTES : Math.max(FEWEST_KEYS * HASH_BYTES, 2 * (end - HASH_BYTES)),
    );
    if (block !== undefined) longer.set(block);
    this.#blocks[number] = longer;
    return longer;
  }

  /**
   * Takes a hash out. The last entry, whose number is {@link length} from then on, takes the number of its entry.
   *
   * @returns that number; negative if the hash has no entry
   */
  protected remove(hash: Bytes): number {
    const slot = this.#find(hash, 0, hashBits(hash, 0));
    if (slot < 0) return -1;
    const entry = (this.#slots[2 * slot + 1] as number) - 1;
    closeGap(this.#slots, this.#mask, slot);
    const last = --this.#length;
    if (entry !== last) this.#renumber(last, entry);
    // More than what is needed, so that an entry that comes and goes does not take and free a block each time.
    const needed = (this.#length >>> BLOCK_BITS) + 2;
    if (this.#blocks.length > needed) this.#blocks.length = needed;
    if (this.#slots.length > MANY_SLOTS && 16 * this.#length < this.#slots.length) this.#resize(this.#slots.length / 2);
    return entry;
  }

  #renumber(last: number, entry: number): void {
    const key = keyIn(this.#blocks, last);
    const slot = this.#find(key, 0, hashBits(key, 0));
    this.#slots[2 * slot + 1] = entry + 1;
    this.#blockFor(entry).set(key, (entry & (BLOCK_KEYS - 1)) * HASH_BYTES);
  }

  clear(): void {
    this.#slots = NO_SLOTS;
    this.#mask = -1;
    this.#blocks = [];
    this.#length = 0;
  }

  /** The slot of a hash; negative if the hash is not in the map. */
  #find(bytes: Bytes, offset: number, bits: number): number {
    const slots = this.#slots;
    if (slots.length === 0) return -1;
    for (let slot = bits & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const entry = slots[2 * slot + 1] as number;
      if (entry === 0) return -1;
      if (slots[2 * slot] === bits && this.#isAt(entry - 1, bytes, offset)) return slot;
    }
  }

  /** Compares from the end, because the first bytes are known to be equal. */
  #isAt(entry: number, bytes: Bytes, offset: number): boolean {
    const block = this.#blocks[entry >>> BLOCK_BITS] as Bytes;
    const start = (entry & (BLOCK_KEYS - 1)) * HASH_BYTES;
    for (let at = HASH_BYTES - 1; at >= 0; at--) if (block[start + at] !== bytes[offset + at]) return false;
    return true;
  }

  #resize(length: number): void {
    const before = this.#slots;
    const slots = new Int32Array(length);
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
/** Array length of the smallest table: eight pairs, for four keys. */
const FEWEST_SLOTS = 16;
const FEWEST_KEYS = 4;
/** Array length up to which a table stays as it is. */
const MANY_SLOTS = 4_096;

function keyIn(blocks: readonly Bytes[], entry: number): Bytes {
  const start = (entry & (BLOCK_KEYS - 1)) * HASH_BYTES;
  return (blocks[entry >>> BLOCK_BITS] as Bytes).subarray(start, start + HASH_BYTES);
}

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
