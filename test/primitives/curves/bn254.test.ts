/** The test for the subgroup of bn254's twisted curve, which is ours and not the library's. */
import { describe, expect, it } from "vitest";
import type { Bytes } from "../../../src/primitives/bytes/bytes.ts";
import { Bn254Subgroup } from "../../../src/primitives/curves/bn254.ts";
import { Mcl, MclCurve } from "../../../src/primitives/curves/mcl.ts";
import { PairingCurve } from "../../../src/primitives/curves/pairing-curve.ts";
import { BN254_POINTS } from "../../support/curve-points.ts";

const mcl = new Mcl(MclCurve.bn254);
const encoding = { width: 32, zeros: 0, isImaginaryFirst: true, offCurve: "bn254Point" } as const;
const curve = new PairingCurve(mcl, encoding);
const subgroup = new Bn254Subgroup(mcl);
const [point, sum, other] = [0, 1, 2].map(() => mcl.allocate(mcl.sizes.g2)) as [number, number, number];

/** Our subgroup check of a point, and the library's, which multiplies by the order. */
function bothOf(bytes: Bytes): [boolean, boolean] {
  expect(curve.readG2(point, bytes, 0)).toBeUndefined();
  return [subgroup.has(point), mcl.functions.mclBnG2_isValidOrder(point) === 1];
}

describe("the subgroup of bn254's twisted curve", () => {
  it("has the multiples of the generator", () => {
    for (const bytes of BN254_POINTS.g2) expect(bothOf(bytes)).toEqual([true, true]);
  });

  it("has no other point of the curve: neither one of the whole curve's order nor one of small order", () => {
    expect(BN254_POINTS.outsideG2).toHaveLength(4);
    for (const bytes of BN254_POINTS.outsideG2) expect(bothOf(bytes)).toEqual([false, false]);
  });

  it("has no sum of a point of it and another, in whatever coordinates", () => {
    for (const inside of BN254_POINTS.g2.slice(1)) {
      for (const outside of BN254_POINTS.outsideG2) {
        curve.readG2(point, inside, 0);
        curve.readG2(other, outside, 0);
        mcl.functions.mclBnG2_add(sum, point, other);
        expect(subgroup.has(sum)).toBe(false);
        mcl.functions.mclBnG2_dbl(point, point);
        expect(subgroup.has(point)).toBe(true);
      }
    }
  });
});
