/** Byte strings: comparison, joining, integers, map keys. Pure functions; everything is big-endian. */
import { compareLongBytes, fromHexDigits, fromLatin1, toHexDigits, toLatin1 } from "../platform/encodings.ts";

/** A byte string. Fixed lengths are stated where they apply: hash 32, address 20, bloom 256. */
export type Bytes = Uint8Array;

/** No bytes. Shared, which is safe because it has nothing to change. */
export const EMPTY_BYTES: Bytes = new Uint8Array(0);

/** Bytes from which on the platform compares faster than a loop. */
const LONG = 256;

/** True if both have the same bytes. */
export function equalBytes(left: Bytes, right: Bytes): boolean {
  if (left === right) return true;
  if (left.length !== right.length) return false;
  if (left.length > LONG) return compareLongBytes(left, right) === 0;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}

/** Lexicographic order: negative, zero or positive. A proper prefix comes first. */
export function compareBytes(left: Bytes, right: Bytes): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const difference = (left[index] as number) - (right[index] as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** All parts one after the other, in a new array. For a list of any length: {@link concatList}. */
export function concatBytes(...parts: readonly Bytes[]): Bytes {
  return concatList(parts);
}

/** As {@link concatBytes}: a function takes some 120,000 arguments and no more, a list may have as many items as it wants. */
export function concatList(parts: readonly Bytes[]): Bytes {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/**
 * A string for use as a `Map` key; two are equal exactly if the bytes are.
 *
 * One UTF-16 unit per byte, which is faster to build than hexadecimal and half as long.
 */
export function bytesKey(bytes: Bytes): string {
  return toLatin1(bytes);
}

/** The bytes of a {@link bytesKey}. */
export function keyBytes(key: string): Bytes {
  return fromLatin1(key);
}

/** The unsigned big-endian integer; empty bytes are zero. */
export function bytesToBigInt(bytes: Bytes): bigint {
  if (bytes.length === 0) return 0n;
  return BigInt(`0x${toHexDigits(bytes)}`);
}

/**
 * The shortest byte string of an unsigned integer; empty for zero (RLP's integer form).
 *
 * @throws {TypeError} for a negative value
 */
export function bigIntToBytes(value: bigint): Bytes {
  if (value === 0n) return EMPTY_BYTES;
  if (value < 0n) throw new TypeError(`bigIntToBytes: negative value ${value}`);
  if (value <= MAX_SAFE) return numberToBytes(Number(value));
  const hex = value.toString(16);
  return fromHexDigits(hex.length % 2 === 0 ? hex : `0${hex}`);
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Faster than by hexadecimal digits; most integers are small. */
function numberToBytes(value: number): Bytes {
  let length = 0;
  for (let rest = value; rest >= 1; rest /= 256) length++;
  const bytes = new Uint8Array(length);
  for (let index = length - 1, rest = value; index >= 0; index--) {
    bytes[index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

/**
 * An unsigned integer in exactly `length` bytes, left-padded with zeros.
 *
 * @throws {TypeError} if it does not fit or is negative
 */
export function bigIntToFixedBytes(value: bigint, length: number): Bytes {
  if (value < 0n) throw new TypeError(`bigIntToFixedBytes: negative value ${value}`);
  const hex = value.toString(16);
  if (hex.length > length * 2) throw new TypeError(`bigIntToFixedBytes: ${value} needs more than ${length} bytes`);
  return fromHexDigits(hex.padStart(length * 2, "0"));
}

/**
 * `bytes` left-padded with zeros to `length`.
 *
 * @throws {TypeError} if they are longer already
 */
export function padBytesLeft(bytes: Bytes, length: number): Bytes {
  if (bytes.length === length) return bytes;
  if (bytes.length > length) throw new TypeError(`padBytesLeft: ${bytes.length} bytes do not fit in ${length}`);
  const padded = new Uint8Array(length);
  padded.set(bytes, length - bytes.length);
  return padded;
}

/**
 * `bytes` without leading zero bytes, as storage values and RLP integers are stored. V8 has short arrays in its heap, and
 * copies them in less time than it takes to move one out of there, as `subarray` does.
 */
export function stripLeadingZeros(bytes: Bytes): Bytes {
  let start = 0;
  while (start < bytes.length && bytes[start] === 0) start++;
  return start === 0 ? bytes : bytes.slice(start);
}
