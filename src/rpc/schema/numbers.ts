/** JSON numbers in place of QUANTITY, which some development nodes take. */
import type { z } from "zod";
import { encodeQuantity } from "../../primitives/bytes/hex.ts";
import { asksForQuantity } from "./primitives.ts";

type Issue = Pick<z.core.$ZodIssue, "path" | "message">;

/**
 * A copy of a value in which the numbers that a schema refused are QUANTITY.
 *
 * @param issues - of the schema; the others stay
 * @returns undefined if it refused no such number: negative ones and fractions are none
 */
export function withQuantities(value: unknown, issues: readonly Issue[]): { readonly value: unknown } | undefined {
  let copy = value;
  for (const { path, message } of issues) {
    if (asksForQuantity(message)) copy = rewritten(copy, path);
  }
  return copy === value ? undefined : { value: copy };
}

/** The value with the number at a path as QUANTITY; the same value if there is none. */
function rewritten(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (key === undefined) {
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? encodeQuantity(value) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const member = (value as Readonly<Record<PropertyKey, unknown>>)[key];
  const changed = rewritten(member, rest);
  if (changed === member) return value;
  return Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
}
