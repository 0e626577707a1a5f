/**
 * Writes JSON text as bytes, for results with millions of items: struct logs, vmTraces, flat traces, logs.
 *
 * Numbers are converted by tables, because a string for each number would take longer than everything else.
 */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { fromUtf8, toLatin1, toUtf8 } from "../../../primitives/platform/encodings.ts";
import { writeFragment, writeHex, writeNumber, writeShortHex, writeText, writeWord } from "./ascii.ts";
import type { Fragments } from "./fragments.ts";

/** Length in bytes from which on a piece is passed on. */
const PIECE_BYTES = 64 * 1024;
/** Bytes that may be written without a call of {@link TextWriter.reserve}. */
const ROOM = 4096;
/** From this length on `set` is faster than a loop. */
const LONG = 256;
const QUOTE = 0x22;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
const LAST_ASCII = 0x7f;

/** Text of another writer, and the place in this one to which it belongs. */
interface LongText {
  readonly at: number;
  readonly source: TextWriter;
  readonly start: number;
  readonly end: number;
}

/** One for each answer. Its text is taken away piece by piece, and its buffer is then written anew. */
export class TextWriter {
  /** The buffer; text was written up to {@link at}. */
  bytes: Bytes;
  view: DataView;
  at = 0;
  /** Pieces taken so far. The buffer has no text of those. */
  taken = 0;
  #isAscii = true;
  /** The lowest 64 bits of a word of 32 bytes. */
  readonly #limb = new BigUint64Array(4);
  readonly #words = new Uint32Array(this.#limb.buffer);
  readonly #long: LongText[] = [];

  /** @param capacity - initial size in bytes; {@link reserve} enlarges it */
  constructor(capacity = 2 * ROOM) {
    this.bytes = new Uint8Array(capacity);
    this.view = viewOf(this.bytes);
  }

  /**
   * Last offset after which {@link ROOM} bytes are still free. Up to here nothing needs to be reserved, so the buffer
   * does not move.
   */
  get roomEnd(): number {
    return this.bytes.length - ROOM;
  }

  /** True if enough text for a piece was written. */
  get isFull(): boolean {
    return this.at >= PIECE_BYTES || this.hasLong;
  }

  /** True if long texts of other writers belong in this one. These must not change until {@link takePieces} has ended. */
  get hasLong(): boolean {
    return this.#long.length > 0;
  }

  /** The text written since the last piece, in pieces. Those of long texts are made when they are taken. */
  *takePieces(): Generator<string> {
    let from = 0;
    for (const { at, source, start, end } of this.#long) {
      if (at > from) yield this.#textOf(this.bytes.subarray(from, at));
      from = at;
      for (let place = start; place < end; place += PIECE_BYTES) {
        yield toLatin1(source.bytes.subarray(place, Math.min(end, place + PIECE_BYTES)));
      }
    }
    this.#long.length = 0;
    yield this.takePiece(from);
  }

  /**
   * The text written since the last piece, which has no long one. It is a string, which V8 has in its heap: bytes outside
   * of it would stay until its next collection, by the thousand, in memory that the C library keeps.
   *
   * @param from - the text before this offset was taken
   */
  takePiece(from = 0): string {
    const piece = this.#textOf(this.bytes.subarray(from, this.at));
    this.at = 0;
    this.taken++;
    this.#isAscii = true;
    return piece;
  }

  #textOf(bytes: Bytes): string {
    return this.#isAscii ? toLatin1(bytes) : toUtf8(bytes);
  }

  /** Reserves `length` bytes, and {@link ROOM} beyond them for the writes that follow without a call. */
  reserve(length: number): void {
    const needed = this.at + length + ROOM;
    if (needed <= this.bytes.length) return;
    const written = this.bytes.subarray(0, this.at);
    // Zeros, so that the bytes after a text do not form a NaN.
    this.bytes = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
    this.bytes.set(written);
    this.view = viewOf(this.bytes);
  }

  /** Writes one text of a {@link Fragments} table. */
  fragment(table: Fragments, index: number): void {
    this.at = writeFragment(this.view, this.at, table, index);
  }

  /** Writes ASCII text. */
  text(text: string): void {
    this.reserve(text.length);
    const bytes = this.bytes;
    const at = this.at;
    for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index);
    this.at = at + text.length;
  }

  /** Writes text of any characters. */
  unicode(text: string): void {
    const bytes = fromUtf8(text);
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
    if (bytes.length > text.length) this.#isAscii = false;
  }

  /** Writes a JSON string. */
  string(text: string): void {
    this.reserve(text.length);
    const { bytes } = this;
    let at = this.at;
    bytes[at++] = QUOTE;
    for (let index = 0; index < text.length; index++) {
      const character = text.charCodeAt(index);
      if (character < SPACE || character > LAST_ASCII || character === QUOTE || character === BACKSLASH) {
        this.unicode(JSON.stringify(text));
        return;
      }
      bytes[at++] = character;
    }
    bytes[at++] = QUOTE;
    this.at = at;
  }

  /** Copies text of another writer, a long one in {@link takePieces}: all of it would be in memory at once. */
  copyFrom(source: TextWriter, start: number, end: number): void {
    if (end - start < PIECE_BYTES) this.copy(source.bytes, source.view, start, end);
    else this.#long.push({ at: this.at, source, start, end });
  }

  /** Copies the text from `start` to `end`. The buffer must extend at least seven bytes beyond `end`. */
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

  /** Writes a JSON number. */
  number(value: number): void {
    if (value >= 0 && Number.isSafeInteger(value)) this.at = writeNumber(this.view, this.at, value);
    else this.text(JSON.stringify(value));
  }

  /** Writes a quoted QUANTITY. */
  quantity(value: bigint): void {
    this.#limb[0] = value;
    if (this.#limb[0] === value) this.word(this.#words, 0);
    else this.text(`"0x${value.toString(16)}"`);
  }

  /** Writes a quoted QUANTITY from eight 32-bit limbs, least significant limb first. */
  word(words: Uint32Array, first: number): void {
    this.at = writeWord(this.view, this.at, words, first);
  }

  /** Writes a quoted QUANTITY of a number below 2^32. */
  smallQuantity(value: number): void {
    this.text('"0x');
    this.at = writeShortHex(this.view, this.at, value);
    this.bytes[this.at++] = QUOTE;
  }

  /** Writes quoted DATA. */
  data(source: Bytes): void {
    this.text('"0x');
    this.hex(source, 0, source.length);
    this.bytes[this.at++] = QUOTE;
  }

  /** Writes two digits for each byte from `start` to `end`; bytes beyond the end of the source count as zero. */
  hex(source: Bytes, start: number, end: number): void {
    this.reserve(2 * (end - start));
    this.at = writeHex(this.view, this.at, source, start, end);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Bytes): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
