/** EVM words in memory and call data: 32 bytes, big-endian. */
import type { Bytes } from "../primitives/bytes.ts";

/** 2^256 - 1 */
export const WORD_MASK = (1n << 256n) - 1n;
export const WORD_MODULUS = 1n << 256n;

const TWO_POW_48 = 2 ** 48;

/** The word at `offset`; bytes beyond the end read as zero. */
export function readWord(bytes: Bytes, offset: number): bigint {
  const length = bytes.length;
  if (offset >= length) return 0n;
  if (offset + 32 <= length && isSmall(bytes, offset)) return BigInt(readTail(bytes, offset));
  const end = Math.min(offset + 32, length);
  const digits = Buffer.from(bytes.buffer, bytes.byteOffset + offset, end - offset).toString("hex");
  return BigInt(`0x${digits.length === 64 ? digits : digits.padEnd(64, "0")}`);
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
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).write(
    value.toString(16).padStart(64, "0"),
    offset,
    32,
    "hex",
  );
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
