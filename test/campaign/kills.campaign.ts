/** Kills processes at random moments, in turn in all that they may be doing, and reads everything that they leave. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findingText } from "../../src/chain/check/findings.ts";
import { checkDataFolder } from "../../src/node/check-data-folder.ts";
import { createNode } from "../../src/node/create-node.ts";
import { checkAcknowledged, checkChain } from "../chain/killed-chain.ts";
import { LIBRARY, OPTIONS } from "../chain/killed-options.ts";
import { aFolder } from "../support/a-folder.ts";
import { buildOnce } from "../support/build-once.ts";
import { type Killing, runAndKill } from "../support/killed-process.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { testSeed } from "../support/seed.ts";
import { counts, keep, startClock } from "./figures.ts";

const PROGRAM = fileURLToPath(new URL("../chain/chain-process.ts", import.meta.url));
const IMPORTED_BLOCKS = 600;
/** Kills on one folder, before a new one is begun. */
const KILLS_A_FOLDER = 10;
/** Kills between two reports. */
const KILLS_A_REPORT = 24;

const KINDS = [
  "random work",
  "imports",
  "first opens",
  "reorgs",
  "reverts",
  "edits",
  "state files",
  "full disks",
] as const;
type Kind = (typeof KINDS)[number];

const random = randomNumbers(testSeed);
const wait = (ms: number): number => Math.floor(random() * ms);

interface Left {
  readonly acknowledged: string[];
  folder: string;
  kills: number;
}

/** A chain of plain blocks as a file. */
async function aChainFile(): Promise<string> {
  const file = join(await aFolder(), "chain.rlp");
  const node = await createNode(OPTIONS);
  await node.mine({ blocks: IMPORTED_BLOCKS });
  await writeFile(file, Buffer.concat([...node.exportChain()]));
  await node.close();
  return file;
}

function killingOf(kind: Kind, folder: string, file: string, round: number): Killing {
  const run = (task: string, more: Partial<Killing> = {}): Killing => {
    const argument = task === "import" ? file : String(testSeed + round);
    return { program: PROGRAM, args: [task, folder, argument], afterMs: wait(400), ...more };
  };
  switch (kind) {
    case "random work":
      return run("all");
    case "imports":
      return run("import");
    case "first opens":
      return run("all", { fromStart: true, afterMs: 200 + wait(900) });
    case "reorgs":
      return run("reorg");
    case "reverts":
      return run("revert");
    case "edits":
      return run("edit");
    case "state files":
      return run("load");
    case "full disks":
      // Of LevelDB's journal: a few blocks to a few hundred.
      return run("mine", { fileLimit: 30 + wait(300), afterMs: 10_000, until: "full" });
  }
}

/** Everything in the folder is sound, and all is there that was acknowledged. */
async function look(dataDir: string, acknowledged: readonly string[]): Promise<number> {
  const { found, blocks } = await checkDataFolder({ ...OPTIONS, dataDir }, false);
  expect(found.map(findingText)).toEqual([]);
  const node = await createNode({ ...OPTIONS, dataDir });
  try {
    checkAcknowledged(node, acknowledged);
    await checkChain(node);
    await node.mine();
  } finally {
    await node.close();
  }
  return blocks;
}

it(`${counts.kills} kills leave nothing damaged and lose nothing that was acknowledged`, { timeout: 0 }, async () => {
  // Each process loads the library: from its sources that takes longer than everything else.
  buildOnce();
  process.env[LIBRARY] = new URL("../../dist/bundle/index.js", import.meta.url).href;
  const file = await aChainFile();
  const left = new Map<Kind, Left>();
  const killed: Record<string, number> = {};
  let acknowledged = 0;
  let blocks = 0;
  let full = 0;
  let kills = 0;
  const isTimeOver = startClock();
  // Often, since a run of hours may be stopped.
  const report = (): void =>
    keep("kills", {
      seed: testSeed,
      kills,
      ...killed,
      fullDisksReached: full,
      acknowledged,
      blocksRead: blocks,
    });
  while (kills < counts.kills && !isTimeOver()) {
    const kind = KINDS[kills % KINDS.length] as Kind;
    let here = left.get(kind);
    // A full disk and a first open happen to a folder once.
    const isWorn =
      here === undefined || here.kills >= KILLS_A_FOLDER || kind === "first opens" || kind === "full disks";
    if (here === undefined || isWorn) {
      here = { acknowledged: [], folder: join(await aFolder(), "data"), kills: 0 };
      left.set(kind, here);
    }
    const lines = await runAndKill(killingOf(kind, here.folder, file, kills));
    const told = lines.flatMap((line) => (line.startsWith("block ") ? [line.slice(6)] : []));
    if (lines.includes("full")) full++;
    expect(lines).not.toContain("lost");
    here.acknowledged.push(...told);
    here.kills++;
    acknowledged += told.length;
    killed[kind] = (killed[kind] ?? 0) + 1;
    const isThere = kind !== "first opens" || lines.length > 0;
    if (isThere) blocks += await look(here.folder, here.acknowledged);
    else await (await createNode({ ...OPTIONS, dataDir: here.folder })).close();
    kills++;
    if (kills % KILLS_A_REPORT === 0) report();
  }
  if (kills >= 2 * KINDS.length) expect(full).toBeGreaterThan(0);
  report();
});
