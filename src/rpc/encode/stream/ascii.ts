/**
 * Writes pieces of JSON text at a place in bytes; each function gives the place behind its piece.
 *
 * Functions, so that a loop over millions of items holds the place in a local variable: what a writer keeps in its fields
 * is loaded and stored anew for every piece. Text is copied in words of eight bytes, so that up to seven bytes behind a
 * piece are written as well. All text is ASCII, whose bytes never make a NaN.
 */

import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { fromLatin1 } from "../../../primitives/platform/encodings.ts";
import type { Fragments } from "./fragments.ts";

const QUOTE = 0x22;
const ZERO = 0x30;
const TEN_THOUSAND = 10_000;
/** `"0x` as a little-endian word; the byte behind is written over. */
const QUANTITY_START = 0x78_30_22;

const HEX_DIGITS = fromLatin1("0123456789abcdef");
/** Two hexadecimal digits of each byte, as a little-endian half word. */
const HEX_PAIRS = Uint16Array.from({ length: 256 }, (_, byte) => {
  return (HEX_DIGITS[byte >> 4] as number) | ((HEX_DIGITS[byte & 15] as number) << 8);
});
/** The decimal digits of each number below 10,000, with zeros in front, as a little-endian word. */
const FOUR_DIGITS = Uint32Array.from({ length: TEN_THOUSAND }, (_, value) => {
  const upper = (value / 100) | 0;
  const pair = (number: number): number => ZERO + ((number / 10) | 0) + ((ZERO + (number % 10)) << 8);
  return pair(upper) | (pair(value - 100 * upper) << 16);
});

/** Text that is there already. */
export function writeText(view: DataView, at: number, source: DataView, from: number, length: number): number {
  for (let offset = 0; offset < length; offset += 8) {
    view.setFloat64(at + offset, source.getFloat64(from + offset, true), true);
  }
  return at + length;
}

/** One of a table of fragments. */
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

/** A number below 2^53 as JSON has it. */
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

/** A QUANTITY in its quotation marks, of a word of 32 bytes that stands in 32-bit words, the least significant first. */
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

/** The digits of a number below 2^32, without zeros in front. */
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

/** Two digits for each byte from `start` to `end`; bytes beyond the source are zero. */
export function writeHex(view: DataView, at: number, source: Bytes, start: number, end: number): number {
  const known = Math.min(end, source.length);
  let place = at;
  let index = start;
  // Two bytes at a time: two thirds of the time of one at a time (measured).
  for (; index + 1 < known; index += 2, place += 4) {
    const pair = ((source[index] as number) << 8) | (source[index + 1] as number);
    view.setUint32(place, fourHexDigits(pair), true);
  }
  for (; index < end; index++, place += 2) {
    view.setUint16(place, HEX_PAIRS[index < known ? (source[index] as number) : 0] as number, true);
  }
  return place;
}
