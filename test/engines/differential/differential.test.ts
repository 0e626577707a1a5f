/** Both engines do the same on random transactions. Longer runs: `differential.slow.ts` and `bench/differential.mjs`. */
import { describe, expect, it } from "vitest";
import { compareMany } from "./long-run.ts";
import { COMPARED_HARDFORKS } from "./random/scenario.ts";

describe("random transactions", () => {
  it("do the same on both engines, in every trace format", { timeout: 120_000 }, async () => {
    const { counts, differences } = await compareMany({ seed: 20_260_401, transactions: 36 });
    expect(differences).toEqual([]);
    expect(counts.successShare).toBeGreaterThan(0.6);
    // They get somewhere, and not always to the same place.
    expect(counts.byHardfork.size).toBe(COMPARED_HARDFORKS.length);
    expect(counts.byOpcode.size).toBeGreaterThan(130);
    expect(counts.byError.size).toBeGreaterThan(7);
  });
});
