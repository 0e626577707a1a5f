/** RLP of a flat list of byte strings (yellow paper appendix B), such as a header, in one array. */
import type { Bytes } from "./bytes.ts";

/**
 * The RLP of a list of byte strings.
 *
 * @throws {RangeError} for a list of 2^32 bytes or more
 */
export function encodeByteList(items: readonly Bytes[]): Bytes {
  let length = 0;
  for (const item of items) length += stringLength(item);
  const out = new Uint8Array(headLength(length) + length);
  let position = writeHead(out, 0, 0xc0, length);
  for (const item of items) {
    if (!isItsOwnCode(item)) position = writeHead(out, position, 0x80, item.length);
    out.set(item, position);
    position += item.length;
  }
  return out;
}

/**
 * The RLP of a list whose members are already encoded.
 *
 * @throws {RangeError} for a list of 2^32 bytes or more
 */
export function encodeListOf(members: readonly Bytes[]): Bytes {
  let length = 0;
  for (const member of members) length += member.length;
  const out = new Uint8Array(headLength(length) + length);
  let position = writeHead(out, 0, 0xc0, length);
  for (const member of members) {
    out.set(member, position);
    position += member.length;
  }
  return out;
}

/** True for a single byte below 0x80, which is its own encoding. */
function isItsOwnCode(item: Bytes): boolean {
  return item.length === 1 && (item[0] as number) < 0x80;
}

function stringLength(item: Bytes): number {
  return isItsOwnCode(item) ? 1 : headLength(item.length) + item.length;
}

function headLength(length: number): number {
  return length < 56 ? 1 : 1 + lengthBytes(length);
}

function lengthBytes(length: number): number {
  return length < 0x100 ? 1 : length < 0x1_0000 ? 2 : length < 0x100_0000 ? 3 : 4;
}

/** Writes the header of a string (0x80) or a list (0xc0); returns the position after it. */
function writeHead(out: Bytes, position: number, base: number, length: number): number {
  if (length < 56) {
    out[position] = base + length;
    return position + 1;
  }
  const count = lengthBytes(length);
  out[position] = base + 55 + count;
  for (let index = 0; index < count; index++) out[position + 1 + index] = (length >>> (8 * (count - 1 - index))) & 255;
  return position + 1 + count;
}
