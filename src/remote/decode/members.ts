/** Reads members of JSON objects from upstream nodes. Malformed values are refused. */
import type { UpstreamJson } from "../../chainspec/upstream-json.ts";
import { RemoteError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeData } from "../../primitives/bytes/hex.ts";
import { showValue } from "../../primitives/validation/show-value.ts";

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;
const DATA = /^0x(?:[0-9a-fA-F]{2})*$/;

/** @throws {RemoteError} `REMOTE_BAD_ANSWER`, as do all functions here */
export function requireObject(value: unknown, what: string): UpstreamJson {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as UpstreamJson;
  throw unreadable(what, "an object", value);
}

/** The value itself. Throws {@link RemoteError} for anything but an array. */
export function requireList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw unreadable(what, "a list", value);
}

/** A QUANTITY below 2^256, or of fewer bits; leading zeros are accepted. */
export function quantity(object: UpstreamJson, name: string, bits = 256): bigint {
  const value = object[name];
  const number = typeof value === "string" && QUANTITY.test(value) ? BigInt(value) : undefined;
  if (number !== undefined && number < 1n << BigInt(bits)) return number;
  throw unreadable(name, number === undefined ? "a QUANTITY" : `a QUANTITY below 2^${bits}`, value);
}

/** As {@link quantity}; undefined if the member is missing or null. */
export function optionalQuantity(object: UpstreamJson, name: string, bits = 256): bigint | undefined {
  return object[name] === undefined || object[name] === null ? undefined : quantity(object, name, bits);
}

/** DATA of a given length in bytes, or of any. */
export function data(object: UpstreamJson, name: string, length?: number): Bytes {
  return asData(object[name], name, length);
}

/** DATA; undefined if the member is missing or null. */
export function optionalData(object: UpstreamJson, name: string, length?: number): Bytes | undefined {
  return object[name] === undefined || object[name] === null ? undefined : data(object, name, length);
}

/** A value that is DATA. */
export function asData(value: unknown, name: string, length?: number): Bytes {
  const isData = typeof value === "string" && DATA.test(value);
  if (isData && (length === undefined || value.length === 2 + 2 * length)) return decodeData(value);
  throw unreadable(name, length === undefined ? "DATA" : `DATA of ${length} bytes`, value);
}

function unreadable(name: string, expected: string, value: unknown): RemoteError {
  return new RemoteError({
    code: "REMOTE_BAD_ANSWER",
    what: "The upstream gave something that cannot be read.",
    where: `${name}: expected ${expected}, got ${showValue(value)}.`,
    fix: "Use another node or provider; this one does not answer as Ethereum nodes do.",
  });
}
