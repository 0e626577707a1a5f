/**
 * Writes nested RLP (yellow paper appendix B) from its end to its beginning: a list's length is known when its head is
 * written, so that everything is written once and in one array.
 *
 * Members go in last one first:
 *
 *     const end = writer.length;
 *     writer.string(second);
 *     writer.string(first);
 *     writer.list(end);
 *     writer.take();
 */
import type { ByteArena } from "../bytes/byte-arena.ts";
import { type Bytes, bigIntToBytes } from "../bytes/bytes.ts";
import { LIST, SHORT, STRING } from "./rlp-head.ts";

/** Larger integers are written by way of an array of their own. */
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Can be used again after {@link take}. */
export class RlpWriter {
  #bytes: Bytes;
  #start: number;
  readonly #arena: ByteArena | undefined;

  /**
   * @param capacity - initial size in bytes; it grows as needed
   * @param arena - results are cut from it; default: arrays of their own
   */
  constructor(capacity = 1024, arena?: ByteArena) {
    this.#arena = arena;
    this.#bytes = new Uint8Array(capacity);
    this.#start = capacity;
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** A byte string. */
  string(bytes: Bytes): void {
    const { length } = bytes;
    this.raw(bytes);
    if (length !== 1 || (bytes[0] as number) >= STRING) this.#head(STRING, length);
  }

  /** An unsigned integer as its shortest byte string. */
  integer(value: bigint): void {
    if (value < 0n || value > MAX_SAFE) {
      this.string(bigIntToBytes(value));
      return;
    }
    this.#reserve(8);
    const end = this.#start;
    for (let rest = Number(value); rest >= 1; rest = Math.floor(rest / 256)) this.#bytes[--this.#start] = rest % 256;
    if (end - this.#start !== 1 || value >= STRING) this.#head(STRING, end - this.#start);
  }

  /** Bytes that are already RLP. */
  raw(bytes: Bytes): void {
    this.#reserve(bytes.length);
    this.#start -= bytes.length;
    this.#bytes.set(bytes, this.#start);
  }

  /** The header of a list of all that was written since the writer had a length of `lengthBefore`. */
  list(lengthBefore: number): void {
    this.#head(LIST, this.length - lengthBefore);
  }

  /** Returns the bytes written and empties the writer. */
  take(): Bytes {
    const taken = this.#arena === undefined ? this.#bytes.slice(this.#start) : this.#arena.copy(this.#written());
    this.#start = this.#bytes.length;
    return taken;
  }

  #written(): Bytes {
    return this.#bytes.subarray(this.#start);
  }

  #head(base: number, length: number): void {
    this.#reserve(9);
    if (length <= SHORT) {
      this.#bytes[--this.#start] = base + length;
      return;
    }
    let count = 0;
    for (let rest = length; rest >= 1; rest = Math.floor(rest / 256), count++) this.#bytes[--this.#start] = rest % 256;
    this.#bytes[--this.#start] = base + SHORT + count;
  }

  #reserve(length: number): void {
    if (length <= this.#start) return;
    const written = this.#written();
    const grown = new Uint8Array(2 * this.#bytes.length + length);
    this.#start = grown.length - written.length;
    grown.set(written, this.#start);
    this.#bytes = grown;
  }
}
