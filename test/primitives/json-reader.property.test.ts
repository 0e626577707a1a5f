import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonLimits } from "../../src/primitives/json/json-limits.ts";
import { JsonReader, type JsonReaderOptions } from "../../src/primitives/json/json-reader.ts";
import { readJsonText } from "../../src/primitives/json/read-json.ts";
import { runs } from "../support/seed.ts";

const LIMITS: JsonLimits = { name: "The text", depth: 100, values: 100_000, length: 1_000_000 };

/** Reads a text that comes in parts of so many characters, in turn. */
function read(text: string, lengths: readonly number[], options: Partial<JsonReaderOptions> = {}): unknown {
  const reader = new JsonReader({ limits: LIMITS, pieceLength: 8, ...options });
  let at = 0;
  for (let index = 0; at < text.length; index++) {
    const length = lengths[index % lengths.length] ?? 1;
    reader.push(text.slice(at, at + length));
    at += length;
  }
  return reader.end();
}

const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const texts = fc
  .tuple(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, "\t"))
  .map(([text, indent]) => JSON.stringify(JSON.parse(text), undefined, indent));

describe("a JSON text that comes in parts", () => {
  it("has the value that JSON.parse gives it", () => {
    fc.assert(
      fc.property(texts, lengths, (text, parts) => {
        expect(read(text, parts)).toEqual(JSON.parse(text));
        expect(read(text, parts, { text })).toEqual(JSON.parse(text));
      }),
      { numRuns: runs(500) },
    );
  });

  it("has maps for long members of a name, with the same entries in their order", () => {
    const mapOf = (name: string) => (name === "storage" ? new Map<string, unknown>() : undefined);
    const member = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 });
    fc.assert(
      fc.property(fc.array(fc.record({ storage: member, other: member })), lengths, (items, parts) => {
        const text = JSON.stringify(items);
        const found = read(text, parts, { mapOf }) as { storage: object; other: object }[];
        const expected = JSON.parse(text) as { storage: object; other: object }[];
        const plain = found.map(({ storage, ...others }) => ({
          ...others,
          storage: storage instanceof Map ? Object.fromEntries(storage) : storage,
        }));
        expect(plain).toEqual(expected);
        for (const { other } of found) expect(other).not.toBeInstanceOf(Map);
      }),
      { numRuns: runs(200) },
    );
    expect(read('{"storage":{"first":1,"second":2}}', [5], { mapOf })).toEqual({
      storage: new Map(Object.entries({ first: 1, second: 2 })),
    });
  });

  it("with a character put in or taken out is an error where it is one for JSON.parse, and has its value else", () => {
    const edits = fc.record({
      place: fc.nat(),
      character: fc.constantFrom(...'[]{},:"\\ 1n\u00a0\u0001\n'),
      isPutIn: fc.boolean(),
    });
    fc.assert(
      fc.property(texts, lengths, fc.array(edits, { minLength: 1, maxLength: 3 }), (whole, parts, changes) => {
        let text = whole;
        for (const { place, character, isPutIn } of changes) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + (isPutIn ? character : "") + text.slice(at + (isPutIn ? 0 : 1));
        }
        const expected = outcome(() => JSON.parse(text));
        expect(outcome(() => read(text, parts))).toEqual(expected);
        expect(outcome(() => read(text, parts, { text }))).toEqual(expected);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("reads a member __proto__ like any other", () => {
    const text = `{"a":{"__proto__":[${"1,".repeat(20)}1],"b":2},"__proto__":{"c":3}}`;
    expect(JSON.stringify(read(text, [5]))).toBe(text);
  });

  it("passes over members of the outermost object that nobody wants, however long", () => {
    const text = `{"wanted":[1,2,3,4,5,6],"other":{"wanted":["]",${"[],".repeat(200)}{}]},"wanted2":{"other":"\\\\"}}`;
    const wants = (name: string): boolean => name !== "other";
    const limits = { ...LIMITS, values: 40 };
    expect(read(text, [7], { wants, limits })).toEqual({ wanted: [1, 2, 3, 4, 5, 6], wanted2: { other: "\\" } });
    expect(() => read(text, [7], { limits })).toThrow("The text has more than 40 values.");
  });
});

function outcome(run: () => unknown): unknown {
  try {
    return [run()];
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return "an error";
  }
}

describe("a limit", () => {
  const limits = { name: "The text", depth: 3, values: 10, length: 20 };

  it.each([
    ["JSON_TOO_DEEP", "[[[[1]]]]", "[[[1]]]"],
    ["JSON_TOO_DEEP", "[".repeat(1_000_000), "[[[]]]"],
    ["JSON_TOO_MANY_VALUES", `[${"1,".repeat(10)}1]`, `[${"1,".repeat(8)}1]`],
    ["JSON_VALUE_TOO_LONG", `["${"a".repeat(30)}"]`, `["${"a".repeat(18)}"]`],
    ["JSON_VALUE_TOO_LONG", `[${"9".repeat(30)}]`, `[${"9".repeat(19)}]`],
  ])("is told by %s", async (code, beyond, within) => {
    await expect(readJsonText(beyond, { limits })).rejects.toMatchObject({ code, rpcCode: -32005 });
    expect(await readJsonText(within, { limits })).toEqual(JSON.parse(within));
    for (const length of [1, 3, 64]) expect(() => read(beyond, [length], { limits })).toThrow("The text has");
  });
});
