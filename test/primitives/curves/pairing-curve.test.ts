/** Pairings of both curves: of more pairs than are computed together, and with points that came before. */
import { describe, expect, it } from "vitest";
import { openAnswers } from "../../../src/engines/wasm/precompiles/answers.ts";
import { type Bytes, concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { BLS_POINTS, BN254_POINTS } from "../../support/curve-points.ts";
import { slowIt } from "../../support/slow-suite.ts";

const ONE = { output: new Uint8Array(32).fill(1, 31) };
const NOT_ONE = { output: new Uint8Array(32) };

describe.each([
  ["bn254", 0x08, BN254_POINTS, "bn254Subgroup"],
  ["BLS12-381", 0x0f, BLS_POINTS, "blsG2Subgroup"],
])("pairings of %s", (_name, standardAddress, { g1, g2, outsideG2, multiple }, subgroupFault) => {
  type Check = (...pairs: readonly (readonly [Bytes, Bytes])[]) => unknown;
  const opened = (): Check => {
    const answer = openAnswers();
    return (...pairs) => answer({ standardAddress, input: concatBytes(...pairs.flat()) });
  };
  const [zero1, zero2] = [g1[0] as Bytes, g2[0] as Bytes];
  /** G1 with each of so many multiples of G2, the least of them given, and what cancels them out. */
  const balanced = (count: number, least = 2): (readonly [Bytes, Bytes])[] => {
    const factors = Array.from({ length: count }, (_, index) => BigInt(least + index));
    const sum = factors.reduce((total, factor) => total + factor, 0n);
    const pairs = factors.map((factor) => [multiple(1n).g1, multiple(factor).g2] as const);
    return [...pairs, [multiple(-sum).g1, multiple(1n).g2]];
  };

  const expectSums = (count: number): void => {
    const check = opened();
    const pairs = balanced(count);
    // The points are new, then they come again, then they are known, as many as are kept.
    for (let time = 0; time < 3; time++) {
      expect(check(...pairs)).toEqual(ONE);
      expect(check(...pairs.slice(1))).toEqual(NOT_ONE);
      expect(check([zero1, multiple(5n).g2], ...pairs, [multiple(7n).g1, zero2])).toEqual(ONE);
    }
    // Some of the points are new again.
    expect(check(...balanced(count, count))).toEqual(ONE);
    expect(check(...pairs)).toEqual(ONE);
  };
  it.each([2, 17])("are one where they cancel out, and else are not: %i and one", expectSums);
  slowIt.each([1, 3, 15, 16, 33])("are one where they cancel out, and else are not: %i and one", expectSums);

  it("refuse a point outside the group as often as it comes, and a bad point beside a known one", () => {
    const check = opened();
    const pairs = balanced(2);
    const outside = outsideG2[0] as Bytes;
    const damaged = Uint8Array.from(multiple(3n).g1, (byte, index) =>
      index === 127 || index === 63 ? byte ^ 1 : byte,
    );
    for (let time = 0; time < 3; time++) {
      expect(check(...pairs, [multiple(1n).g1, outside])).toEqual({ fault: subgroupFault });
      expect(check(...pairs, [damaged, multiple(1n).g2])).toEqual({ fault: expect.stringMatching(/Point$/) as string });
      expect(check(...pairs)).toEqual(ONE);
    }
  });
});
