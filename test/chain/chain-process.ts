/**
 * A process with a chain in a folder, to be killed. It prints one line for each thing that was acknowledged.
 *
 *   mine FOLDER SEED      mines: transactions, several blocks at once, uncles, reorgs. Prints `block HASH`, `left HASH`.
 *   edit FOLDER SEED      edits an account between blocks. Prints `balance WEI` and `block HASH`.
 *   reorg FOLDER SEED     replaces up to 20 blocks at a time.
 *   revert FOLDER SEED    goes back to snapshots.
 *   load FOLDER SEED      loads state files that it wrote before.
 *   all FOLDER SEED       does all of that, but for state files.
 *   import FOLDER FILE    imports a chain.
 *
 * Where a block cannot be written since the disk is full, it prints `full`, reads its head once more, and waits.
 */
import { readFileSync } from "node:fs";
import type { Block } from "../../src/chainspec/header/block.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { EDITED, LIBRARY, OPTIONS } from "./killed-options.ts";

type Library = typeof import("../../src/node/create-node.ts");

const { createNode } = (await import(process.env[LIBRARY] ?? "../../src/node/create-node.ts")) as Library;
const encodeData = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString("hex")}`;

const [task, dataDir = "", seed = ""] = process.argv.slice(2);
if (task === "mine" || task === "edit") await warmUp();
const node = await createNode({ ...OPTIONS, dataDir });
console.log("open");
try {
  if (task === "import") await node.importChain(new Uint8Array(readFileSync(seed)));
  else await workForEver(randomNumbers(Number(seed)));
} catch (error) {
  if ((error as { code?: unknown }).code !== "STORE_IO_FAILED") throw error;
  const head = await node.provider.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
  console.log(head === null ? "lost" : "full");
}
// Until it is killed.
setInterval(() => undefined, 1_000);

/** Loads and compiles what a block needs. A kill within a third of a second would else come before the first one. */
async function warmUp(): Promise<void> {
  const other = await createNode(OPTIONS);
  const [from, to] = other.accounts.map(({ address }) => encodeData(address));
  await other.provider.send("eth_sendTransaction", [{ from, to, gas: "0x5208" }]);
  await other.mine();
  await other.close();
}

async function workForEver(random: () => number): Promise<void> {
  let stateFile = task === "load" ? await node.provider.request({ method: "anvil_dumpState" }) : undefined;
  for (;;) {
    for (let count = Math.floor(random() * 3); count > 0; count--) await send(random);
    if (task === "edit" || (task === "all" && random() < 0.2)) await edit(random);
    const choice = random();
    if (stateFile !== undefined && choice < 0.15) await load(stateFile);
    else if (stateFile !== undefined && choice < 0.3)
      stateFile = await node.provider.request({ method: "anvil_dumpState" });
    else if (task === "reorg" && choice < 0.5) await reorganize(1 + Math.floor(random() * 20));
    else if ((task === "revert" || task === "all") && choice < 0.1) await goBack(random);
    else if (["mine", "all"].includes(task ?? "") && choice < 0.2) await reorganize(2);
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
  const choice = random();
  const value = 1 + Math.floor(random() * 255);
  if (choice < 0.2) await node.setCode(EDITED, Uint8Array.of(value));
  else if (choice < 0.4) await node.setStorageAt(EDITED, word(value % 8), word(value));
  else if (choice < 0.5) await node.setStorageAt(EDITED, word(value % 8), word(0));
}

function word(value: number): Uint8Array {
  return new Uint8Array(32).fill(value, 31);
}

async function load(stateFile: string): Promise<void> {
  await node.provider.send("anvil_loadState", [stateFile]);
  console.log("loaded");
}

async function mineWithUncle(): Promise<void> {
  const side = await node.mineSideBlock();
  tell("block", [side]);
  tell("block", await node.mine({ uncles: [side.header] }));
}

async function reorganize(most: number): Promise<void> {
  const { number } = node.head.header;
  tell("block", await node.reorg({ depth: Number(number > BigInt(most) ? BigInt(most) : number) }));
}

/** Mines a little, and goes back to where it was before. */
async function goBack(random: () => number): Promise<void> {
  const snapshot = await node.snapshot();
  for (let count = Math.floor(random() * 5); count > 0; count--) {
    await send(random);
    tell("block", await node.mine());
  }
  await node.revert(snapshot);
  console.log("reverted");
}

function tell(word: string, blocks: readonly Block[]): void {
  for (const { hash } of blocks) console.log(`${word} ${encodeData(hash)}`);
}
