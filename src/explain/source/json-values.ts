/** Reads members of JSON values of which nothing is known. */

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = {};

/** The object, or one without members for anything else. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : NOTHING;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The list, or an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text, or undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The whole number that is not negative, or undefined for anything else. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
