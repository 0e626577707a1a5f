import { describe, expect, it } from "vitest";
import { WAYS } from "../differential/compare.ts";
import { SCENARIOS } from "../differential/scenarios.ts";
import { doesAsTheExecutor, doesTheSameWhenItWaits } from "./executor-properties.ts";

describe("random transactions", () => {
  for (const kind of Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[]) {
    for (const way of Object.keys(WAYS) as (keyof typeof WAYS)[]) {
      it(`do the same in EthereumJS' EVM as in the executor's (${kind}, ${way})`, async () => {
        const { transactions } = await doesAsTheExecutor(kind, way, 40);
        expect(transactions).toBeGreaterThanOrEqual(40);
      });
    }
  }

  for (const kind of ["any", "creating"] as const) {
    it(`do the same on a state that has to be waited for (${kind})`, async () => {
      const { transactions } = await doesTheSameWhenItWaits(kind, "quiet", 20);
      expect(transactions).toBeGreaterThanOrEqual(20);
    });
  }
});
