/** Whole transactions of Amsterdam as in EthereumJS' VM. Longer: `compare-whole.slow.ts`, `bench/differential.mjs --whole`. */
import { expect, it } from "vitest";
import { compareManyWhole } from "./compare-whole.ts";

it("random transactions have the same gas, logs and states", { timeout: 120_000 }, async () => {
  const counts = await compareManyWhole({ seed: 7, transactions: 24 });
  expect(counts.differences).toEqual([]);
  expect(counts.succeeded).toBeGreaterThan(8);
  expect(counts.withStateGas).toBeGreaterThan(6);
  // Most scenarios are compared to their end.
  expect(counts.explained).toBeLessThan(5);
});
