import fc from "fast-check";
import { expect, it } from "vitest";
import { showValue } from "../../../src/primitives/validation/show-value.ts";

const circle: Record<string, unknown> = {};
circle.self = circle;

it.each<[unknown, string]>([
  [undefined, "nothing"],
  [null, "null"],
  ["0x1", '"0x1"'],
  [1.5, "1.5"],
  [Number.NaN, "NaN"],
  [5n, "5n"],
  [true, "true"],
  [Symbol("x"), "Symbol(x)"],
  [() => 1, "a function"],
  [[1, { a: 5n }], '[1,{"a":"5n"}]'],
  [circle, "an object"],
  [{}, "{}"],
  [new Map([[1, 2]]), "a Map"],
  [Promise.resolve(5), "a Promise"],
  [new Error("x"), "an Error"],
  [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  [{ toJSON: () => undefined }, "an object"],
  ["x".repeat(100), `"${"x".repeat(76)}...`],
])("%o is shown as %s", (value, text) => {
  expect(showValue(value)).toBe(text);
});

it("is one line of at most 80 characters, whatever is shown", () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withMap: true, withSparseArray: true }), (value) => {
      const text = showValue(value);
      expect(text.length).toBeLessThanOrEqual(80);
      expect(text).not.toContain("\n");
    }),
  );
});
