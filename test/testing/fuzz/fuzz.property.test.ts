/** Searches find what there is to find, and shorten it. */
import { describe, expect, it } from "vitest";
import { isSlow, runs } from "../../support/seed.ts";
import { failureOf, namesOf, theBank, thePool, theShop, theTreasury } from "./searches.ts";

/** Default tests take the first, and of the searches the shortest; `fuzz.sweep.test.ts` has the two other contracts in other tests. */
const SEEDS = [1, 2, 3, 4, 5, 6];

describe.each(SEEDS.slice(0, runs(10)))("with seed %i", (seed) => {
  it("finds a reentrancy, in two calls", async () => {
    const [node, options] = await theBank();
    const failure = await failureOf(node, { ...options, seed });
    expect(failure.invariant).toBe("the bank is solvent");
    expect(namesOf(failure)).toEqual(["Bank.deposit", "Thief.rob"]);
  });

  if (isSlow) {
    it("finds a fault behind a value that equals an argument, in one call", async () => {
      const [node, options] = await theShop();
      const failure = await failureOf(node, { ...options, seed });
      expect(namesOf(failure)).toEqual(["Shop.buy"]);
      const [{ args, value } = {}] = failure.calls;
      expect(value).toBe(args?.[0]);
    });
  }

  if (!isSlow) return;

  it("finds a wrong rounding, in three calls", async () => {
    const [node, options] = await thePool();
    const failure = await failureOf(node, { ...options, seed });
    expect(namesOf(failure).sort()).toEqual(["Pool.deposit", "Pool.deposit", "Pool.earn"]);
    for (const { args } of failure.calls) expect(args?.[0]).toBeLessThan(10n);
  });

  it("finds a missing access check behind a day of waiting, in two calls", async () => {
    const [node, options] = await theTreasury();
    const failure = await failureOf(node, { ...options, seed });
    expect(namesOf(failure)).toEqual(["Treasury.initialize", "Treasury.sweep"]);
    const [, sweep] = failure.calls;
    expect(sweep?.delay).toBe(86_399n);
  });
});
