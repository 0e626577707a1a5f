/** Long lives in little memory, each in a process of its own that V8 ends when its heap outgrows 256 MB. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { aFolder } from "../support/a-folder.ts";

/** For one life, on a machine that does other things as well. */
const PATIENCE_MS = 1_800_000;
const LOADER = fileURLToPath(new URL("../store/run-typescript.mjs", import.meta.url));
const PROGRAM = fileURLToPath(new URL("./memory-process.ts", import.meta.url));

async function inLittleMemory<T>(task: string, dataDir?: string): Promise<T> {
  const limits = ["--expose-gc", "--max-old-space-size=256"];
  const program = ["--import", LOADER, PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...limits,
    ...program,
    task,
    ...(dataDir === undefined ? [] : [dataDir]),
  ]);
  return JSON.parse(stdout) as T;
}

it(
  "a hundred thousand empty blocks on disk",
  async () => {
    expect(await inLittleMemory("emptyBlocks", await aFolder())).toEqual({ head: 100_000, mined: 100_000 });
  },
  PATIENCE_MS,
);

it(
  "twenty thousand transactions with snapshots and reverts on disk",
  async () => {
    expect(await inLittleMemory("transactions", await aFolder())).toEqual({ head: 10_000, sent: 20_000 });
  },
  PATIENCE_MS,
);

it(
  "twenty thousand transactions in memory that are all taken back, two hundred at a time",
  async () => {
    // As many blocks would take 800 MB.
    expect(await inLittleMemory("takenBack")).toEqual({ head: 0, sent: 20_000 });
  },
  PATIENCE_MS,
);

interface Growth {
  readonly kilobytesPerBlock: number;
  /** Memory after the revert, as part of that before. */
  readonly left: number;
}

// bench/README.md has the figures.
it.each([
  ["empty blocks, many at once,", "emptyGrowth", 5],
  ["blocks with a transfer to a new account", "transferGrowth", 30],
])(
  "%s take a few kilobytes each and come back with a revert",
  async (_what, task, kilobytes) => {
    const { kilobytesPerBlock, left } = await inLittleMemory<Growth>(task);
    expect(kilobytesPerBlock).toBeLessThan(kilobytes);
    expect(left).toBeLessThan(1.1);
  },
  PATIENCE_MS,
);
