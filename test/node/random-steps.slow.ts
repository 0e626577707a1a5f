/**
 * Ten thousand random steps: after every hundred, and after each branch, the chain, its states, logs, filters and
 * indexes are what they are when the chain is made again from genesis with the edits that were recorded.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { aFolder } from "../support/a-folder.ts";
import { testSeed } from "../support/seed.ts";
import { aStep, Journey, type Step } from "./journey.ts";
import { checkAgainstRebuilt } from "./rebuilt.ts";

const STEPS = 2_000;
const CHECKED_EVERY = 100;

it.each([
  ["frontier", "in memory"],
  ["london", "in memory"],
  ["london", "on disk"],
  ["osaka", "in memory"],
  ["osaka", "on disk"],
])("two thousand steps (%s, %s)", async (hardfork, place) => {
  const steps = fc.sample(aStep, { numRuns: STEPS, seed: testSeed });
  await using journey = await Journey.begin({ hardfork, dataDir: place === "on disk" ? await aFolder() : undefined });
  const check = async (index: number): Promise<void> => {
    const recent = (): string => JSON.stringify(steps.slice(Math.max(0, index - CHECKED_EVERY), index + 1));
    await checkAgainstRebuilt(journey.walk, index * 7).catch((cause: unknown) => {
      throw new Error(`after step ${index} of seed ${testSeed}; the last were ${recent()}`, { cause });
    });
  };
  for (const [index, step] of steps.entries()) {
    const isLeaving = (step as Step).kind === "leaveBranch" && journey.isOnBranch;
    if (isLeaving) await check(index);
    await journey.take(step);
    if (isLeaving || index % CHECKED_EVERY === CHECKED_EVERY - 1) await check(index);
  }
  expect.hasAssertions();
});
