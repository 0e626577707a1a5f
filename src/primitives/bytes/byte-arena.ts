/** Allocates many small, long-lived byte arrays, or many long ones. */
import { mappedBytes } from "../platform/encodings.ts";
import type { Bytes } from "./bytes.ts";

/** Size of the first chunk, enough for a single block, and of the largest; each is twice the size of the one before. */
const FIRST = 128;
const LONGEST = 65_536;
/** Size of a chunk in pages of the system. */
const MAPPED = 4 * LONGEST;

/**
 * Cuts arrays out of larger chunks, which takes less time and memory than an ArrayBuffer for each.
 *
 * A chunk stays in memory as long as any array cut from it. So one arena should serve arrays that are freed together,
 * such as those of one batch or one row of blocks.
 */
export class ByteArena {
  readonly #isMapped: boolean;
  #bytes: ArrayBufferLike = new ArrayBuffer(0);
  #used = 0;

  /** @param isMapped - for long arrays: their chunks are pages of the system, which has them again when they are garbage */
  constructor(isMapped = false) {
    this.#isMapped = isMapped;
  }

  /** An array of zeros. */
  allocate(length: number): Bytes {
    if (this.#used + length > this.#bytes.byteLength) {
      const next = Math.min(LONGEST, Math.max(FIRST, 2 * this.#bytes.byteLength));
      this.#bytes = this.#isMapped
        ? mappedBytes(Math.max(MAPPED, length)).buffer
        : new ArrayBuffer(Math.max(next, length));
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
