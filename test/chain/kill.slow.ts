import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import { buildOnce } from "../support/build-once.ts";
import { runAndKill } from "../support/killed-process.ts";
import { testSeed } from "../support/seed.ts";
import { checkAcknowledged, checkChain, checkImportable } from "./killed-chain.ts";
import { EDITED, LIBRARY, OPTIONS } from "./killed-options.ts";

const ROUNDS = 20;
const PROGRAM = fileURLToPath(new URL("./chain-process.ts", import.meta.url));

/** Starts the program, kills it some time after its node is open, and gives the lines it printed. */
const killed = (task: string, folder: string, argument: string, afterMs: number): Promise<string[]> =>
  runAndKill({ program: PROGRAM, args: [task, folder, argument], afterMs });

/** Up to 300 ms: a few dozen blocks, and sometimes none. */
const patience = (round: number): number => Math.abs(Math.imul(testSeed, round + 1) % 300);
const wordsOf = (lines: readonly string[], word: string): string[] =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

let root: string;
beforeAll(async () => {
  // Forty processes load the library: from its sources that takes most of their time.
  buildOnce();
  process.env[LIBRARY] = new URL("../../dist/bundle/index.js", import.meta.url).href;
  root = await mkdtemp(join(tmpdir(), "hindcast-kill-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** The greatest number among blocks. */
function highestOf(node: HindcastNode, hashes: readonly string[]): number {
  return Math.max(0, ...hashes.map((hash) => Number(node.getBlock(decodeData(hash))?.header.number ?? 0n)));
}

/** Opens what is left, checks it and closes it again. */
async function reopened<T>(folder: string, check: (node: HindcastNode) => Promise<T>): Promise<T> {
  const node = await createNode({ ...OPTIONS, dataDir: folder });
  try {
    return await check(node);
  } finally {
    await node.close();
  }
}

describe(`a process killed ${ROUNDS} times over on one folder`, () => {
  it("while it mines leaves a valid chain with every acknowledged block", async () => {
    const folder = join(root, "mine");
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const lines = await killed("mine", folder, String(testSeed + round), patience(round));
      acknowledged.push(...wordsOf(lines, "block"));
      await reopened(folder, async (node) => {
        checkAcknowledged(node, acknowledged);
        const head = await checkChain(node);
        // Each reorg puts two blocks in the place of two: no kill shows the chain between them.
        expect(head).toBeGreaterThanOrEqual(highestOf(node, acknowledged));
        if (round % 5 === 4) await checkImportable(node);
        // It goes on from there.
        await node.mine();
      });
    }
    expect(acknowledged.length).toBeGreaterThan(ROUNDS);
  });

  it("while it edits between blocks leaves the edits that were acknowledged", async () => {
    const folder = join(root, "edit");
    let balance = 0n;
    let edits = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const lines = await killed("edit", folder, String(testSeed + round), patience(round));
      const told = wordsOf(lines, "balance");
      edits += told.length;
      balance = BigInt(told.at(-1) ?? balance);
      await reopened(folder, async (node) => {
        checkAcknowledged(node, wordsOf(lines, "block"));
        await checkChain(node);
        const params = [encodeData(EDITED)] as const;
        const kept = BigInt(await node.provider.request({ method: "eth_getBalance", params }));
        // One more may have been written than was told.
        expect(kept).toBeGreaterThanOrEqual(balance);
        expect(kept).toBeLessThanOrEqual(balance + 100n);
        balance = kept;
      });
    }
    expect(edits).toBeGreaterThan(ROUNDS);
  });
});
