/** Compares bytes at once: Vitest compares them one by one, each by all of its rules. Loaded once for each worker. */
import { expect } from "vitest";

expect.addEqualityTesters([
  (left: unknown, right: unknown): boolean | undefined => {
    if (!(left instanceof Uint8Array && right instanceof Uint8Array) || left.constructor !== right.constructor) {
      return undefined;
    }
    // What differs is left to Vitest, which says where.
    return Buffer.compare(left, right) === 0 ? true : undefined;
  },
]);
