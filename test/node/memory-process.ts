/**
 * A chain in a process with little memory: what memory.slow.ts runs. Prints one line of JSON.
 *
 *     node --expose-gc --max-old-space-size=256 --import ../store/run-typescript.mjs memory-process.ts TASK [FOLDER]
 */
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";

const NOW = 1_700_000_000;
const KILOBYTE = 1_024;
const BLOCKS = 3_000;
const [task = "", dataDir] = process.argv.slice(2);

const ask = (node: HindcastNode, method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.send(method, params);

/**
 * Bytes in use once everything that can be collected is. Without memories of WebAssembly, of which V8 gives back one of some
 * mebibytes sooner or later.
 */
async function used(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const address = (number: number): string => `0x${(0x1000000 + number).toString(16).padStart(40, "7")}`;

async function transfer(node: HindcastNode, number: number): Promise<void> {
  const from = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
  await ask(node, "eth_sendTransaction", { from, to: address(number), value: "0x1", gas: "0x5208" });
}

/** A hundred thousand empty blocks, in requests of a thousand. */
async function emptyBlocks(node: HindcastNode): Promise<unknown> {
  for (let round = 0; round < 100; round++) await node.mine({ blocks: 1_000 });
  return { head: Number(node.head.header.number), mined: 100_000 };
}

/** Twenty thousand transactions, a block each, of which every second hundred is taken back. */
async function transactions(node: HindcastNode): Promise<unknown> {
  let sent = 0;
  for (let round = 0; round < 100; round++) {
    for (let count = 0; count < 100; count++) await transfer(node, sent++);
    const id = await ask(node, "evm_snapshot");
    for (let count = 0; count < 100; count++) await transfer(node, sent++);
    await ask(node, "evm_revert", id);
  }
  return { head: Number(node.head.header.number), sent };
}

/** Twenty thousand transactions, a block each, of which none stays. */
async function takenBack(node: HindcastNode): Promise<unknown> {
  let sent = 0;
  for (let round = 0; round < 100; round++) {
    const id = await ask(node, "evm_snapshot");
    for (let count = 0; count < 200; count++) await transfer(node, sent++);
    await ask(node, "evm_revert", id);
  }
  return { head: Number(node.head.header.number), sent };
}

/** Memory of a block, and the part of it that a revert frees. */
async function growth(node: HindcastNode, withTransfer: boolean): Promise<unknown> {
  const live = async (): Promise<void> => {
    if (!withTransfer) await node.mine({ blocks: BLOCKS });
    else for (let number = 0; number < BLOCKS; number++) await transfer(node, number);
  };
  // Once for what is made on first use and kept: compiled code, caches.
  const beginning = await node.snapshot();
  await live();
  await node.revert(beginning);
  const before = await used();
  const snapshot = await node.snapshot();
  await live();
  const grown = await used();
  await node.revert(snapshot);
  return { kilobytesPerBlock: (grown - before) / BLOCKS / KILOBYTE, left: (await used()) / before };
}

const node = await createNode({ clock: () => NOW, timestamp: NOW, ...(dataDir === undefined ? {} : { dataDir }) });
const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
  emptyBlocks: () => emptyBlocks(node),
  transactions: () => transactions(node),
  takenBack: () => takenBack(node),
  emptyGrowth: () => growth(node, false),
  transferGrowth: () => growth(node, true),
};
console.log(JSON.stringify(await tasks[task]?.()));
await node.close();
