/** One bit of one file of a data folder is another one: that is found, or nothing of the chain is another one for it. */
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findingText } from "../../src/chain/check/findings.ts";
import { HindcastError } from "../../src/errors/hindcast-error.ts";
import { checkDataFolder } from "../../src/node/check-data-folder.ts";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { checkChain } from "../chain/killed-chain.ts";
import { OPTIONS } from "../chain/killed-options.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, BOB, quantity } from "../support/a-node.ts";
import { deploy, LOOP, send } from "../support/contracts.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { testSeed } from "../support/seed.ts";

const FLIPS = Number(process.env.HINDCAST_FLIPS ?? 200);
const BLOCKS = 12;

/** What users may read of a chain: every block with its receipts, the logs, and the state. */
async function contentOf(node: HindcastNode): Promise<string> {
  const { provider } = node;
  const content: unknown[] = [encodeData(node.head.hash)];
  for (let number = 0; number <= BLOCKS; number++) {
    content.push(await provider.send("eth_getBlockByNumber", [quantity(number), true]));
    content.push(await provider.send("eth_getBlockReceipts", [quantity(number)]));
    for (const address of [ALICE, BOB])
      content.push(await provider.send("eth_getBalance", [address, quantity(number)]));
  }
  content.push(await provider.send("eth_getLogs", [{ fromBlock: "0x0" }]));
  return JSON.stringify(content);
}

/** A chain of blocks with transfers and a contract, opened several times, so that it has files of each kind. */
async function aChainIn(dataDir: string): Promise<string> {
  for (let opened = 0; opened < 3; opened++) {
    const node = await createNode({ ...OPTIONS, mining: "auto", dataDir });
    if (opened === 0) await deploy(node, LOOP);
    else for (let block = 0; block < BLOCKS / 2 - 1; block++) await send(node, { from: ALICE, to: BOB, value: "0x5" });
    if (opened === 2) await node.mine();
    await node.close();
  }
  const node = await createNode({ ...OPTIONS, dataDir });
  try {
    expect(node.head.header.number).toBe(BigInt(BLOCKS));
    return await contentOf(node);
  } finally {
    await node.close();
  }
}

/** All files in a folder, by their path in it. */
function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => statSync(join(folder, name)).isFile() && statSync(join(folder, name)).size > 0).sort();
}

/** "found" if a check or an open node says that something is wrong. */
async function outcomeOf(dataDir: string, content: string): Promise<"found" | "harmless" | string> {
  try {
    const { found } = await checkDataFolder({ ...OPTIONS, dataDir }, false);
    if (found.length > 0) return found.every((each) => findingText(each) !== "") ? "found" : "a finding without a text";
    const node = await createNode({ ...OPTIONS, dataDir });
    try {
      if ((await contentOf(node)) !== content) return "something else is read, and nobody says so";
      await checkChain(node);
      await node.mine();
      return "harmless";
    } finally {
      await node.close();
    }
  } catch (error) {
    if (error instanceof HindcastError && error.code !== "INTERNAL_ERROR") return "found";
    return `${error}`;
  }
}

it(`${FLIPS} bits in the files of a data folder are each found, or without effect`, { timeout: 0 }, async () => {
  const whole = join(await aFolder(), "whole");
  const content = await aChainIn(whole);
  const files = filesIn(whole);
  const random = randomNumbers(testSeed);
  const below = (count: number): number => Math.floor(random() * count);
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  const folder = join(await aFolder(), "damaged");
  for (let flip = 0; flip < FLIPS; flip++) {
    cpSync(whole, folder, { recursive: true });
    const name = files[flip % files.length] as string;
    const bytes = readFileSync(join(folder, name));
    const [at, bit] = [below(bytes.length), below(8)];
    bytes[at] = (bytes[at] as number) ^ (1 << bit);
    writeFileSync(join(folder, name), bytes);
    const outcome = await outcomeOf(folder, content);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (outcome !== "found" && outcome !== "harmless") wrong.push(`${name} byte ${at} bit ${bit}: ${outcome}`);
    rmSync(folder, { recursive: true });
  }
  console.log(`seed ${testSeed}: ${JSON.stringify(counts)} in ${files.length} files: ${files.join(", ")}`);
  expect(wrong).toEqual([]);
});
