/**
 * Functions that write JSON text at a byte offset; each returns the offset after its text.
 *
 * They are functions, not methods, so that a loop over millions of items keeps the offset in a local variable instead
 * of a field. Text is copied in words of eight bytes: up to seven bytes after a text are overwritten too. Eight ASCII
 * bytes never form a NaN, so that copying them as a float64 keeps their bits.
 */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { fromLatin1 } from "../../../primitives/platform/encodings.ts";
import type { Fragments } from "./fragments.ts";

const QUOTE = 0x22;
const ZERO = 0x30;
const TEN_THOUSAND = 10_000;
/** `"0x` as a little-endian word; the byte after it is overwritten. */
const QUANTITY_START = 0x78_30_22;

const HEX_DIGITS = fromLatin1("0123456789abcdef");
/** The two hexadecimal digits of each byte, as a little-endian half word. */
const HEX_PAIRS = Uint16Array.from({ length: 256 }, (_, byte) => {
  return (HEX_DIGITS[byte >> 4] as number) | ((HEX_DIGITS[byte & 15] as number) << 8);
});
/** The four decimal digits of each number below 10,000, zero-padded, as a little-endian word. */
const FOUR_DIGITS = fourDigits();

function fourDigits(): Uint32Array {
  const pairs = Array.from({ length: 100 }, (_, value) => ZERO + ((value / 10) | 0) + ((ZERO + (value % 10)) << 8));
  const words = new Uint32Array(TEN_THOUSAND);
  let index = 0;
  for (const upper of pairs) for (const lower of pairs) words[index++] = upper | (lower << 16);
  return words;
}

/** Copies text from another buffer. */
export function writeText(view: DataView, at: number, source: DataView, from: number, length: number): number {
  for (let offset = 0; offset < length; offset += 8) {
    view.setFloat64(at + offset, source.getFloat64(from + offset, true), true);
  }
  return at + length;
}

/** Copies one text of a {@link Fragments} table. */
export function writeFragment(
  view: DataView,
  at: number,
  { words, starts, lengths }: Fragments,
  index: number,
): number {
  const length = lengths[index] as number;
  let word = starts[index] as number;
  for (let offset = 0; offset < length; offset += 8, word++) view.setFloat64(at + offset, words[word] as number, true);
  return at + length;
}

/** Writes an integer below 2^53 in decimal. */
export function writeNumber(view: DataView, at: number, value: number): number {
  if (value >= TEN_THOUSAND * TEN_THOUSAND) return writeLongNumber(view, at, value);
  const upper = value < TEN_THOUSAND ? value : (value / TEN_THOUSAND) | 0;
  const digits = upper < 10 ? 1 : upper < 100 ? 2 : upper < 1000 ? 3 : 4;
  view.setUint32(at, (FOUR_DIGITS[upper] as number) >>> (8 * (4 - digits)), true);
  if (value < TEN_THOUSAND) return at + digits;
  view.setUint32(at + digits, FOUR_DIGITS[value - upper * TEN_THOUSAND] as number, true);
  return at + digits + 4;
}

function writeLongNumber(view: DataView, at: number, value: number): number {
  const upper = Math.floor(value / TEN_THOUSAND);
  const end = writeNumber(view, at, upper);
  view.setUint32(end, FOUR_DIGITS[value - upper * TEN_THOUSAND] as number, true);
  return end + 4;
}

/** Writes a quoted QUANTITY from eight 32-bit limbs, least significant limb first. */
export function writeWord(view: DataView, at: number, words: Uint32Array, first: number): number {
  view.setUint32(at, QUANTITY_START, true);
  let index = first + 7;
  while (index > first && words[index] === 0) index--;
  let end = writeShortHex(view, at + 3, words[index] as number);
  while (index-- > first) {
    const part = words[index] as number;
    view.setUint32(end, fourHexDigits(part >>> 16), true);
    view.setUint32(end + 4, fourHexDigits(part & 0xffff), true);
    end += 8;
  }
  view.setUint8(end, QUOTE);
  return end + 1;
}

/** Writes the hexadecimal digits of a number below 2^32, without leading zeros. */
export function writeShortHex(view: DataView, at: number, value: number): number {
  if (value > 0xffff) {
    const end = writeShortHex(view, at, value >>> 16);
    view.setUint32(end, fourHexDigits(value & 0xffff), true);
    return end + 4;
  }
  const digits = value < 0x10 ? 1 : value < 0x100 ? 2 : value < 0x1000 ? 3 : 4;
  view.setUint32(at, fourHexDigits(value) >>> (8 * (4 - digits)), true);
  return at + digits;
}

function fourHexDigits(value: number): number {
  return (HEX_PAIRS[value >> 8] as number) | ((HEX_PAIRS[value & 255] as number) << 16);
}

/** Writes two digits for each byte from `start` to `end`; bytes beyond the end of the source count as zero. */
export function writeHex(view: DataView, at: number, source: Bytes, start: number, end: number): number {
  const known = Math.min(end, source.length);
  let place = at;
  let index = start;
  // Two bytes at a time, which is faster than one.
  for (; index + 1 < known; index += 2, place += 4) {
    const pair = ((source[index] as number) << 8) | (source[index + 1] as number);
    view.setUint32(place, fourHexDigits(pair), true);
  }
  for (; index < end; index++, place += 2) {
    view.setUint16(place, HEX_PAIRS[index < known ? (source[index] as number) : 0] as number, true);
  }
  return place;
}
