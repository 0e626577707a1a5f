/** Regions of bytes, one after the other in one growing array. */
import type { Bytes } from "../primitives/bytes.ts";

/** Up to this length a loop beats a call to `set` (measured: 32 bytes in a third of the time). */
const SHORT = 64;

export class BytePool {
  #bytes = new Uint8Array(4096);
  #used = 0;
  /** Where each region ends in the pool; region 0 is empty, so that numbers start at 1. */
  #ends = new Float64Array(256);
  #offsets = new Uint32Array(256);
  #count = 1;

  get size(): number {
    return this.#used;
  }

  /** Forgets all regions; what {@link get} gave of them is overwritten. */
  clear(): void {
    this.#used = 0;
    this.#count = 1;
  }

  /** Copies `length` bytes of `source` from `offset` on, zeros beyond its end; returns the region's number. */
  add(source: Bytes, offset: number, length: number): number {
    const start = this.#used;
    this.#used += length;
    if (this.#used > this.#bytes.length) this.#bytes = grown(this.#bytes, this.#used, Uint8Array);
    if (this.#count === this.#ends.length) {
      this.#ends = grown(this.#ends, this.#count + 1, Float64Array);
      this.#offsets = grown(this.#offsets, this.#count + 1, Uint32Array);
    }
    const pool = this.#bytes;
    const available = Math.min(length, Math.max(0, source.length - offset));
    if (available <= SHORT) {
      for (let index = 0; index < available; index++) pool[start + index] = source[offset + index] as number;
    } else {
      pool.set(source.subarray(offset, offset + available), start);
    }
    this.#offsets[this.#count] = offset;
    this.#ends[this.#count] = this.#used;
    return this.#count++;
  }

  /** A region by its number: where it was, and its bytes (not a copy). */
  get(region: number): { readonly offset: number; readonly bytes: Bytes } {
    const start = this.#ends[region - 1] as number;
    return { offset: this.#offsets[region] as number, bytes: this.#bytes.subarray(start, this.#ends[region]) };
  }
}

function grown<Column extends Uint8Array | Uint32Array | Float64Array>(
  column: Column,
  needed: number,
  make: new (size: number) => Column,
): Column {
  const larger = new make(Math.max(needed, column.length * 2));
  larger.set(column);
  return larger;
}
