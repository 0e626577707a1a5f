/** Converts values from callers: hex strings to bytes, numbers and text to bigint. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../bytes/bytes.ts";
import { decodeData, encodeData, type Hex, isData } from "../bytes/hex.ts";
import { showValue } from "./show-value.ts";

/** Bytes, or DATA. */
export type LooseBytes = Bytes | Hex;
/** An integer: a bigint, a number up to 2^53, or text in decimal or `0x` hexadecimal. */
export type LooseInteger = bigint | number | string;

/** Converts DATA to bytes. Other values are returned unchanged; the check that follows reports them. */
export function toBytes(value: LooseBytes): Bytes {
  return typeof value === "string" && isData(value) ? decodeData(value) : (value as Bytes);
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
  if (typeof hex === "string" && isData(hex)) return decodeData(hex);
  throw new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: `hex: expected 0x and two hexadecimal digits for each byte, got ${showValue(hex)}.`,
  });
}

/**
 * Lower-case hexadecimal with `0x`.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS` if the value is not a Uint8Array
 */
export function bytesToHex(bytes: Bytes): Hex {
  if (bytes instanceof Uint8Array) return encodeData(bytes);
  throw new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: `bytes: expected bytes in a Uint8Array, got ${showValue(bytes)}.`,
  });
}
