import { expect, it } from "vitest";
import { valueText, WHOLE_LENGTH } from "../../../src/rpc/encode/stream/text.ts";

it("a long string is written in parts", () => {
  // With characters that JSON escapes, and pairs of surrogates across the places where it is parted.
  const text = `"\\\n\ud800${"𝄞".repeat(WHOLE_LENGTH.alone / 2)}`;
  const pieces = [...valueText(text)] as string[];
  expect(JSON.parse(pieces.join(""))).toBe(text);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(WHOLE_LENGTH.alone / 4);
});

it.each([
  ["no value", undefined],
  ["short values", { a: ["x".repeat(1_000)], b: undefined }],
  ["a string as long as may be", "x".repeat(WHOLE_LENGTH.alone)],
])("%s is one piece", (_what, value) => {
  expect(valueText(value)).toEqual([JSON.stringify(value ?? null)]);
});
