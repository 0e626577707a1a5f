/** Comparisons with selectors, in codes written by hand. */
import { describe, expect, it } from "vitest";
import { findSelectorJumps } from "../../../../src/explain/source/functions/selector-jumps.ts";
import { mapInstructions } from "../../../../src/explain/source/source-map.ts";
import { decodeData } from "../../../../src/primitives/bytes/hex.ts";

function jumpsOf(hex: string) {
  const bytes = decodeData(`0x${hex}`);
  const instructions = mapInstructions(bytes, ";".repeat(bytes.length), new Map());
  return findSelectorJumps({ instructions, template: { bytes } });
}

describe("the jumps of selectors", () => {
  it("are taken if EQ finds the selector", () => {
    // DUP1 PUSH4 0xa9059cbb EQ PUSH2 0x0010 JUMPI
    expect(jumpsOf("8063a9059cbb1461001057")).toEqual([{ value: 0xa9059cbbn, pc: 10, isTakenIfEqual: true }]);
  });

  it("are not taken if SUB finds it", () => {
    // PUSH4 0xa9059cbb SUB PUSH2 0x0010 JUMPI
    expect(jumpsOf("63a9059cbb0361001057")).toEqual([{ value: 0xa9059cbbn, pc: 9, isTakenIfEqual: false }]);
  });

  it("leave out numbers that only order selectors", () => {
    // DUP1 PUSH4 0xa9059cbb GT PUSH2 0x0010 JUMPI
    expect(jumpsOf("8063a9059cbb1161001057")).toEqual([]);
  });
});
