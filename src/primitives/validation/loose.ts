/** Converts values from callers: hex strings to bytes, numbers and text to bigint. */
import type { Bytes } from "../bytes/bytes.ts";
import { decodeData, encodeData, type Hex, isData, parseData } from "../bytes/hex.ts";
import { once } from "../once.ts";
import { bytes as bytesShape, requireShape, shape } from "./shape.ts";

const data = once(() =>
  shape("0x and two hexadecimal digits for each byte", (value) => typeof value === "string" && isData(value)),
);
const anyBytes = once(() => bytesShape());

/** Bytes, or DATA. */
export type LooseBytes = Bytes | Hex;
/** An integer: a bigint, a number up to 2^53, or text in decimal or `0x` hexadecimal. */
export type LooseInteger = bigint | number | string;

/** Converts DATA to bytes. Other values are returned unchanged; the check that follows reports them. */
export function toBytes(value: LooseBytes): Bytes {
  return typeof value === "string" ? (parseData(value) ?? (value as unknown as Bytes)) : value;
}

/** As {@link toBytes}, for integers. */
export function toInteger(value: LooseInteger): bigint {
  const isWhole = typeof value === "number" && Number.isSafeInteger(value);
  const isText = typeof value === "string" && /^(?:\d{1,78}|0x[0-9a-f]{1,64})$/i.test(value);
  return isWhole || isText ? BigInt(value) : (value as bigint);
}

/**
 * The bytes of a `0x`-prefixed string of two digits a byte.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS` for any other value
 */
export function hexToBytes(hex: Hex): Bytes {
  requireShape(data(), hex, "hex");
  return decodeData(hex);
}

/**
 * Lower-case hexadecimal with `0x`.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS` if the value is not a Uint8Array
 */
export function bytesToHex(bytes: Bytes): Hex {
  requireShape(anyBytes(), bytes, "bytes");
  return encodeData(bytes);
}
