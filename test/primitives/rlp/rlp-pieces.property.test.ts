import fc from "fast-check";
import { expect, it } from "vitest";
import { concatList } from "../../../src/primitives/bytes/bytes.ts";
import { encodeRlp } from "../../../src/primitives/rlp/rlp.ts";
import { byteListInPieces, listInPieces, rlpPiece } from "../../../src/primitives/rlp/rlp-pieces.ts";
import { runs } from "../../support/seed.ts";

const strings = fc.array(fc.uint8Array({ maxLength: 70 }), { maxLength: 12 });

it("a list in pieces is the RLP of the list, with its length", () => {
  fc.assert(
    fc.property(strings, strings, (first, second) => {
      const list = listInPieces([byteListInPieces(first), rlpPiece(second), listInPieces(first.map(rlpPiece))]);
      const bytes = concatList([...list.pieces]);
      expect(bytes).toEqual(encodeRlp([first, second, first]));
      expect(list.length).toBe(bytes.length);
      expect(concatList([...list.pieces])).toEqual(bytes);
    }),
    { numRuns: runs(1_000) },
  );
});

it("a list of four gigabytes is refused before a piece is made", () => {
  const half = { length: 2 ** 31, pieces: [] };
  expect(() => listInPieces([half, half])).toThrow(RangeError);
});
