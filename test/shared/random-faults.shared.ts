/**
 * Random faults under load (random-faults.ts). HINDCAST_SHARED_FAULTS says how many; the table of counts is printed, and
 * written for `npm run campaign`.
 *
 * After each fault all nodes have every transaction that was acknowledged. At all times no two nodes have another head at the
 * same place of the stream, and none shows half a change.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { startClock } from "../campaign/figures.ts";
import { aFolder } from "../support/a-folder.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { testSeed } from "../support/seed.ts";
import { aCluster, withCluster } from "./a-postgres.ts";
import { faultsOf } from "./random-faults.ts";
import { WatchedChain } from "./watched-chain.ts";

const FAULTS = Number(process.env.HINDCAST_SHARED_FAULTS ?? 50);
const isLong = FAULTS > 60;
/** Times that a reader is away for as long as it may be in a long run. */
const LONGEST_AWAY = 2;

withCluster(`of ${FAULTS} random faults none loses what was acknowledged, and no two nodes disagree`, async () => {
  const postgres = await aCluster({ max_connections: "60" }, isLong ? 3_000 : 400);
  onTestFinished(() => postgres.close());
  if (postgres.disk === undefined) process.stderr.write("Left out: a full disk (mounting one is not permitted).\n");
  const folders = [await aFolder(), await aFolder(), await aFolder()] as const;
  const chain = await WatchedChain.start(postgres, { chain: "faults", baseAfterBytes: 300_000, folders });
  onTestFinished(() => chain.close());

  const random = randomNumbers(testSeed);
  let times = 0;
  const awayBlocks = (): number => (isLong ? (times++ < LONGEST_AWAY ? 10_000 : 500) : 300);
  const faults = faultsOf(chain, random, { awayBlocks, largeBytes: isLong ? 9_000_000 : 5_000_000 });
  const counts = new Map<string, number>();
  const isTimeOver = startClock();
  const seconds = new Map<string, number>();
  let order: string[] = [];
  for (let count = 0; count < FAULTS && !isTimeOver(); count++) {
    if (order.length === 0) order = shuffled(Object.keys(faults), random);
    const name = order.pop() as string;
    const from = performance.now();
    try {
      await faults[name]?.();
      await chain.goesOn();
    } catch (error) {
      const nodes = await chain.describe();
      throw new Error(`after fault ${count}, ${name}, of seed ${testSeed}\n${nodes}`, { cause: error });
    }
    counts.set(name, (counts.get(name) ?? 0) + 1);
    seconds.set(name, (seconds.get(name) ?? 0) + (performance.now() - from) / 1_000);
  }
  await chain.finish();

  const done = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const cuts = chain.nodes.reduce((sum, { proxy }) => sum + proxy.cuts, 0);
  const sums = { seed: testSeed, faults: done, acknowledged: chain.count, looks: chain.looks, cuts };
  const report = JSON.stringify({ ...sums, ...Object.fromEntries([...counts].sort()) }, null, 2);
  process.stdout.write(`${report}\n${JSON.stringify(Object.fromEntries(seconds))}\n`);
  const folder = process.env.CAMPAIGN_FOLDER;
  if (folder !== undefined) await writeFile(join(folder, "shared.json"), report);
  expect(chain.looks).toBeGreaterThan(done);
});

function shuffled(names: readonly string[], random: () => number): string[] {
  return names
    .map((name) => [random(), name] as const)
    .sort(([left], [right]) => left - right)
    .map(([, name]) => name);
}
