/** Copies bytes of the core's memory that are mostly equal to bytes that were copied before. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/**
 * Returns one of its last copies if that is equal, and else a new one. A copy for each address and topic would take more
 * memory than all else of a frame or log.
 */
export class RecentBytes {
  readonly #length: number;
  readonly #most: number;
  readonly #recent: Bytes[] = [];
  #oldest = 0;

  /**
   * @param length - of each copy
   * @param most - number of copies that are remembered
   */
  constructor(length: number, most: number) {
    this.#length = length;
    this.#most = most;
  }

  copy(bytes: Uint8Array, start: number): Bytes {
    for (const known of this.#recent) if (standsAt(known, bytes, start)) return known;
    const copied = bytes.slice(start, start + this.#length);
    this.#recent[this.#oldest] = copied;
    this.#oldest = (this.#oldest + 1) % this.#most;
    return copied;
  }
}

/** True if the bytes stand there. They are compared from their end, because addresses often begin alike. */
function standsAt(known: Bytes, bytes: Uint8Array, start: number): boolean {
  for (let index = known.length - 1; index >= 0; index--) if (bytes[start + index] !== known[index]) return false;
  return true;
}
