/** Both engines do the same on random transactions. Longer runs: `differential.slow.ts` and `bench/differential.mjs`. */
import { describe, expect, it } from "vitest";
import { compareMany } from "./long-run.ts";

describe("random transactions", () => {
  it("do the same on both engines, in every trace format", async () => {
    const { counts, differences } = await compareMany({ seed: 20_260_401, transactions: 30 });
    expect(differences).toEqual([]);
    expect(counts.successShare).toBeGreaterThan(0.6);
    // They get somewhere, and not always to the same place. The slow test meets every hardfork and opcode.
    expect(counts.byHardfork.size).toBeGreaterThan(15);
    expect(counts.byOpcode.size).toBeGreaterThan(100);
    expect(counts.byError.size).toBeGreaterThan(4);
  });
});
