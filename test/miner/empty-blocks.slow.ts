/** The longer form of empty-blocks.property.test.ts: random chains, and rings that have been gone through. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { aFolder } from "../support/a-folder.ts";
import { aBeginning, type Beginning, expectSame, someSteps } from "./empty-chains.ts";

it.each(["in memory", "on disk"])("mines empty blocks in a row as one by one (%s)", async (place) => {
  await fc.assert(
    fc.asyncProperty(aBeginning, someSteps(120, 12), async (beginning, steps) => {
      await expectSame(beginning, steps, place === "on disk" ? await aFolder() : undefined);
    }),
    { numRuns: 15 },
  );
  expect.hasAssertions();
});

it.each(["cancun", "prague"] as const)(
  "goes through the rings of the system contracts as one by one (%s)",
  async (kind) => {
    const beginning: Beginning = { kind, contracts: "all", pragueAfter: 0, baseFee: 0, excessBlobs: 0 };
    const mine = { kind: "mine", blocks: 4_500, interval: 0, isLater: false } as const;
    const reads = [0, 1, 2_048, 4_095, 4_096, 4_097, 4_499, 8_190, 8_193, 8_999].map(
      (place) => ({ kind: "read", place }) as const,
    );
    await expectSame(beginning, [
      mine,
      mine,
      ...reads,
      { kind: "rollback", depth: 1_234 },
      { kind: "send" },
      { ...mine, blocks: 60 },
      ...reads,
    ]);
  },
);
