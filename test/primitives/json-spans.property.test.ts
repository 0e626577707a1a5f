/** Places of values in a JSON text, which comes in chunks. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { JsonSpans } from "../../src/primitives/json/json-spans.ts";
import { fromUtf8, toUtf8 } from "../../src/primitives/platform/encodings.ts";
import { anyCharacter } from "../support/any-character.ts";
import { runs } from "../support/seed.ts";

type Object = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The values of a text by the names that lead to them, down to a depth. */
function valuesOf(text: string, depth: number, chunkLength: number): Map<string, unknown> {
  const bytes = fromUtf8(text);
  const values = new Map<string, unknown>();
  const spans = new JsonSpans(
    (path) => (path.length < depth ? "enter" : "report"),
    (path, { start, end }) => values.set(JSON.stringify(path), JSON.parse(toUtf8(bytes.subarray(start, end)))),
  );
  for (let at = 0; at < bytes.length; at += chunkLength) spans.push(bytes.subarray(at, at + chunkLength));
  spans.end();
  return values;
}

/** The same by JSON.parse. Only objects are entered; other values above the depth are not reported. */
function expected(value: Object, depth: number, path: readonly string[] = []): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const at = [...path, name];
    if (at.length === depth) values.set(JSON.stringify(at), member);
    else if (isObject(member)) for (const [key, found] of expected(member, depth, at)) values.set(key, found);
  }
  return values;
}

it("finds the values of a depth wherever the text is cut", () => {
  const texts = fc
    .tuple(
      fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue({ maxDepth: 4 }), { noNullPrototype: true }),
      fc.constantFrom(undefined, 1, "\t"),
    )
    .map(([value, indent]) => JSON.stringify(value, undefined, indent));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 50 }), (text, depth, length) => {
      expect(valuesOf(text, depth, length)).toEqual(expected(JSON.parse(text) as Object, depth));
    }),
    { numRuns: runs(1_000) },
  );
});

it.each(["", "{", "[]", "1", '{"a"', '{"a":', '{"a":1', '{"a":{', '{"a":"}', "{} {", "{a:1}"])(
  "refuses %s, which is no object or not finished",
  (text) => {
    expect(() => valuesOf(text, 1, 1)).toThrow(SyntaxError);
  },
);
