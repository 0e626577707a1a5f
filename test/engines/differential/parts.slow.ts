/** A long run can be ended, continued and added up. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compareMany } from "./long-run.ts";
import { comparePart, sumOfParts } from "./parts.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hc-parts-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("parts of a run have together the counts of the whole, whichever was interrupted", async () => {
  const [first, second] = [join(folder, "first.json"), join(folder, "second.json")];
  const all = { seed: 8, transactions: Number.POSITIVE_INFINITY };
  const whole = await compareMany({ ...all, end: 3 });

  await comparePart({ ...all, end: 2, onProgress: (_, next) => next === 1 }, first);
  expect(sumOfParts([first])[0]).toMatch(/^seed 8, scenarios 0 to 0, \d+ s, 0 differences$/);
  const continued = await comparePart({ ...all, end: 2 }, first);
  expect(continued.counts.scenarios).toBe(2);
  await comparePart({ ...all, first: 2, end: 3 }, second);

  const sum = sumOfParts([second, first]);
  expect(sum[1]).toMatch(/^seed 8, scenarios 2 to 2,/);
  expect(sum.slice(2)).toEqual(whole.counts.lines());
  expect(() => sumOfParts([first, first])).toThrow("Scenario 0 is in two files.");
  await expect(comparePart({ ...all, seed: 9 }, first)).rejects.toThrow("is of seed 8, not of seed 9");
});
