/** Many empty blocks in one call are the blocks, and leave the states, that they are and leave one by one. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { aFolder } from "../support/a-folder.ts";
import { runs } from "../support/seed.ts";
import { aBeginning, expectSame, someSteps } from "./empty-chains.ts";

it.each(["in memory", "on disk"])("mines empty blocks in a row as one by one (%s)", async (place) => {
  await fc.assert(
    fc.asyncProperty(aBeginning, someSteps(30, 7), async (beginning, steps) => {
      await expectSame(beginning, steps, place === "on disk" ? await aFolder() : undefined);
    }),
    { numRuns: runs(40) },
  );
  expect.hasAssertions();
});
