import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { bytes, count, listOf, membersOf, requireShape, someOf } from "../../../src/primitives/validation/shape.ts";
import { traceTypes } from "../../../src/services/simulate/argument-shapes.ts";

const wanted = membersOf<{ depth: number; hash?: Uint8Array }>({ depth: count(), hash: bytes(2).optional() });

function refusal(shape: z.ZodType, value: unknown): unknown {
  try {
    requireShape(shape, value, "options");
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("requireShape", () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ["a misspelled member before the missing one", wanted, { dept: 1 }, 'options: unknown member "dept".'],
    [
      "a member of a list's item",
      listOf(wanted),
      [{ depth: 1 }, {}],
      "options[1].depth: expected a whole number from 0",
    ],
    [
      "bytes by their number",
      wanted,
      { depth: 1, hash: new Uint8Array(3) },
      "options.hash: expected 2 bytes in a Uint8Array, got 3 bytes.",
    ],
    [
      "bytes that stand for an object",
      someOf<{ depth: number }>({ depth: count() }),
      new Uint8Array(0),
      "options: expected an object with some of depth, got 0 bytes.",
    ],
    [
      "a member of a set",
      traceTypes(),
      new Set(["trace", "x"]),
      'options[1]: expected one of "trace", "vmTrace", "stateDiff", got "x".',
    ],
  ])("tells of %s", (_name, shape, value, words) => {
    expect(refusal(shape, value)).toMatchObject({ code: "INVALID_PARAMS", message: expect.stringContaining(words) });
  });

  it("tells how to mend a misspelled member", () => {
    expect(refusal(wanted, { dept: 1 })).toMatchObject({ fix: "Did you mean depth?" });
    expect(refusal(wanted, { height: 1 })).toMatchObject({ fix: "Use some of: depth, hash." });
  });

  it("takes members that are there and undefined for left out", () => {
    expect(refusal(wanted, { depth: 0, hash: undefined })).toBeUndefined();
    expect(refusal(someOf<{ depth: number }>({ depth: count() }), { depth: undefined })).toBeUndefined();
  });

  it("leaves an iterator of trace types to who reads it", () => {
    const names = ["trace"].values();
    expect(refusal(traceTypes(), names)).toBeUndefined();
    expect([...names]).toEqual(["trace"]);
  });
});
