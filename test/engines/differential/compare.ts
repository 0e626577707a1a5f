/** Runs random scenarios on two engines and compares what they tell; counts what was compared and excused. */
import fc from "fast-check";
import type { SinkWants } from "../../../src/evm/event-sink.ts";
import { ALL_WANTS } from "./collecting-sink.ts";
import { compareStories, type Excuse } from "./differences.ts";
import type { Scenario } from "./scenarios.ts";
import type { Story } from "./story.ts";

/** What an engine makes of a scenario's transactions; with no wants, nobody listens. */
export type Storyteller = (scenario: Scenario, wants: SinkWants | undefined) => Promise<Story[]>;

/** Ways to listen that are compared. */
export const WAYS: Readonly<Record<"quiet" | "recorded" | "live", SinkWants | undefined>> = {
  quiet: undefined,
  recorded: ALL_WANTS,
  live: { ...ALL_WANTS, steps: "live" },
};

export interface Comparisons {
  readonly transactions: number;
  readonly failed: number;
  readonly steps: number;
  readonly byHardfork: Readonly<Record<string, number>>;
  /** Transactions with an excused difference, by excuse. */
  readonly excused: Readonly<Partial<Record<Excuse, number>>>;
}

/**
 * Compares two engines on random scenarios.
 *
 * @throws with the smallest scenario that fast-check finds on which they differ, and where
 */
export async function compareOn(
  scenarios: fc.Arbitrary<Scenario>,
  [left, right]: readonly [Storyteller, Storyteller],
  wants: SinkWants | undefined,
  runs: number,
): Promise<Comparisons> {
  const counts = { transactions: 0, failed: 0, steps: 0 };
  const byHardfork: Record<string, number> = {};
  const excused: Partial<Record<Excuse, number>> = {};
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      const [stories, others] = [await left(scenario, wants), await right(scenario, wants)];
      stories.forEach((story, index) => {
        const comparison = compareStories(story, others[index] as Story);
        if (comparison.difference !== undefined) throw new Error(`transaction ${index}${comparison.difference}`);
        for (const excuse of comparison.excused) excused[excuse] = (excused[excuse] ?? 0) + 1;
        counts.transactions++;
        counts.steps += story.steps.length;
        if (story.result.error !== undefined) counts.failed++;
      });
      byHardfork[scenario.hardfork] = (byHardfork[scenario.hardfork] ?? 0) + stories.length;
    }),
    { numRuns: runs },
  );
  return { ...counts, byHardfork, excused };
}
