/** Many empty blocks in one call are the blocks, and leave the states, that they are and leave one by one. */
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { aFolder } from "../support/a-folder.ts";
import { runs } from "../support/seed.ts";
import { aBeginning, type Beginning, expectSame, type Step, someSteps } from "./empty-chains.ts";

it.each(["in memory", "on disk"])("mines empty blocks in a row as one by one (%s)", async (place) => {
  await fc.assert(
    fc.asyncProperty(aBeginning, someSteps(30, 7), async (beginning, steps) => {
      await expectSame(beginning, steps, place === "on disk" ? await aFolder() : undefined);
    }),
    { numRuns: runs(40) },
  );
  expect.hasAssertions();
});

// As on a slow machine, where what a revert deletes is read while it leaves.
it("mines empty blocks in a row as one by one if long work gives way at any step", async () => {
  const now = performance.now.bind(performance);
  let [late, count, pattern] = [0, 0, [0]];
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    late += pattern[count++ % pattern.length] ?? 0;
    return now() + late;
  });
  const patterns = fc.array(fc.constantFrom(0, 6), { minLength: 1, maxLength: 9 });
  try {
    await fc.assert(
      fc.asyncProperty(aBeginning, someSteps(30, 7), patterns, async (beginning, steps, some) => {
        pattern = some;
        await expectSame(beginning, steps);
      }),
      { numRuns: runs(40), examples: [[LATE_FRONTIER, READ_AFTER_REVERT, [6]]] },
    );
  } finally {
    clock.mockRestore();
  }
  expect.hasAssertions();
});

const LATE_FRONTIER: Beginning = {
  kind: "frontier",
  contracts: "other",
  pragueAfter: 23,
  baseFee: 999_999_983,
  excessBlobs: 5,
};

/** The edit stores the state of the last block, and the revert deletes it while it is read. */
const READ_AFTER_REVERT: readonly Step[] = [
  { kind: "send" },
  { kind: "mine", blocks: 20, interval: 0, isLater: true },
  { kind: "snapshot" },
  { kind: "edit", slot: 13, isBeacon: true },
  { kind: "read", place: 1_283_594_782 },
  { kind: "revert" },
  { kind: "read", place: 2_147_483_623 },
];
