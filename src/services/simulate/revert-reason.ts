/** What revert data says to people: Error(string) and Panic(uint256), in geth's words. */
import { type Bytes, bytesToBigInt } from "../../primitives/bytes.ts";
import { encodeData } from "../../primitives/hex.ts";

const ERROR_SELECTOR = "0x08c379a0";
const PANIC_SELECTOR = "0x4e487b71";

const PANIC_REASONS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, "generic panic"],
  [0x01n, "assert(false)"],
  [0x11n, "arithmetic underflow or overflow"],
  [0x12n, "division or modulo by zero"],
  [0x21n, "enum overflow"],
  [0x22n, "invalid encoded storage byte array accessed"],
  [0x31n, "out-of-bounds array access; popping on an empty array"],
  [0x32n, "out-of-bounds access of an array or bytesN"],
  [0x41n, "out of memory"],
  [0x51n, "uninitialized function"],
]);

/** The reason in revert data, or undefined when it is neither a string nor a panic. */
export function revertReason(data: Bytes): string | undefined {
  if (data.length < 4) return undefined;
  const selector = encodeData(data.subarray(0, 4));
  if (selector === PANIC_SELECTOR && data.length >= 36) {
    const code = bytesToBigInt(data.subarray(4, 36));
    return PANIC_REASONS.get(code) ?? `unknown panic code: 0x${code.toString(16)}`;
  }
  return selector === ERROR_SELECTOR ? decodeString(data.subarray(4)) : undefined;
}

function decodeString(words: Bytes): string | undefined {
  if (words.length < 64) return undefined;
  const offset = bytesToBigInt(words.subarray(0, 32));
  if (offset > BigInt(words.length - 32)) return undefined;
  const start = Number(offset) + 32;
  const length = bytesToBigInt(words.subarray(start - 32, start));
  if (length > BigInt(words.length - start)) return undefined;
  return new TextDecoder().decode(words.subarray(start, start + Number(length)));
}
