/**
 * Trie paths: keys as nibbles, and their hex-prefix encoding in nodes (yellow paper appendix C).
 *
 * A path has one nibble per byte, and is not changed. It is a copy and not a view of a key: V8 keeps an array of up to 64
 * bytes in its heap, but once there is a view of it, in a block of the C library's, with some 250 bytes beside it.
 */
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";

/** The nibbles of a key, high nibble first. */
export function toNibbles(key: Bytes): Bytes {
  const nibbles = new Uint8Array(key.length * 2);
  for (let index = 0; index < key.length; index++) {
    const byte = key[index] as number;
    nibbles[2 * index] = byte >> 4;
    nibbles[2 * index + 1] = byte & 15;
  }
  return nibbles;
}

/** The key with these nibbles. */
export function fromNibbles(nibbles: Bytes): Bytes {
  const key = new Uint8Array(nibbles.length >> 1);
  for (let index = 0; index < key.length; index++) {
    key[index] = ((nibbles[2 * index] as number) << 4) | (nibbles[2 * index + 1] as number);
  }
  return key;
}

/** Packs a path; the flag nibble says whether it belongs to a leaf and whether its length is odd. */
export function hexPrefix(nibbles: Bytes, isLeaf: boolean): Bytes {
  const packed = new Uint8Array((nibbles.length >> 1) + 1);
  writeHexPrefix(packed, 0, nibbles, isLeaf);
  return packed;
}

/** Writes a {@link hexPrefix} into an array; returns the position after it. */
export function writeHexPrefix(out: Bytes, start: number, nibbles: Bytes, isLeaf: boolean): number {
  const flag = isLeaf ? 0x20 : 0;
  let position = start;
  let index = nibbles.length & 1;
  out[position++] = index === 1 ? flag | 0x10 | (nibbles[0] as number) : flag;
  for (; index < nibbles.length; index += 2) {
    out[position++] = ((nibbles[index] as number) << 4) | (nibbles[index + 1] as number);
  }
  return position;
}

/** True if a packed path belongs to a leaf. */
export function isLeafPath(packed: Bytes): boolean {
  return ((packed[0] as number) & 0x20) !== 0;
}

/** The nibbles of a packed path. */
export function unpackPath(packed: Bytes): Bytes {
  const skipped = ((packed[0] as number) & 0x10) === 0 ? 2 : 1;
  const nibbles = new Uint8Array(2 * packed.length - skipped);
  for (let index = 0; index < nibbles.length; index++) {
    const byte = packed[(index + skipped) >> 1] as number;
    nibbles[index] = ((index + skipped) & 1) === 0 ? byte >> 4 : byte & 15;
  }
  return nibbles;
}

/** Number of nibbles that `path` shares with `key` from `depth` on. */
export function sharedNibbles(path: Bytes, key: Bytes, depth: number): number {
  const limit = Math.min(path.length, key.length - depth);
  let length = 0;
  while (length < limit && path[length] === key[depth + length]) length++;
  return length;
}

/** Joins two paths, with a branch's nibble between them if one is given. */
export function joinPaths(head: Bytes, nibble: number | undefined, tail: Bytes = EMPTY_BYTES): Bytes {
  const middle = nibble === undefined ? 0 : 1;
  const joined = new Uint8Array(head.length + middle + tail.length);
  joined.set(head);
  if (nibble !== undefined) joined[head.length] = nibble;
  joined.set(tail, head.length + middle);
  return joined;
}
