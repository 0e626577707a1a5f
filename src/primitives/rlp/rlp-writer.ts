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

const STRING = 0x80;
const LIST = 0xc0;
/** Greater integers than this take an array of their own. */
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** Up to here a length stands in the head itself. */
const SHORT = 55;

export class RlpWriter {
  #bytes: Bytes;
  #start: number;
  readonly #arena: ByteArena | undefined;

  /**
   * @param capacity - bytes to begin with; it grows
   * @param arena - what is taken is cut from it; arrays of their own unless given
   */
  constructor(capacity = 1024, arena?: ByteArena) {
    this.#arena = arena;
    this.#bytes = new Uint8Array(capacity);
    this.#start = capacity;
  }

  /** Bytes written. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** A byte string. */
  string(bytes: Bytes): void {
    const { length } = bytes;
    this.raw(bytes);
    if (length !== 1 || (bytes[0] as number) >= STRING) this.#head(STRING, length);
  }

  /** An unsigned integer: its shortest byte string. */
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

  /** RLP that is there already. */
  raw(bytes: Bytes): void {
    this.#reserve(bytes.length);
    this.#start -= bytes.length;
    this.#bytes.set(bytes, this.#start);
  }

  /** The head of a list, of what was written since the writer had a length. */
  list(lengthBefore: number): void {
    this.#head(LIST, this.length - lengthBefore);
  }

  /** What was written; the writer is empty again. */
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
