/** Whole transactions of Amsterdam as in EthereumJS' VM: 2,000 random ones of a seed that is printed. */
import { expect, it } from "vitest";
import { testSeed } from "../../../support/seed.ts";
import { compareManyWhole } from "./compare-whole.ts";

it("random transactions have the same gas, logs and states", { timeout: 3_600_000 }, async () => {
  const { transactions, succeeded, withStateGas, explained, differences } = await compareManyWhole({
    seed: testSeed,
    transactions: 2_000,
  });
  const counts = `${transactions} transactions, ${succeeded} succeeded, ${withStateGas} with state gas`;
  console.log(`seed ${testSeed}: ${counts}, ${explained} scenarios with a known difference`);
  expect(differences).toEqual([]);
  expect(succeeded).toBeGreaterThan(transactions / 3);
  expect(withStateGas).toBeGreaterThan(transactions / 4);
  expect(explained).toBeLessThan(transactions / 20);
});
