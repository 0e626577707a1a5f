/** Random lists are as long as properties ask for, not as long as fast-check would make them by itself. */
import fc from "fast-check";
import { expect, it } from "vitest";

const SAMPLES = 200;

function longest(lists: fc.Arbitrary<{ readonly length: number }>): number {
  return Math.max(...fc.sample(lists, SAMPLES).map(({ length }) => length));
}

it.each([20, 300, 3_000])("lists of up to %d members come within a tenth of that", (maxLength) => {
  const reached = [fc.array(fc.boolean(), { maxLength }), fc.uint8Array({ maxLength }), fc.string({ maxLength })].map(
    longest,
  );
  for (const length of reached) {
    expect(length).toBeGreaterThan(maxLength * 0.9);
    expect(length).toBeLessThanOrEqual(maxLength);
  }
});

it("lists without a limit stay short", () => {
  expect(longest(fc.array(fc.boolean()))).toBeLessThanOrEqual(10);
});

it("short lists are made as well", () => {
  const lengths = fc.sample(fc.uint8Array({ maxLength: 300 }), SAMPLES).map(({ length }) => length);
  expect(Math.min(...lengths)).toBeLessThan(10);
});
