// Shared by all rows: numbers on the wire, and the error for a wrong answer.

export const hex = (value) => `0x${value.toString(16)}`;

/** @throws {Error} with both values where they differ */
export function equal(actual, expected, what) {
  if (actual === expected) return;
  throw new Error(`${what}: expected ${String(expected).slice(0, 80)}, got ${String(actual).slice(0, 80)}`);
}
