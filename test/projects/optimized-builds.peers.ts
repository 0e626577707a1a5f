/** Functions that optimised builds of contracts of others name, beside those of the plain builds: a table. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareBuilds } from "./optimized-builds/compare.ts";
import { FILES, SourceCorpus } from "./optimized-builds/corpus.ts";

const SEED = Number(process.env.HINDCAST_SEED) || 7;
const ROUNDS = 3;
const HEAD = [
  "| build | failures | frames | named | marked | left out | wrong frames | wrong writes | wrong pairs | wrong covered |",
  "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
];
const rows: string[] = [];

let corpus: SourceCorpus;
beforeAll(async () => {
  corpus = await SourceCorpus.open();
});
afterAll(async () => {
  console.log([...HEAD, ...rows].join("\n"));
  await corpus[Symbol.asyncDispose]();
});

describe.each(FILES)("%s, compiled by solc %s", (name, version, ways) => {
  it.each(ways)("names the functions that the plain build names (%s)", async (way) => {
    const score = await compareBuilds(
      [corpus.compile(name, version, "plain"), corpus.compile(name, version, way)],
      SEED,
      ROUNDS,
    );
    rows.push(score.row(`${name}, ${way}`));
    console.log([`${name}, ${way}`, ...score.details].join("\n  "));
    expect(score.named / score.frames).toBeGreaterThan(way === "via-ir" ? 0.85 : 0.9);
    expect(score.wrong).toEqual({ frames: 0, writes: 0, pairs: 0, covered: 0 });
  });
});
