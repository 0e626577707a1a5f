/**
 * Forks of Anvil and of Hardhat 2, at several blocks: what they show of blocks, transactions, receipts, logs, states and
 * traces is what the upstream itself shows.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALICE, BOB, quantity } from "../support/a-node.ts";
import { buildOnce, cliPath } from "../support/build-once.ts";
import { anvilBinary, installPeers, startPeer } from "../support/peers.mjs";
import { type Difference, differencesOf } from "./trace-differences.ts";
import { justified, kindOf, overHttp, questions } from "./trace-questions.ts";
import { type Ask, type Story, tell } from "./trace-story.ts";

const HARDFORK = "prague";
type Json = Record<string, unknown>;
type Block = { readonly hash: string; readonly transactions: readonly { readonly hash: string }[] };

let installed: Awaited<ReturnType<typeof installPeers>>;
beforeAll(async () => {
  buildOnce();
  installed = await installPeers(["@foundry-rs/anvil@1.7.1", "hardhat@2.29.1"]);
  const network = { chainId: 31337, hardfork: HARDFORK };
  const config = { solidity: "0.8.30", networks: { hardhat: network } };
  writeFileSync(join(installed.folder, "hardhat.config.cjs"), `module.exports = ${JSON.stringify(config)};`);
});
afterAll(() => installed.remove());

const startAnvil = () =>
  startPeer(anvilBinary(installed.folder), ["--port", "0", "--hardfork", HARDFORK, "--steps-tracing"]);
const startHardhat = () => {
  const program = join(installed.folder, "node_modules/hardhat/internal/cli/bootstrap.js");
  return startPeer(process.execPath, [program, "node", "--port", "0"], installed.folder);
};

/** The command on a fork of a node. Development accounts have balances of their own on a fork, so there are none. */
async function fork(
  url: string,
  ...flags: string[]
): Promise<{ readonly us: Ask; readonly stop: () => Promise<void> }> {
  const common = ["--port", "0", "--accounts", "0", "--no-storage-caching", "--fork-url", url];
  const node = await startPeer(process.execPath, [cliPath, ...common, ...flags]);
  return { us: overHttp(node.url), stop: node.stop };
}

/** Requests that both have to answer alike, about each block up to the pinned one. */
async function chainQuestions(them: Ask, pin: number, hasUncles: boolean): Promise<[string, ...unknown[]][]> {
  const asked: [string, ...unknown[]][] = [["eth_getLogs", { fromBlock: "0x0", toBlock: quantity(pin) }]];
  for (let number = 0; number <= pin; number++) {
    const tag = quantity(number);
    const block = await them<Block>("eth_getBlockByNumber", tag, true);
    asked.push(["eth_getBlockByNumber", tag, true], ["eth_getBlockByNumber", tag, false]);
    asked.push(["eth_getBlockByHash", block.hash, true], ["eth_getBlockTransactionCountByHash", block.hash]);
    if (hasUncles) {
      asked.push(["eth_getUncleByBlockHashAndIndex", block.hash, "0x0"]);
      asked.push(["eth_getUncleByBlockNumberAndIndex", tag, "0x0"], ["eth_getUncleCountByBlockNumber", tag]);
    }
    asked.push(["eth_getLogs", { blockHash: block.hash }]);
    for (const account of [ALICE, BOB]) {
      asked.push(["eth_getBalance", account, tag], ["eth_getTransactionCount", account, tag]);
    }
    for (const [index, { hash }] of block.transactions.entries()) {
      asked.push(["eth_getTransactionByHash", hash], ["eth_getTransactionReceipt", hash]);
      asked.push(["eth_getTransactionByBlockHashAndIndex", block.hash, quantity(index)]);
      asked.push(["eth_getTransactionByBlockNumberAndIndex", tag, quantity(index)]);
      const { contractAddress } = await them<{ contractAddress: string | null }>("eth_getTransactionReceipt", hash);
      if (contractAddress === null) continue;
      asked.push(["eth_getCode", contractAddress, tag], ["eth_getStorageAt", contractAddress, quantity(0), tag]);
    }
  }
  return asked;
}

/** Forks at a block and compares what is at or below it. */
async function compareChain(url: string, them: Ask, pin: number, hasUncles = true): Promise<void> {
  const { us, stop } = await fork(url, "--fork-block-number", String(pin));
  try {
    for (const [method, ...params] of await chainQuestions(them, pin, hasUncles)) {
      const about = `${method} ${JSON.stringify(params)}`;
      expect({ about, answer: await us(method, ...params) }).toEqual({ about, answer: await them(method, ...params) });
    }
  } finally {
    await stop();
  }
}

describe("a fork of Anvil", () => {
  let peer: Awaited<ReturnType<typeof startPeer>>;
  let them: Ask;
  let story: Story;
  beforeAll(async () => {
    peer = await startAnvil();
    them = overHttp(peer.url);
    story = await tell(them);
  });
  afterAll(() => peer.stop());

  it.each([0, 3, 99])(
    "shows blocks, transactions, receipts, logs and states as Anvil does (block %i at most)",
    async (most) => {
      await compareChain(peer.url, them, Math.min(most, Number(story.block)));
    },
    120_000,
  );

  it("gives the traces that a chain of its own gives, beside Anvil's", async () => {
    const { us, stop } = await fork(peer.url, "--trace-client", "reth");
    const found: Difference[] = [];
    const range = { fromBlock: "0x1", toBlock: story.block };
    const asked: [string, string, string, ...unknown[]][] = [
      ...questions(story),
      // Its differences are those of trace_block.
      ["trace_block", "all blocks", "trace_filter", range],
    ];
    for (const [method, about, name, ...params] of asked) {
      found.push(...differencesOf(await us(name, ...params), await them(name, ...params), { method, about }));
    }
    await stop();
    const known = new Set(justified());
    const unknown = found.filter((difference) => !known.has(kindOf(difference)));
    expect(unknown.map((difference) => ({ ...difference, kind: kindOf(difference) }))).toEqual([]);
  });
});

describe("a fork of Hardhat 2", () => {
  let peer: Awaited<ReturnType<typeof startPeer>>;
  let them: Ask;
  let story: Story;
  beforeAll(async () => {
    peer = await startHardhat();
    const ask = overHttp(peer.url);
    them = (method, ...params) => ask(method.replace(/^anvil_/, "hardhat_"), ...params);
    story = await tell(them);
  });
  afterAll(() => peer.stop());

  it.each([0, 3, 99])(
    "shows blocks, transactions, receipts, logs and states as Hardhat does (block %i at most)",
    async (most) => {
      await compareChain(peer.url, them, Math.min(most, Number(story.block)), false);
    },
    120_000,
  );

  // Costs are left out: of a creation, and of what could not be paid for, Hardhat gives the gas that was handed on.
  it("runs its transactions to the same steps", async () => {
    const { us, stop } = await fork(peer.url);
    const steps = ({ structLogs, gas, failed }: { structLogs: Json[]; gas: unknown; failed: unknown }): unknown => ({
      gas,
      failed,
      steps: structLogs.map(({ pc, op, gas: left, depth }) => [pc, op, left, depth]),
    });
    for (const { name, hash } of story.transactions) {
      // Hardhat lists no operation where the code is a single STOP.
      if (name === "a creation without code") continue;
      const config = { disableStack: true, disableStorage: true, disableMemory: true };
      const [ours, theirs] = [
        steps(await us("debug_traceTransaction", hash, config)),
        steps(await them("debug_traceTransaction", hash, config)),
      ];
      expect({ name, trace: ours }).toEqual({ name, trace: theirs });
    }
    await stop();
  });
});
