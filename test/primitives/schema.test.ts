/** Schemas: what they read, how they name what is wrong, and what they tell of themselves. */
import { describe, expect, it } from "vitest";
import {
  anything,
  boolean,
  either,
  listOf,
  natural,
  number,
  oneOf,
  Problem,
  pairOf,
  type Schema,
  string,
  text,
  textLike,
} from "../../src/primitives/schema.ts";
import { entriesOf, object, record, strictObject } from "../../src/primitives/schema-objects.ts";

/** The value, or where what is wrong. */
const read = (schema: Schema<unknown>, value: unknown): unknown => {
  const output = schema.read(value);
  return output instanceof Problem ? `${output.path.join(".")}: ${output.message}` : output;
};

const told = (schema: Schema<unknown>): unknown => schema.describe(told as (part: Schema<unknown>) => object as never);

describe("values", () => {
  it.each([
    ["a string", string(), "a", 1, "expected a string"],
    ["text of a pattern", textLike(/^a+$/, { shape: "expected a" }), "aa", "ab", "expected a"],
    ["a boolean", boolean(), false, "false", "expected true or false"],
    ["a number", number("expected a number"), 1.5, Number.NaN, "expected a number"],
    ["a natural number", natural(), 2 ** 53 - 1, 2 ** 53, "expected an integer"],
    ["a natural number, not a negative one", natural(), 0, -1, "expected an integer"],
    ["one of some", oneOf(["x", -1], "expected x or -1"), -1, "-1", "expected x or -1"],
  ])("%s", (_name, schema: Schema<unknown>, good, bad, message) => {
    expect(read(schema, good)).toBe(good);
    expect(read(schema, bad)).toBe(`: ${message}`);
    expect(read(schema, null)).toBe(`: ${message}`);
    expect(read(schema.nullish(), null)).toBeUndefined();
    expect(read(schema.optional(), null)).toBe(`: ${message}`);
    expect(read(schema.optional(), undefined)).toBeUndefined();
  });

  it("go on with what was read, and only with that", () => {
    const length = text("expected text", (value) => value.length).where((count) => count > 1, "expected more");
    expect(read(length, "abc")).toBe(3);
    expect(read(length, "a")).toBe(": expected more");
    expect(read(length, 5)).toBe(": expected text");
  });
});

describe("alternatives", () => {
  const schema = either([natural(), strictObject({ count: natural() })], "expected a count");

  it("are tried in order", () => {
    expect(read(either([anything.to(() => 1), anything.to(() => 2)]), "x")).toBe(1);
    expect(read(schema, { count: 3 })).toEqual({ count: 3 });
  });

  it("name what was expected of all, unless a member too many is all that is wrong", () => {
    expect(read(schema, { count: "3" })).toBe(": expected a count");
    expect(read(schema, { count: 3, other: 1 })).toBe(': expected no member "other"');
    expect(schema.read({ count: 3, other: 1 })).toMatchObject({ unknownMembers: ["other"] });
  });
});

describe("lists", () => {
  it("name the place of the first item that is wrong", () => {
    expect(read(listOf(listOf(natural())), [[1], [2, "3", "4"]])).toBe("1.1: expected an integer");
    expect(read(listOf(natural()), { length: 0 })).toBe(": expected a list");
  });

  it("have a most", () => {
    const schema = listOf(natural(), "expected numbers", { most: 2, of: "numbers" });
    expect(read(schema, [1, 2])).toEqual([1, 2]);
    expect(read(schema, [1, 2, 3])).toBe(": expected at most 2 numbers");
    expect(told(schema)).toMatchObject({ type: "array", maxItems: 2 });
  });

  it("of two have neither one nor three", () => {
    const pair = pairOf(natural(), string());
    expect(read(pair, [1, "a"])).toEqual([1, "a"]);
    expect(read(pair, [1])).toBe(": expected a list of at least 2");
    expect(read(pair, [1, "a", 2])).toBe(": expected a list of at most 2");
    expect(read(pair, ["a", "a"])).toBe("0: expected an integer");
  });
});

describe("objects", () => {
  it("keep the members they know, in their own order", () => {
    const schema = object({ first: natural(), second: string().nullish() });
    expect(Object.keys(schema.read({ other: 1, second: "b", first: 1 }))).toEqual(["first", "second"]);
    expect(read(schema, { second: "b" })).toBe("first: expected an integer");
    for (const value of [null, undefined, [], "text"]) expect(read(schema, value)).toBe(": expected an object");
  });

  it("tell which members are required", () => {
    const schema = strictObject({ first: natural(), second: string().nullish() });
    expect(told(schema)).toEqual({
      type: "object",
      properties: {
        first: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        second: { anyOf: [{ type: "string" }, { type: "null" }] },
      },
      required: ["first"],
      additionalProperties: false,
    });
  });

  it("of any members are plain ones, whose prototype no member changes", () => {
    const members = JSON.parse('{"a":1,"__proto__":{"b":2}}');
    expect(read(entriesOf(anything), members)).toEqual([["a", 1]]);
    expect(read(record(anything), members)).toEqual({ a: 1 });
    expect(read(record(natural()), { a: 1, b: "2" })).toBe("b: expected an integer");
    for (const value of [new Map(), new Date(0), [], null]) {
      expect(read(entriesOf(anything), value)).toBe(": expected an object");
    }
  });
});
