/** Plain values as short text, so that tests read like the specification. */
import type { Bytes } from "../../src/primitives/bytes/bytes.ts";

/** Bytes as `0x…`; bigints as numbers in `0x…`; everything else as it is, iterables of objects as arrays. */
export function shown(value: unknown): unknown {
  if (value instanceof Uint8Array) return hex(value);
  if (typeof value === "bigint") return `0x${value.toString(16)}`;
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, shown);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]));
}

export function hex(bytes: Bytes): string {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
