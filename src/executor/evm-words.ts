/** EVM words in memory and call data: 32 bytes, big-endian. */
import type { Bytes } from "../primitives/bytes.ts";

/** 2^256 - 1 */
export const WORD_MASK = (1n << 256n) - 1n;
export const WORD_MODULUS = 1n << 256n;

const TWO_POW_48 = 2 ** 48;

/** The word at `offset`; bytes beyond the end read as zero. */
export function readWord(bytes: Bytes, offset: number): bigint {
  const missing = offset + 32 - bytes.length;
  if (missing >= 32) return 0n;
  if (missing > 0) return readInteger(bytes.subarray(offset)) << BigInt(missing * 8);
  if (isSmall(bytes, offset)) return BigInt(readTail(bytes, offset));
  return readLong(bytes, offset, 32);
}

/** The integer written in at most 32 bytes. */
export function readInteger(bytes: Bytes): bigint {
  const { length } = bytes;
  if (length > 7) return readLong(bytes, 0, length);
  // A number holds six bytes exactly, and a bit.
  let value = 0;
  for (let index = 1; index < length; index++) value = value * 256 + (bytes[index] as number);
  const first = bytes[0] ?? 0;
  return length === 7 ? (BigInt(first) << 48n) | BigInt(value) : BigInt(first * 256 ** (length - 1) + value);
}

/** The integer in eight bytes or more. By 64 bits at a time: half the time of going through hex digits. */
function readLong(bytes: Bytes, offset: number, length: number): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, length);
  const head = length % 8;
  let value = head === 0 ? 0n : view.getBigUint64(0) >> BigInt(64 - head * 8);
  for (let index = head; index < length; index += 8) value = (value << 64n) | view.getBigUint64(index);
  return value;
}

/** Writes a word at `offset`, where there is room for 32 bytes. */
export function writeWord(bytes: Bytes, offset: number, value: bigint): void {
  if (value <= 0xffff_ffff_ffffn) {
    let rest = Number(value);
    bytes.fill(0, offset, offset + 26);
    for (let index = offset + 31; index >= offset + 26; index--) {
      bytes[index] = rest % 256;
      rest = Math.floor(rest / 256);
    }
    return;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, 32);
  view.setBigUint64(24, BigInt.asUintN(64, value));
  view.setBigUint64(16, BigInt.asUintN(64, value >> 64n));
  view.setBigUint64(8, BigInt.asUintN(64, value >> 128n));
  view.setBigUint64(0, value >> 192n);
}

/** True when the word needs at most 48 bits, so that a JS number holds it. */
function isSmall(bytes: Bytes, offset: number): boolean {
  for (let index = offset; index < offset + 26; index++) if (bytes[index] !== 0) return false;
  return true;
}

function readTail(bytes: Bytes, offset: number): number {
  let value = 0;
  for (let index = offset + 26; index < offset + 32; index++) value = value * 256 + (bytes[index] as number);
  return value < TWO_POW_48 ? value : 0;
}
