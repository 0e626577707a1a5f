import fc from "fast-check";
import { expect, it } from "vitest";
import { ByteArena } from "../../../src/primitives/bytes/byte-arena.ts";
import { runs } from "../../support/seed.ts";

it.each([false, true])(
  "gives arrays of zeros, none of which another one's bytes come into (mapped: %s)",
  (isMapped) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(100), fc.nat(70_000)), { maxLength: 60 }), (lengths) => {
        const arena = new ByteArena(isMapped);
        const arrays = lengths.map((length) => arena.allocate(length));
        expect(arrays.map(({ length }) => length)).toEqual(lengths);
        expect(arrays.every((array) => array.every((byte) => byte === 0))).toBe(true);
        for (const [index, array] of arrays.entries()) array.fill(index + 1);
        expect(arrays.every((array, index) => array.every((byte) => byte === index + 1))).toBe(true);
      }),
      { numRuns: runs(20) },
    );
  },
);

it("copies bytes, so that the original may change", () => {
  const arena = new ByteArena();
  const original = Uint8Array.of(1, 2, 3);
  const copy = arena.copy(original);
  original.fill(9);
  expect(copy).toEqual(Uint8Array.of(1, 2, 3));
});

it("cuts long ones out of pages, if they are to be mapped", () => {
  const arena = new ByteArena(true);
  const first = arena.allocate(1_000);
  const second = arena.allocate(2_000);
  expect(second.buffer).toBe(first.buffer);
  expect((first.buffer as ArrayBuffer).resizable).toBe(true);
  expect(arena.allocate(600_000)).toHaveLength(600_000);
});
