/** Kills nodes at random moments and looks at what is left in their folders. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { aFolder } from "../support/a-folder.ts";
import { buildOnce } from "../support/build-once.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { testSeed } from "../support/seed.ts";
import { aCommand, aRunningNode, ask, type RunningNode } from "./a-command.ts";

const ROUNDS = 20;
/** Of the chain that is imported. */
const BLOCKS = 400;
const ALICE = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const BOB = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const DEV_CHAIN = ["--timestamp", "1700000000"];

interface BlockJson {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactions: readonly string[];
}

/** Transactions acknowledged to the client are in the chain. */
interface Acknowledged {
  readonly number: string;
  readonly hash: string;
  readonly txHash: string;
}

beforeAll(buildOnce);

const random = randomNumbers(testSeed);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(5);
}

const blockAt = (node: RunningNode, id: string) =>
  node.ask("eth_getBlockByNumber", id, false) as Promise<BlockJson | null>;

/** Every block from genesis to head follows the one before it, and the head's state can be read. */
async function checkChain(node: RunningNode): Promise<number> {
  const head = Number((await blockAt(node, "latest"))?.number);
  let parent: BlockJson | null = null;
  for (let number = 0; number <= head; number++) {
    const block: BlockJson | null = await blockAt(node, `0x${number.toString(16)}`);
    expect(block, `block ${number} of ${head}`).not.toBeNull();
    if (parent !== null) expect(block?.parentHash).toBe(parent.hash);
    parent = block;
  }
  // One transaction of 1 wei a block.
  expect(Number(await node.ask("eth_getTransactionCount", ALICE, "latest"))).toBe(head);
  return head;
}

async function checkAcknowledged(node: RunningNode, acknowledged: readonly Acknowledged[]): Promise<void> {
  for (const { number, hash, txHash } of acknowledged) {
    expect(await blockAt(node, number)).toMatchObject({ hash, transactions: [txHash] });
    expect(await node.ask("eth_getTransactionReceipt", txHash)).toMatchObject({ blockHash: hash, status: "0x1" });
  }
}

/** Sends transactions one after the other, each mined in a block of its own, until the node is gone. */
async function mineUntilKilled(node: RunningNode, acknowledged: Acknowledged[]): Promise<void> {
  try {
    for (;;) {
      const txHash = (await node.ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x1" })) as string;
      const receipt = (await node.ask("eth_getTransactionReceipt", txHash)) as {
        blockNumber: string;
        blockHash: string;
      };
      acknowledged.push({ number: receipt.blockNumber, hash: receipt.blockHash, txHash });
    }
  } catch (error) {
    // The connection broke; an answer that says no would be something else.
    expect((error as NodeJS.ErrnoException).code).toMatch(/^(?:ECONN|EPIPE)/);
  }
}

it(`a mining node that is killed ${ROUNDS} times keeps a valid chain with every block it told of`, async () => {
  const folder = await aFolder();
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const node = await aRunningNode(["--data-dir", folder, ...DEV_CHAIN]);
    await checkChain(node);
    await checkAcknowledged(node, acknowledged.slice(-50));
    const mined: Acknowledged[] = [];
    const mining = mineUntilKilled(node, mined);
    // Every other time in the midst of mining, however long a busy machine takes for the first blocks.
    while (round % 2 === 1 && mined.length < 3) await pause(1);
    await pause(random() * (round % 2 === 1 ? 100 : 600));
    node.process.kill("SIGKILL");
    await mining;
    acknowledged.push(...mined);
    await node.finished;
  }
  const node = await aRunningNode(["--data-dir", folder, ...DEV_CHAIN]);
  await checkChain(node);
  await checkAcknowledged(node, acknowledged);
  expect(acknowledged.length).toBeGreaterThan(ROUNDS);
});

it(`an import that is killed ${ROUNDS} times keeps a valid chain, and the next import completes it`, async () => {
  const folder = await aFolder();
  const file = join(folder, "chain.rlp");
  const source = await aRunningNode([...DEV_CHAIN, "--export", file]);
  for (let count = 0; count < BLOCKS; count++) {
    await source.ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x1" });
  }
  const head = await blockAt(source, "latest");
  await source.interrupt();

  const importInto = (data: string) => aCommand(["--port", "0", "--data-dir", data, ...DEV_CHAIN, "--import", file]);
  const whole = importInto(join(folder, "whole"));
  await until(() => existsSync(join(folder, "whole")));
  const openedAt = performance.now();
  await until(() => whole.stdout().includes("Listening on"));
  const importMs = performance.now() - openedAt;

  let partial = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const data = join(folder, `data-${round}`);
    const command = importInto(data);
    await until(() => existsSync(data));
    await pause(random() * importMs);
    command.process.kill("SIGKILL");
    await command.finished;
    const flags = ["--data-dir", data, ...DEV_CHAIN];
    const node = await aRunningNode(flags);
    const left = await checkChain(node);
    if (left > 0 && left < BLOCKS) partial++;
    await node.interrupt();
    const again = await aRunningNode([...flags, "--import", file]);
    expect(await blockAt(again, "latest")).toEqual(head);
    expect(again.stdout()).toContain(`Imported ${BLOCKS - left} blocks`);
    await again.interrupt();
  }
  // Else the moments were all too early or too late, and nothing was tested.
  expect(partial).toBeGreaterThan(0);
});

it("a folder whose only run was killed while it was being made is opened", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const folder = join(await aFolder(), "data");
    const command = aCommand(["--port", "0", "--data-dir", folder, ...DEV_CHAIN]);
    await pause(150 + random() * 500);
    command.process.kill("SIGKILL");
    await command.finished;
    const node = await aRunningNode(["--data-dir", folder, ...DEV_CHAIN]);
    expect(await ask(node.url, "eth_blockNumber", [])).toBe("0x0");
    await node.interrupt();
  }
});
