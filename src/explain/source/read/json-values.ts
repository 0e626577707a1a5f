/** Reads members of unvalidated JSON values. */

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = {};

/** The object; an empty one if the value is none. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : NOTHING;
}

/** False for null and arrays. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The array; an empty one if the value is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The string; undefined if the value is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The non-negative integer; undefined if the value is none, or greater than `most`. */
export function countOf(value: unknown, most: number = Number.MAX_SAFE_INTEGER): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= most ? value : undefined;
}

/** By four bytes in hexadecimal: the signatures of a contract's functions, as solc writes them. */
export function signaturesOf(methodIdentifiers: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(objectOf(methodIdentifiers)).map(([signature, selector]) => [selector, signature]);
  return new Map(entries.filter((entry): entry is [string, string] => /^[0-9a-f]{8}$/.test(textOf(entry[0]) ?? "")));
}
