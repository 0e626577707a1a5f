/** A reader answers as its writer does, whatever is done to the chain. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { aFolder } from "../../support/a-folder.ts";
import { isSlow, runs } from "../../support/seed.ts";
import { aPlannedStep, EACH_STEP } from "./program.ts";
import { anotherDump, runProgram } from "./same-answers.ts";
import { aReader, aWriter } from "./shared-nodes.ts";

it("after each method that changes the chain, a reader answers as its writer", { timeout: 120_000 }, async () => {
  const { node: writer, url } = await aWriter();
  const reader = await aReader(url);
  await runProgram(EACH_STEP, { writer, reader, dump: await anotherDump() });
  expect.hasAssertions();
});

const PLACES = [
  ["in memory", "on disk"],
  ["in memory", "in memory"],
  ["on disk", "in memory"],
  ["on disk", "on disk"],
] as const;

it.each(isSlow ? PLACES : PLACES.slice(0, 1))(
  "after random programs, too (writer %s, reader %s)",
  { timeout: 300_000 },
  async (writerPlace, readerPlace) => {
    const dump = await anotherDump();
    await fc.assert(
      fc.asyncProperty(fc.array(aPlannedStep, { minLength: 8, maxLength: 12, size: "max" }), async (steps) => {
        const { node: writer, url } = await aWriter(writerPlace === "on disk" ? { dataDir: await aFolder() } : {});
        const reader = await aReader(url, readerPlace === "on disk" ? { dataDir: await aFolder() } : {});
        await runProgram(steps, { writer, reader, dump });
        await reader.close();
        await writer.close();
      }),
      { numRuns: runs(40), endOnFailure: true },
    );
    expect.hasAssertions();
  },
);
