/** A short form of random-steps.slow.ts. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { aFolder } from "../support/a-folder.ts";
import { aStep, Journey } from "./journey.ts";
import { checkAgainstRebuilt } from "./rebuilt.ts";

it.each([
  ["london", "in memory"],
  ["london", "on disk"],
  ["osaka", "in memory"],
])("after random steps the chain is what it is when made again from genesis (%s, %s)", async (hardfork, place) => {
  const steps = fc.array(aStep, { minLength: 25, maxLength: 40, size: "max" });
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), async (list, choice) => {
      await using journey = await Journey.begin({
        hardfork,
        dataDir: place === "on disk" ? await aFolder() : undefined,
      });
      for (const step of list) await journey.take(step);
      await checkAgainstRebuilt(journey.walk, choice);
      while (journey.isOnBranch) {
        await journey.leaveBranch();
        await checkAgainstRebuilt(journey.walk, choice);
      }
    }),
    // Making a failure smaller takes longer than a test may.
    { numRuns: 1, endOnFailure: true },
  );
  expect.hasAssertions();
});
