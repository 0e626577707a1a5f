/** Decodes revert data: Error(string) and Panic(uint256), as in geth's abi.UnpackRevert. */
import { type Bytes, bytesToBigInt, equalBytes } from "./bytes/bytes.ts";
import { toUtf8 } from "./platform/encodings.ts";

const ERROR_SELECTOR = Uint8Array.of(0x08, 0xc3, 0x79, 0xa0);
const PANIC_SELECTOR = Uint8Array.of(0x4e, 0x48, 0x7b, 0x71);

/** Solidity's panic codes in geth's words. */
const PANICS: ReadonlyMap<bigint, string> = new Map([
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

/** The reason; undefined if the data has none. */
export function revertReasonText(data: Bytes): string | undefined {
  if (data.length < 4) return undefined;
  const selector = data.subarray(0, 4);
  const body = data.subarray(4);
  if (equalBytes(selector, ERROR_SELECTOR)) return decodeString(body);
  const code = panicCodeOf(data);
  return code === undefined ? undefined : panicText(code);
}

/** The code of Panic(uint256); undefined for other data. */
export function panicCodeOf(data: Bytes): bigint | undefined {
  if (data.length < 36 || !equalBytes(data.subarray(0, 4), PANIC_SELECTOR)) return undefined;
  return bytesToBigInt(data.subarray(4, 36));
}

function panicText(code: bigint): string {
  return PANICS.get(code) ?? `unknown panic code: 0x${code.toString(16)}`;
}

/** An ABI-encoded string; undefined if it is truncated. */
function decodeString(body: Bytes): string | undefined {
  if (body.length < 64) return undefined;
  const offset = bytesToBigInt(body.subarray(0, 32));
  if (offset + 32n > BigInt(body.length)) return undefined;
  const start = Number(offset) + 32;
  const length = bytesToBigInt(body.subarray(start - 32, start));
  if (BigInt(start) + length > BigInt(body.length)) return undefined;
  return toUtf8(body.subarray(start, start + Number(length)));
}
