/** Whole transactions as in EthereumJS' VM: 2,000 random ones of Amsterdam and 2,000 of the others, of a seed that is printed. */
import { expect, it } from "vitest";
import { testSeed } from "../../../support/seed.ts";
import { COMPARED_HARDFORKS } from "../random/scenario.ts";
import { compareManyWhole } from "./compare-whole.ts";

it("random transactions of Amsterdam have the same gas, logs and states", async () => {
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

it("know a transaction whose authorizations stay paid among those that lose the gas above the cap in EthereumJS", async () => {
  const counts = await compareManyWhole({ seed: 163_195_093, first: 867, transactions: 1 });
  expect(counts).toMatchObject({ differences: [], reasons: { "gas for state of a failed transaction": 1 } });
});

it("have them in every earlier hardfork too", async () => {
  const { transactions, succeeded, explained, differences } = await compareManyWhole({
    seed: testSeed,
    transactions: 2_000,
    hardforks: COMPARED_HARDFORKS,
  });
  console.log(`seed ${testSeed}: ${transactions} transactions before Amsterdam, ${succeeded} succeeded`);
  expect(differences).toEqual([]);
  expect(explained).toBe(0);
  expect(succeeded).toBeGreaterThan(transactions / 2);
});
