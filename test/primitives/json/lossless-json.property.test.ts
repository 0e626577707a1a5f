import fc from "fast-check";
import { expect, it } from "vitest";
import { parseLosslessJson } from "../../../src/primitives/json/lossless-json.ts";
import { runs } from "../../support/seed.ts";

it("reads what JSON.parse reads, where numbers are exact as doubles", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      // JSON.stringify writes large integers with an exponent, or with 16 digits and more.
      fc.pre(!/\d{16}/.test(text));
      expect(parseLosslessJson(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: runs(500) },
  );
});

it("keeps every digit of every large integer, wherever it stands", () => {
  const large = fc.bigInt({ min: -(1n << 300n), max: 1n << 300n }).filter((value) => `${value}`.length >= 17);
  const text = fc.string();
  fc.assert(
    fc.property(fc.array(fc.tuple(text, large), { minLength: 1 }), (entries) => {
      const json = `[${entries.map(([name, value]) => `{${JSON.stringify(name)}: ${value}}, ${value}`).join(",")}]`;
      expect(parseLosslessJson(json)).toEqual(
        entries.flatMap(([name, value]) => [JSON.parse(`{${JSON.stringify(name)}:"${value}"}`), `${value}`]),
      );
    }),
    { numRuns: runs(300) },
  );
});

it.each([15, 16])("counts digits, not the sign: %i of them", (digits) => {
  const number = "9".repeat(digits);
  const read = digits < 16 ? Number : String;
  expect(parseLosslessJson(`[${number},-${number}]`)).toEqual([read(number), read(`-${number}`)]);
});

it("leaves strings, fractions and exponents alone", () => {
  const text = '["1152921504606846977", "\\"1152921504606846977", 1.1234567890123456789, 1e1152921504606846977, -5]';
  expect(parseLosslessJson(text)).toEqual(JSON.parse(text));
});

it.each(['{"a":1152921504606846977', '"', '"\\', "-", '[11525921504606846977"]', `"${"\\n".repeat(3_000_000)}`])(
  "refuses what is no JSON, however long (%#)",
  (text) => {
    expect(() => parseLosslessJson(text)).toThrow(SyntaxError);
  },
);
