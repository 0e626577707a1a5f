import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gasLimitTowards } from "../../../src/chainspec/header/gas-limit.ts";

describe("gasLimitTowards", () => {
  it.each([
    ["up by 1/1024 less one", 200_000_000n, 300_000_000n, 200_000_000n + 195_311n],
    ["down by 1/1024 less one", 200_000_000n, 100_000_000n, 199_804_689n],
    ["to a near target above", 30_000_000n, 30_000_005n, 30_000_005n],
    ["to a near target below", 30_000_000n, 29_999_995n, 29_999_995n],
    ["nowhere at the target", 30_000_000n, 30_000_000n, 30_000_000n],
    ["never below 5000", 5_001n, 0n, 5_000n],
    ["never above 2^63 - 1", 2n ** 63n - 2n, 2n ** 64n - 1n, 2n ** 63n - 1n],
    ["nowhere from so low a limit that 1/1024 less one is nothing", 7n, 30_000_000n, 7n],
    ["up from a limit below 5000", 4_999n, 0n, 5_000n],
  ])("moves %s", (_, parent, target, expected) => {
    expect(gasLimitTowards(parent, target)).toBe(expected);
  });

  it("never moves so far that the header would be refused", () => {
    const gasLimits = fc.bigInt({ min: 5_000n, max: (1n << 62n) - 1n });
    fc.assert(
      fc.property(gasLimits, gasLimits, (parent, target) => {
        const moved = gasLimitTowards(parent, target) - parent;
        return (moved < 0n ? -moved : moved) < parent / 1024n;
      }),
    );
  });
});
