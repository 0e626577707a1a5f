#!/usr/bin/env node
// Runs the Ethereum Foundation's BlockchainTests against the built library.
//
//   node blockchain-tests.mjs --dir DIR [--engine NAME] [--only TEXT] [--jobs N]
//
//   --dir     folder that is searched for *.json files, and for *.ndjson and *.ndjson.br with a case a line
//   --engine  what the nodes execute with; default: what a node does by itself
//   --only    run the cases whose name contains TEXT
//   --jobs    processes to spread them over; default: one per processor
//
// A case starts a node from its genesis, offers it the blocks in their order, and checks which were taken, the head, and
// the accounts after it. Seals are not checked, everything else is.
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { genesisOf } from "./fork-config.mjs";
import { reasonProblem } from "./reasons.mjs";
import { entryLines } from "./state-tests/entries.mjs";
import { answerTasks, spreadTasks } from "./workers.mjs";

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
    return reasonProblem(expected, error.message);
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

/** Cases of a task by their names: those of a file, or that of a line. An entry of state tests has none. */
function casesOf(dir, { path, file, line }) {
  if (path !== undefined) {
    const folder = relative(dir, join(path, ".."));
    const cases = Object.entries(JSON.parse(readFileSync(path, "utf8")));
    return cases.map(([key, test]) => [folder === "" ? key : `${folder}/${key}`, test]);
  }
  const test = JSON.parse(line);
  return test.post === undefined ? [[`${file}/${test.name}`.replaceAll(/\s/g, "_"), test]] : [];
}

/** Runs a task's cases: `[name, problem or undefined]` each. */
async function runCases({ dir, only, openNode }, task) {
  const results = [];
  for (const [name, test] of casesOf(dir, task)) {
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

/** A worker process: is sent tasks one by one, sends results back. */
function work({ dir, engine, only }) {
  const library = import(new URL("../../dist/bundle/index.js", import.meta.url).href);
  const chosen = engine === undefined ? {} : { engine };
  const openNode = async (nodeOptions) => (await library).createNode({ ...nodeOptions, ...chosen });
  answerTasks((task) => runCases({ dir, only, openNode }, task));
}

/** The files with cases, and the lines of those that have one case each. */
function* tasksOf(dir) {
  const paths = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  for (const path of paths) yield { label: path, message: { path } };
  for (const message of entryLines(dir)) {
    yield { label: `${message.file}: ${message.line.slice(0, 200)}`, message };
  }
}

/** Spreads the cases over worker processes and prints what they find. */
async function conduct({ dir, engine, only, jobs }) {
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
    jobs,
    tasks: tasksOf(dir),
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
