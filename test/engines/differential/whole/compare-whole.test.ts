/** Whole transactions as in EthereumJS' VM. Longer: `compare-whole.slow.ts`, `bench/differential.mjs --whole`. */
import { expect, it } from "vitest";
import { slowIt } from "../../../support/slow-suite.ts";
import { COMPARED_HARDFORKS } from "../random/scenario.ts";
import { compareManyWhole } from "./compare-whole.ts";

it("random transactions of Amsterdam have the same gas, logs and states", async () => {
  const counts = await compareManyWhole({ seed: 7, transactions: 12 });
  expect(counts.differences).toEqual([]);
  expect(counts.succeeded).toBeGreaterThan(4);
  expect(counts.withStateGas).toBeGreaterThan(3);
  // Most scenarios are compared to their end.
  expect(counts.explained).toBeLessThan(5);
});

slowIt("have them without an exception where no frame pays for state from its gas for running", async () => {
  const counts = await compareManyWhole({ seed: 7, transactions: 12, hasAmpleStateGas: true });
  expect(counts).toMatchObject({ differences: [], explained: 0, reasons: {} });
  expect(counts.succeeded).toBeGreaterThan(4);
  expect(counts.withStateGas).toBeGreaterThan(3);
});

it("have them in every earlier hardfork too", async () => {
  const counts = await compareManyWhole({ seed: 7, transactions: 16, hardforks: COMPARED_HARDFORKS });
  expect(counts).toMatchObject({ differences: [], explained: 0 });
  expect(counts.succeeded).toBeGreaterThan(8);
});
