/** RLP of a flat list of byte strings, such as a header, in one array. */
import type { Bytes } from "../bytes/bytes.ts";
import { LIST, lengthWithHead, stringLength, writeHead, writeString } from "./rlp-head.ts";

/**
 * The RLP of a list of byte strings.
 *
 * @throws {RangeError} for a list of 2^32 bytes or more
 */
export function encodeByteList(items: readonly Bytes[]): Bytes {
  let length = 0;
  for (const item of items) length += stringLength(item);
  const out = new Uint8Array(lengthWithHead(length));
  let position = writeHead(out, 0, LIST, length);
  for (const item of items) position = writeString(out, position, item);
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
  const out = new Uint8Array(lengthWithHead(length));
  let position = writeHead(out, 0, LIST, length);
  for (const member of members) {
    out.set(member, position);
    position += member.length;
  }
  return out;
}
