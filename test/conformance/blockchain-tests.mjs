#!/usr/bin/env node
// Runs the Ethereum Foundation's BlockchainTests against the built library.
//
//   node blockchain-tests.mjs --dir DIR [--engine NAME] [--only TEXT] [--jobs N]
//
//   --dir     folder that is searched for *.json files
//   --engine  what the nodes execute with; default: what a node does by itself
//   --only    run the cases whose name contains TEXT
//   --jobs    processes to spread the files over; default: one per processor
//
// A case starts a node from its genesis, offers it the blocks in their order, and checks which were taken, the head, and
// the accounts after it. Seals are not checked, everything else is.
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { configOf } from "./fork-config.mjs";
import { answerTasks, spreadTasks } from "./workers.mjs";

const GENESIS_MEMBERS = [
  "nonce",
  "timestamp",
  "extraData",
  "gasLimit",
  "difficulty",
  "mixHash",
  "coinbase",
  "number",
  "gasUsed",
  "parentHash",
  "baseFeePerGas",
  "excessBlobGas",
  "blobGasUsed",
  "parentBeaconBlockRoot",
  "slotNumber",
];

/** geth's genesis.json for a case. */
function genesisOf({ network, config = {}, pre, genesisBlockHeader: header }) {
  const members = GENESIS_MEMBERS.filter((name) => header[name] !== undefined).map((name) => [name, header[name]]);
  const blobs = config.blobSchedule === undefined ? {} : { blobSchedule: blobScheduleOf(config.blobSchedule) };
  return { config: { ...configOf(network), ...blobs }, ...Object.fromEntries(members), alloc: pre };
}

/** By hardfork as in genesis.json: `{ "Amsterdam": { "target": "0x0e", … } }` becomes `{ "amsterdam": { "target": 14, … } }`. */
function blobScheduleOf(schedule) {
  const numbers = (entry) => Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, Number(value)]));
  return Object.fromEntries(Object.entries(schedule).map(([name, entry]) => [name.toLowerCase(), numbers(entry)]));
}

/** The difference between the expected and the actual result of a case; undefined if there is none. */
async function problemOf(test, openNode) {
  const node = await openNode({ genesis: genesisOf(test) });
  try {
    const ask = (method, ...params) => node.provider.send(method, params);
    const first = await ask("eth_getBlockByNumber", "0x0", false);
    if (first.hash !== test.genesisBlockHeader.hash) {
      return `genesis hash: got ${first.hash}, expected ${test.genesisBlockHeader.hash}`;
    }
    for (const [index, block] of test.blocks.entries()) {
      const problem = await offer(node, block);
      if (problem !== undefined) return `block ${index} of the list: ${problem}`;
    }
    const head = await ask("eth_getBlockByNumber", "latest", false);
    if (head.hash !== prefixed(test.lastblockhash)) {
      return `head: got ${head.hash} (number ${Number(head.number)}), expected ${prefixed(test.lastblockhash)}`;
    }
    if (test.postStateHash !== undefined && head.stateRoot !== test.postStateHash) {
      return `state root: got ${head.stateRoot}, expected ${test.postStateHash}`;
    }
    return await stateProblem(test.postState ?? {}, ask);
  } finally {
    await node.close();
  }
}

/** Offers one block; a problem is a good block refused, a bad one taken, or an error that is no refusal. */
async function offer(node, block) {
  const expected = Object.entries(block).find(([name]) => name.startsWith("expectException"))?.[1];
  try {
    await node.importBlock(Buffer.from(prefixed(block.rlp).slice(2), "hex"));
  } catch (error) {
    if (expected === undefined) return `refused: ${error.message}`;
    if (error.code !== "BLOCK_REJECTED") return `expected ${expected}, but it broke with ${error.stack}`;
    return undefined;
  }
  return expected === undefined ? undefined : `taken, expected ${expected}`;
}

async function stateProblem(accounts, ask) {
  for (const [address, account] of Object.entries(accounts)) {
    const [balance, nonce, code] = await Promise.all(
      ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"].map((method) => ask(method, address, "latest")),
    );
    const have = { balance: BigInt(balance), nonce: BigInt(nonce), code };
    const want = { balance: BigInt(account.balance), nonce: BigInt(account.nonce), code: account.code.toLowerCase() };
    for (const [member, value] of Object.entries(want)) {
      if (have[member] !== value) return `${member} of ${address}: got ${have[member]}, expected ${value}`;
    }
    for (const [slot, value] of Object.entries(account.storage)) {
      const stored = await ask("eth_getStorageAt", address, `0x${BigInt(slot).toString(16)}`, "latest");
      if (BigInt(stored) !== BigInt(value)) return `slot ${slot} of ${address}: got ${stored}, expected ${value}`;
    }
  }
  return undefined;
}

const prefixed = (hex) => (hex.startsWith("0x") ? hex : `0x${hex}`);

/** Runs one file's cases: `[name, problem or undefined]` each. */
async function runFile({ dir, only, openNode }, path) {
  const folder = relative(dir, join(path, ".."));
  const results = [];
  for (const [key, test] of Object.entries(JSON.parse(readFileSync(path, "utf8")))) {
    const name = folder === "" ? key : `${folder}/${key}`;
    if (!name.includes(only)) continue;
    let problem;
    try {
      problem = await problemOf(test, openNode);
    } catch (error) {
      problem = `threw ${error?.stack ?? error}`;
    }
    results.push([name, problem?.split("\n").slice(0, 3).join(" ")]);
  }
  return results;
}

/** A worker process: is sent paths one by one, sends results back. */
function work({ dir, engine, only }) {
  const library = import(new URL("../../dist/bundle/index.js", import.meta.url).href);
  const chosen = engine === undefined ? {} : { engine };
  const openNode = async (nodeOptions) => (await library).createNode({ ...nodeOptions, ...chosen });
  answerTasks((path) => runFile({ dir, only, openNode }, path));
}

/** Spreads the files over worker processes and prints what they find. */
async function conduct({ dir, engine, only, jobs }) {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  const counts = { passed: 0, failed: 0 };
  const tell = ([name, problem]) => {
    // JSON between processes turns undefined into null.
    if (problem == null) counts.passed++;
    else {
      counts.failed++;
      console.log(`FAIL ${name}: ${problem.slice(0, 400)}`);
    }
  };
  await spreadTasks({
    script: fileURLToPath(import.meta.url),
    args: ["--worker", "--dir", dir, "--only", only, ...(engine === undefined ? [] : ["--engine", engine])],
    jobs: Math.min(jobs, files.length),
    tasks: files.map((path) => ({ label: path, message: path })),
    onResult: (results) => results.forEach(tell),
  });
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

const { values: options } = parseArgs({
  options: {
    dir: { type: "string" },
    engine: { type: "string" },
    only: { type: "string", default: "" },
    jobs: { type: "string", default: String(availableParallelism()) },
    worker: { type: "boolean", default: false },
  },
});
if (options.dir === undefined) {
  console.error("usage: node blockchain-tests.mjs --dir DIR [--engine NAME] [--only TEXT] [--jobs N]");
  process.exit(2);
}
try {
  if (options.worker) work(options);
  else await conduct({ ...options, jobs: Math.max(1, Number(options.jobs) || 1) });
} catch (error) {
  console.error(`blockchain-tests could not run: ${error.message}`);
  process.exit(2);
}
