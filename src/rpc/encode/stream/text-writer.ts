/**
 * Writes JSON text as bytes, for results of which every item is written millions of times: struct logs, vmTraces, flat
 * traces, logs. Numbers go through tables: a string for each would cost more than everything else (a bigint's
 * `toString(16)`: 57 ns).
 */

import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { unclearedBytes } from "../../../primitives/platform/encodings.ts";
import { writeFragment, writeHex, writeNumber, writeShortHex, writeText, writeWord } from "./ascii.ts";
import type { Fragments } from "./fragments.ts";

/** Length from which on a piece is passed on. */
const PIECE_BYTES = 64 * 1024;
/** Most that may be written without asking for room with {@link TextWriter.reserve}. */
const ROOM = 4096;
/** From this length on a call of `set` beats a loop. */
const LONG = 256;
const QUOTE = 0x22;

export class TextWriter {
  /** What was written, up to {@link at}. */
  bytes: Bytes;
  view: DataView;
  at = 0;
  /** The low 64 bits of a word of 32 bytes. */
  readonly #limb = new BigUint64Array(4);
  readonly #words = new Uint32Array(this.#limb.buffer);

  /** @param capacity - bytes to begin with; it grows when {@link reserve} asks for more */
  constructor(capacity = 2 * ROOM) {
    this.bytes = new Uint8Array(capacity);
    this.view = viewOf(this.bytes);
  }

  /** Where to stop writing without {@link reserve}: up to here, {@link ROOM} is left and no reserving moves the bytes. */
  get roomEnd(): number {
    return this.bytes.length - ROOM;
  }

  /** True when there is enough for a piece. */
  get isFull(): boolean {
    return this.at >= PIECE_BYTES;
  }

  /** What was written since the last piece. */
  get written(): Bytes {
    return this.bytes.subarray(0, this.at);
  }

  /** The same, for the caller to keep; more is written elsewhere. */
  takePiece(): Bytes {
    const piece = this.written;
    this.bytes = this.isFull ? unclearedBytes(PIECE_BYTES + 2 * ROOM) : new Uint8Array(2 * ROOM);
    this.view = viewOf(this.bytes);
    this.at = 0;
    return piece;
  }

  /** Makes room for `length` bytes and what is written after them until the next look. */
  reserve(length: number): void {
    const needed = this.at + length + ROOM;
    if (needed <= this.bytes.length) return;
    const { written } = this;
    // Zeros: what is read behind a text must not make a NaN either.
    this.bytes = new Uint8Array(Math.max(needed, 2 * written.length));
    this.bytes.set(written);
    this.view = viewOf(this.bytes);
  }

  /** One of a table of fragments. */
  fragment(table: Fragments, index: number): void {
    this.at = writeFragment(this.view, this.at, table, index);
  }

  /** ASCII text. */
  text(text: string): void {
    this.reserve(text.length);
    const bytes = this.bytes;
    const at = this.at;
    for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index);
    this.at = at + text.length;
  }

  /** Text that another writer holds. */
  copyFrom(source: TextWriter, start: number, end: number): void {
    this.copy(source.bytes, source.view, start, end);
  }

  /** Text from `start` to `end` of some bytes, which end at least seven bytes behind it. */
  copy(bytes: Bytes, view: DataView, start: number, end: number): void {
    const length = end - start;
    if (length <= LONG) {
      this.at = writeText(this.view, this.at, view, start, length);
      return;
    }
    this.reserve(length);
    this.bytes.set(bytes.subarray(start, end), this.at);
    this.at += length;
  }

  /** A number as JSON has it. */
  number(value: number): void {
    if (value >= 0 && Number.isSafeInteger(value)) this.at = writeNumber(this.view, this.at, value);
    else this.text(JSON.stringify(value));
  }

  /** A QUANTITY in its quotation marks. */
  quantity(value: bigint): void {
    this.#limb[0] = value;
    if (this.#limb[0] === value) this.word(this.#words, 0);
    else this.text(`"0x${value.toString(16)}"`);
  }

  /** A QUANTITY in its quotation marks, of a word of 32 bytes that stands in 32-bit words, the least significant first. */
  word(words: Uint32Array, first: number): void {
    this.at = writeWord(this.view, this.at, words, first);
  }

  /** A QUANTITY in its quotation marks, of a number below 2^32. */
  smallQuantity(value: number): void {
    this.text('"0x');
    this.at = writeShortHex(this.view, this.at, value);
    this.bytes[this.at++] = QUOTE;
  }

  /** DATA in its quotation marks. */
  data(source: Bytes): void {
    this.text('"0x');
    this.hex(source, 0, source.length);
    this.bytes[this.at++] = QUOTE;
  }

  /** Two digits for each byte from `start` to `end`; bytes beyond the source are zero. */
  hex(source: Bytes, start: number, end: number): void {
    this.reserve(2 * (end - start));
    this.at = writeHex(this.view, this.at, source, start, end);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Bytes): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
