/** Values that some development nodes take in place of QUANTITY and DATA. */
import type { z } from "zod";
import { encodeQuantity } from "../../primitives/bytes/hex.ts";
import { asksForData, asksForQuantity } from "./primitives.ts";

type Issue = Pick<z.core.$ZodIssue, "path" | "message">;

/**
 * A copy of a value in which what a schema refused has the form that it asks for: JSON numbers, decimal and zero-padded
 * text and `0x` become QUANTITY, and empty text DATA.
 *
 * @param issues - of the schema; the others stay
 * @returns undefined if it refused no such value: negative numbers and fractions are none
 */
export function inForm(value: unknown, issues: readonly Issue[]): { readonly value: unknown } | undefined {
  let copy = value;
  for (const { path, message } of issues) {
    if (asksForQuantity(message)) copy = rewritten(copy, path, quantityOf);
    else if (asksForData(message)) copy = rewritten(copy, path, (text) => (text === "" ? "0x" : text));
  }
  return copy === value ? undefined : { value: copy };
}

/** The QUANTITY that is meant; the same value if none is. */
function quantityOf(value: unknown): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? encodeQuantity(value) : value;
  if (typeof value !== "string" || !/^(?:0x[0-9a-f]{0,64}|\d{1,78})$/i.test(value)) return value;
  return encodeQuantity(value === "0x" ? 0n : BigInt(value));
}

/** The value with another one at a path; the same value if that does not change. */
function rewritten(
  value: unknown,
  [key, ...rest]: readonly PropertyKey[],
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (typeof value !== "object" || value === null) return value;
  const member = (value as Readonly<Record<PropertyKey, unknown>>)[key];
  const changed = rewritten(member, rest, change);
  if (changed === member) return value;
  return Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
}
