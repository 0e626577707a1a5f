/** The two wire forms of execution-apis: QUANTITY (`0x0`, no leading zeros) and DATA (`0x`, two digits a byte). */
import { fromHexDigits, toHexDigits } from "../platform/encodings.ts";
import type { Bytes } from "./bytes.ts";

/** A `0x`-prefixed hexadecimal string. */
export type Hex = `0x${string}`;

/** QUANTITY of a non-negative integer: lower case, no leading zeros, zero is `0x0`. */
export function encodeQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}

/** DATA of a byte string: lower case, two digits a byte, empty is `0x`. */
export function encodeData(bytes: Bytes): Hex {
  return `0x${toHexDigits(bytes)}`;
}

const DATA_PATTERN = /^0x(?:[0-9a-fA-F]{2})*$/;
const QUANTITY_PATTERN = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]*)$/;

/** True if the text has the DATA form. */
export function isData(text: string): text is Hex {
  return DATA_PATTERN.test(text);
}

/** True if the text has the QUANTITY form (no leading zeros). */
export function isQuantity(text: string): text is Hex {
  return QUANTITY_PATTERN.test(text);
}

/** The bytes of a text that may be a DATA string; undefined if it does not have that form. */
export function parseData(text: string): Bytes | undefined {
  if (text.length > LONG_TEXT) return parseLongData(text);
  return DATA_PATTERN.test(text) ? fromHexDigits(text.slice(2)) : undefined;
}

/** Characters from which on a text is decoded without a match before it, which takes half as long as decoding. */
const LONG_TEXT = 64 * 1024;

/** Decoding ends at the first pair that is no byte. */
function parseLongData(text: string): Bytes | undefined {
  if (text.length % 2 !== 0 || !text.startsWith("0x")) return undefined;
  const bytes = fromHexDigits(text.slice(2));
  return 2 + 2 * bytes.length === text.length ? bytes : undefined;
}

/**
 * The bytes of a DATA string.
 *
 * @throws {TypeError} if the text does not have the DATA form
 */
export function decodeData(text: string): Bytes {
  const bytes = parseData(text);
  if (bytes === undefined) throw new TypeError(`decodeData: not DATA: ${text.slice(0, 40)}`);
  return bytes;
}

/**
 * The integer of a QUANTITY string.
 *
 * @throws {TypeError} if the text does not have the QUANTITY form
 */
export function decodeQuantity(text: string): bigint {
  if (!QUANTITY_PATTERN.test(text)) throw new TypeError(`decodeQuantity: not a QUANTITY: ${text.slice(0, 40)}`);
  return BigInt(text);
}
