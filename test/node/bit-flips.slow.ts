/** One bit of one file of a data folder is another one: that is found, or nothing of the chain is another one for it. */
import { type ExecFileException, execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import { OPTIONS } from "../chain/killed-options.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, BOB } from "../support/a-node.ts";
import { deploy, LOOP, send } from "../support/contracts.ts";
import { testSeed } from "../support/seed.ts";

const FLIPS = Number(process.env.HINDCAST_FLIPS ?? 200);
const BLOCKS = 12;
const PROGRAM = fileURLToPath(new URL("./flip-process.ts", import.meta.url));
const LOADER = new URL("../store/run-typescript.mjs", import.meta.url).href;

/** A chain of blocks with transfers and a contract, opened several times, so that it has files of each kind. */
async function makeChain(dataDir: string): Promise<void> {
  for (let opened = 0; opened < 3; opened++) {
    const node = await createNode({ ...OPTIONS, mining: "auto", dataDir });
    if (opened === 0) await deploy(node, LOOP);
    else for (let block = 0; block < BLOCKS / 2 - 1; block++) await send(node, { from: ALICE, to: BOB, value: "0x5" });
    if (opened === 2) await node.mine();
    if (opened === 2) expect(node.head.header.number).toBe(BigInt(BLOCKS));
    await node.close();
  }
}

interface Flip {
  readonly place: string;
  readonly outcome: string;
}

/**
 * Reads damaged folders in a process, from one flip on.
 *
 * LevelDB's addon has no option to compare the checksums of table files. A damaged one may lead to an assertion, which ends
 * the process: then the last of the returned flips is the one that did it.
 */
async function readDamaged(whole: string, damaged: string, first: number): Promise<Flip[]> {
  const args = ["--import", LOADER, PROGRAM, whole, damaged, `${testSeed}`, `${first}`, `${FLIPS}`];
  const { error, stdout, stderr } = await new Promise<Ended>((resolve) =>
    execFile(process.execPath, args, (...[error, stdout, stderr]) => resolve({ error, stdout, stderr })),
  );
  const lines = stdout.split("\n").filter((line) => line !== "");
  const flips = lines.flatMap((line, index): Flip[] => {
    if (!line.startsWith("flip ")) return [];
    const outcome = lines[index + 1]?.replace("outcome ", "");
    return [{ place: line.slice("flip ".length), outcome: outcome ?? endOf(line, error, stderr) }];
  });
  if (error !== null && flips.length === 0) throw new Error(`The process read nothing: ${stderr}`, { cause: error });
  return flips;
}

interface Ended {
  readonly error: ExecFileException | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Machine code ends a process by a signal; V8 and JavaScript say more. */
function endOf(line: string, error: ExecFileException | null, stderr: string): string {
  const isOfMachineCode = error?.signal === "SIGABRT" || error?.signal === "SIGSEGV" || error?.signal === "SIGBUS";
  const isOfLevelDb = line.includes(".ldb byte") && isOfMachineCode && !stderr.includes("FATAL ERROR");
  return isOfLevelDb ? "ended by LevelDB" : `ended: ${error?.message}: ${stderr}`;
}

it(`${FLIPS} bits in the files of a data folder are each found, or without effect`, { timeout: 0 }, async () => {
  const folder = await aFolder();
  const [whole, damaged] = [join(folder, "whole"), join(folder, "damaged")];
  await makeChain(whole);
  const flips: Flip[] = [];
  while (flips.length < FLIPS) flips.push(...(await readDamaged(whole, damaged, flips.length)));
  const counts: Record<string, number> = {};
  for (const { outcome } of flips) counts[outcome] = (counts[outcome] ?? 0) + 1;
  console.log(`seed ${testSeed}: ${JSON.stringify(counts)}`);
  const { found = 0, harmless = 0, "ended by LevelDB": ended = 0 } = counts;
  expect(flips.filter(({ outcome }) => !["found", "harmless", "ended by LevelDB"].includes(outcome))).toEqual([]);
  expect(found).toBeGreaterThan(FLIPS / 4);
  expect(found + harmless + ended).toBe(FLIPS);
  // The page on reliability names it. Of 1,500 bits 11 did.
  expect(ended).toBeLessThan(FLIPS / 20);
});
