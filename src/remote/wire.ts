/** Parses JSON answers about state, tolerating differences between nodes. */
import { type Bytes, EMPTY_BYTES, padBytesLeft, stripLeadingZeros } from "../primitives/bytes/bytes.ts";
import { decodeData, isData } from "../primitives/bytes/hex.ts";
import { toUtf8 } from "../primitives/platform/encodings.ts";

const HEX = /^0x[0-9a-fA-F]*$/;

/**
 * A QUANTITY; leading zeros are accepted, because some nodes write them.
 *
 * @throws {TypeError} for other values
 */
export function readQuantity(value: unknown): bigint {
  if (typeof value !== "string" || !HEX.test(value)) throw new TypeError(`expected a QUANTITY, got ${show(value)}`);
  return value === "0x" ? 0n : BigInt(value);
}

/**
 * DATA of any length.
 *
 * @throws {TypeError} for other values
 */
export function readData(value: unknown): Bytes {
  if (typeof value !== "string" || !isData(value)) throw new TypeError(`expected DATA, got ${show(value)}`);
  return decodeData(value);
}

/**
 * DATA of a given length.
 *
 * @throws {TypeError} for other values
 */
export function readFixedData(value: unknown, length: number): Bytes {
  const bytes = readData(value);
  if (bytes.length !== length) throw new TypeError(`expected ${length} bytes, got ${show(value)}`);
  return bytes;
}

/**
 * The value of a slot without leading zeros; some nodes write it as a QUANTITY, and `0x` for zero.
 *
 * @throws {TypeError} if it is not hexadecimal of at most 32 bytes
 */
export function readSlotValue(value: unknown): Bytes {
  if (typeof value !== "string" || !HEX.test(value) || value.length > 66) {
    throw new TypeError(`expected the value of a slot, got ${show(value)}`);
  }
  const digits = value.slice(2);
  const bytes = stripLeadingZeros(decodeData(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`));
  return bytes.length === 0 ? EMPTY_BYTES : bytes;
}

/**
 * A JSON object.
 *
 * @throws {TypeError} for other values
 */
export function readObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new TypeError(`expected an object, got ${show(value)}`);
}

/**
 * A JSON array.
 *
 * @throws {TypeError} for other values
 */
export function readList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(`expected an array, got ${show(value)}`);
}

/** A slot as 32 bytes. */
export const wordOf = (slot: Bytes): Bytes => padBytesLeft(slot, 32);

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** A cached answer; undefined if there is none, or if another program has written what is no JSON. */
export function readJson(bytes: Bytes | undefined): unknown {
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(toUtf8(bytes));
  } catch {
    return undefined;
  }
}
