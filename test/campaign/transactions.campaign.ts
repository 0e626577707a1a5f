/**
 * Random transactions with snapshots, reverts, branches, reorgs and reopened folders, held against a chain that is made
 * again from genesis; and over HTTP at a node with a data folder, held against a chain that is imported.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { findingText } from "../../src/chain/check/findings.ts";
import { checkDataFolder } from "../../src/node/check-data-folder.ts";
import { createNode } from "../../src/node/create-node.ts";
import { aRunningNode, type RunningNode } from "../e2e/a-command.ts";
import { aStep, Journey, type StepKind } from "../node/journey.ts";
import { checkAgainstRebuilt } from "../node/rebuilt.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, BOB, CAROL, DAVE, NOW, quantity } from "../support/a-node.ts";
import { deploying } from "../support/assembler.ts";
import { buildOnce } from "../support/build-once.ts";
import { COUNTER, EMITTER, logCall } from "../support/contracts.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { testSeed } from "../support/seed.ts";
import { counts, keep, percentile, processorMs, residentBytes, startClock, trendOf } from "./figures.ts";

beforeAll(buildOnce);

/** Half of the transactions are sent in process. */
const IN_PROCESS = Math.ceil(counts.transactions / 2);
const OVER_HTTP = counts.transactions - IN_PROCESS;
/** Requests between two looks at time and memory. */
const REQUESTS_A_SAMPLE = 500;
/** 2^32 divided by the golden ratio. */
const SEED_STEP = 0x9e3779b1;
/** Steps of one chain, and between two looks at it. */
const STEPS = 3_000;
const CHECKED_EVERY = 1_000;
const GROUNDS = ["frontier", "london", "osaka"].flatMap((hardfork) => [
  { hardfork, isOnDisk: false },
  { hardfork, isOnDisk: true },
]);
const TURNS: readonly StepKind[] = [
  "snapshot",
  "revert",
  "numberedSnapshot",
  "numberedRevert",
  "branch",
  "reorg",
  "rollback",
  "reopen",
];

it(`${IN_PROCESS} transactions in process leave the chain that is made again without detours`, {
  timeout: 0,
}, async () => {
  const taken: Record<string, number> = {};
  const resident: number[] = [];
  let transactions = 0;
  let chains = 0;
  const isTimeOver = startClock();
  for (; transactions < IN_PROCESS && !isTimeOver(); chains++) {
    const { hardfork, isOnDisk } = GROUNDS[chains % GROUNDS.length] as (typeof GROUNDS)[number];
    // Far from each other, so that runs with neighbouring seeds do not take the same steps.
    const seed = testSeed ^ Math.imul(chains, SEED_STEP);
    const steps = fc.sample(aStep, { numRuns: STEPS, seed });
    await using journey = await Journey.begin({ hardfork, dataDir: isOnDisk ? await aFolder() : undefined });
    for (const [index, step] of steps.entries()) {
      await journey.take(step);
      if (TURNS.includes(step.kind)) taken[step.kind] = (taken[step.kind] ?? 0) + 1;
      if (index % CHECKED_EVERY !== CHECKED_EVERY - 1) continue;
      await checkAgainstRebuilt(journey.walk, index * 7).catch((cause: unknown) => {
        throw new Error(`after step ${index} of seed ${seed} (${hardfork}${isOnDisk ? ", on disk" : ""})`, { cause });
      });
    }
    transactions += journey.walk.sent.size;
    resident.push(residentBytes(process.pid));
  }
  keep("transactions-in-process", { seed: testSeed, transactions, chains, ...taken, residentBytes: trendOf(resident) });
});

const GAS = { gas: quantity(200_000), gasPrice: quantity(50_000_000_000n) };
const SENDERS = [ALICE, BOB, CAROL, DAVE];
const FLAGS = ["--timestamp", String(NOW), "--hardfork", "osaka", "--accounts", "4"];
/** Of the chain of {@link FLAGS}. */
const OPTIONS = { hardfork: "osaka", accounts: 4, timestamp: NOW, clock: () => NOW } as const;

/** What a client of the node does, over and over. */
class Client {
  readonly #node: RunningNode;
  readonly #random: () => number;
  readonly #contracts: string[];
  #snapshot: unknown;
  readonly latencies: number[] = [];
  readonly taken: Record<string, number> = {};
  transactions = 0;

  constructor(node: RunningNode, random: () => number, contracts: string[]) {
    this.#node = node;
    this.#random = random;
    this.#contracts = contracts;
  }

  async step(): Promise<void> {
    const choice = this.#random();
    if (choice < 0.9) return this.#send();
    if (choice < 0.93) this.#snapshot = await this.#ask("evm_snapshot");
    else if (choice < 0.96) await this.#revert();
    else if (choice < 0.98) await this.#ask("anvil_reorg", 1 + Math.floor(this.#random() * 3), []);
    else if (choice < 0.99) await this.#ask("anvil_rollback", 1 + Math.floor(this.#random() * 3));
    else await this.#ask("hardhat_mine", quantity(Math.floor(this.#random() * 5)));
  }

  async #send(): Promise<void> {
    const from = this.#pick(SENDERS);
    const [counter = "", emitter = ""] = this.#contracts;
    const data = logCall([Math.floor(this.#random() * 3), 7]);
    const transaction = this.#pick([
      { from, to: this.#pick(SENDERS), value: quantity(Math.floor(this.#random() * 1_000)) },
      { from, to: counter },
      { from, to: emitter, data },
      { from, data: `0x${Buffer.from(deploying(COUNTER)).toString("hex")}` },
    ]);
    await this.#ask("eth_sendTransaction", { ...GAS, ...transaction });
    this.transactions++;
  }

  async #revert(): Promise<void> {
    if (this.#snapshot === undefined) return;
    const snapshot = this.#snapshot;
    this.#snapshot = undefined;
    await this.#ask("evm_revert", snapshot);
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  async #ask(method: string, ...params: unknown[]): Promise<unknown> {
    this.taken[method] = (this.taken[method] ?? 0) + 1;
    const sentAt = performance.now();
    const answer = await this.#node.ask(method, ...params);
    this.latencies.push(performance.now() - sentAt);
    return answer;
  }
}

it(`${OVER_HTTP} transactions over HTTP leave a sound folder, whose chain another node accepts`, {
  timeout: 0,
}, async () => {
  const [dataDir, exported] = [await aFolder(), join(await aFolder(), "chain.rlp")];
  const node = await aRunningNode([...FLAGS, "--data-dir", dataDir, "--export", exported]);
  const contracts: string[] = [];
  for (const code of [COUNTER, EMITTER]) {
    const data = `0x${Buffer.from(deploying(code)).toString("hex")}`;
    const hash = await node.ask("eth_sendTransaction", { from: ALICE, ...GAS, data });
    contracts.push(
      ((await node.ask("eth_getTransactionReceipt", hash)) as { contractAddress: string }).contractAddress,
    );
  }
  const client = new Client(node, randomNumbers(testSeed), contracts);
  const medians: number[] = [];
  const processor: number[] = [];
  const resident: number[] = [];
  let processorBefore = processorMs(node.process.pid);
  const isTimeOver = startClock();
  while (client.transactions < OVER_HTTP && !isTimeOver()) {
    await client.step();
    if (client.latencies.length < REQUESTS_A_SAMPLE) continue;
    const latencies = client.latencies.splice(0);
    const processorNow = processorMs(node.process.pid);
    medians.push(percentile(latencies, 0.5));
    processor.push((processorNow - processorBefore) / latencies.length);
    processorBefore = processorNow;
    resident.push(residentBytes(node.process.pid));
  }
  const head = (await node.ask("eth_getBlockByNumber", "latest", false)) as { hash: string; number: string };
  const logs = await node.ask("eth_getLogs", { fromBlock: "0x0" });
  await node.interrupt();
  const { found, blocks } = await checkDataFolder({ ...OPTIONS, dataDir }, false);
  expect(found.map(findingText)).toEqual([]);
  const rebuilt = await createNode(OPTIONS);
  await rebuilt.importChain(new Uint8Array(await readFile(exported)));
  const params = ["latest", false] as const;
  expect(await rebuilt.provider.request({ method: "eth_getBlockByNumber", params })).toMatchObject({ hash: head.hash });
  expect(await rebuilt.provider.send("eth_getLogs", [{ fromBlock: "0x0" }])).toEqual(logs);
  await rebuilt.close();
  keep("transactions-over-http", {
    seed: testSeed,
    transactions: client.transactions,
    blocksRead: blocks,
    ...client.taken,
    medianMs: trendOf(medians),
    processorMs: trendOf(processor),
    residentBytes: trendOf(resident),
  });
});
