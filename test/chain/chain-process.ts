/**
 * A process with a chain in a folder, to be killed. It prints one line for each thing that was acknowledged.
 *
 *   mine FOLDER SEED      mines: transactions, several blocks at once, uncles, reorgs. Prints `block HASH`, `left HASH`.
 *   edit FOLDER SEED      edits balances between blocks. Prints `balance WEI` and `block HASH`.
 */
import type { Block } from "../../src/chainspec/header/block.ts";
import { createNode } from "../../src/node/create-node.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { EDITED, OPTIONS } from "./killed-chain.ts";

const [task, dataDir = "", seed = ""] = process.argv.slice(2);
const node = await createNode({ ...OPTIONS, dataDir });
console.log("open");
await workForEver(randomNumbers(Number(seed)));

async function workForEver(random: () => number): Promise<void> {
  for (;;) {
    for (let count = Math.floor(random() * 3); count > 0; count--) await send(random);
    if (task === "edit") await edit(random);
    const choice = random();
    if (task === "mine" && choice < 0.2) await reorganize();
    else if (task === "mine" && choice < 0.5 && node.head.header.number > 3n) await mineWithUncle();
    else tell("block", await node.mine({ blocks: 1 + Math.floor(random() * 3) }));
  }
}

async function send(random: () => number): Promise<void> {
  const [from, to] = node.accounts.map(({ address }) => encodeData(address));
  const value = `0x${Math.floor(random() * 1_000).toString(16)}`;
  const gas = "0x5208";
  await node.provider.send("eth_sendTransaction", [{ from, to, value, gas }]);
}

async function edit(random: () => number): Promise<void> {
  const balance = BigInt(await node.provider.request({ method: "eth_getBalance", params: [encodeData(EDITED)] }));
  const raised = balance + 1n + BigInt(Math.floor(random() * 100));
  await node.setBalance(EDITED, raised);
  console.log(`balance ${raised}`);
}

async function mineWithUncle(): Promise<void> {
  const side = await node.mineSideBlock();
  tell("block", [side]);
  tell("block", await node.mine({ uncles: [side.header] }));
}

async function reorganize(): Promise<void> {
  const depth = Number(node.head.header.number > 2n ? 2n : node.head.header.number);
  tell("block", await node.reorg({ depth }));
}

function tell(word: string, blocks: readonly Block[]): void {
  for (const { hash } of blocks) console.log(`${word} ${encodeData(hash)}`);
}
