/** Allocates many small, long-lived byte arrays. */
import type { Bytes } from "./bytes.ts";

/** Size of the first chunk, enough for a single block, and of the largest; each is twice the size of the one before. */
const FIRST = 128;
const LONGEST = 65_536;

/**
 * Cuts arrays out of larger chunks, which takes less time and memory than an ArrayBuffer for each.
 *
 * A chunk stays in memory as long as any array cut from it. So one arena should serve arrays that are freed together,
 * such as those of one batch or one row of blocks.
 */
export class ByteArena {
  #bytes = new ArrayBuffer(0);
  #used = 0;

  /** An array of zeros. */
  allocate(length: number): Bytes {
    if (this.#used + length > this.#bytes.byteLength) {
      const next = Math.min(LONGEST, Math.max(FIRST, 2 * this.#bytes.byteLength));
      this.#bytes = new ArrayBuffer(Math.max(next, length));
      this.#used = 0;
    }
    const allocated = new Uint8Array(this.#bytes, this.#used, length);
    this.#used += length;
    return allocated;
  }

  /** A copy of the bytes, cut from a chunk. */
  copy(bytes: Bytes): Bytes {
    const copied = this.allocate(bytes.length);
    copied.set(bytes);
    return copied;
  }
}
