/** The heads of RLP items, read and written in place (yellow paper appendix B). */
import type { Bytes } from "../bytes/bytes.ts";

/** First byte of a string of no bytes. */
export const STRING = 0x80;
/** First byte of a list of no members. */
export const LIST = 0xc0;
/** Longest content in bytes whose length is part of the first byte. */
export const SHORT = 55;

/** Number of bytes before an item's content, by its first byte: zero for a byte that is its own encoding. */
export function headBytes(first: number): number {
  if (first < STRING) return 0;
  const size = first - (first < LIST ? STRING : LIST);
  return size <= SHORT ? 1 : 1 + size - SHORT;
}

/** Length of the content of the item at an offset. It may reach beyond the end of the bytes, as far as the head does. */
export function contentBytes(bytes: Bytes, offset: number): number {
  const first = bytes[offset] as number;
  if (first < STRING) return 1;
  const size = first - (first < LIST ? STRING : LIST);
  if (size <= SHORT) return size;
  let length = 0;
  for (let index = 1; index <= size - SHORT; index++) {
    // A missing byte counts as 255, so that the length is too large and the caller refuses it.
    length = length * 256 + (bytes[offset + index] ?? 255);
  }
  return length;
}

/** Length of an item at an offset, with its head; undefined where the bytes end. It may reach beyond their end. */
export function itemBytes(bytes: Bytes, offset: number): number | undefined {
  const first = bytes[offset];
  return first === undefined ? undefined : headBytes(first) + contentBytes(bytes, offset);
}

/** Length of an item of `length` bytes of content with its head. */
export function lengthWithHead(length: number): number {
  return (length <= SHORT ? 1 : 1 + lengthBytes(length)) + length;
}

/** Length of the RLP of a byte string. */
export function stringLength(bytes: Bytes): number {
  return isItsOwnCode(bytes) ? 1 : lengthWithHead(bytes.length);
}

/** Writes the head of a string or a list of `length` bytes, less than 2^32. Returns the position after it. */
export function writeHead(out: Bytes, position: number, base: number, length: number): number {
  if (length <= SHORT) {
    out[position] = base + length;
    return position + 1;
  }
  const count = lengthBytes(length);
  out[position] = base + SHORT + count;
  for (let index = 0; index < count; index++) out[position + 1 + index] = (length >>> (8 * (count - 1 - index))) & 255;
  return position + 1 + count;
}

/** Writes a byte string with its head. Returns the position after it. */
export function writeString(out: Bytes, position: number, bytes: Bytes): number {
  const start = isItsOwnCode(bytes) ? position : writeHead(out, position, STRING, bytes.length);
  out.set(bytes, start);
  return start + bytes.length;
}

/** True for a single byte below 0x80, which is its own encoding. */
function isItsOwnCode(bytes: Bytes): boolean {
  return bytes.length === 1 && (bytes[0] as number) < STRING;
}

function lengthBytes(length: number): number {
  return length < 0x100 ? 1 : length < 0x1_0000 ? 2 : length < 0x100_0000 ? 3 : 4;
}
