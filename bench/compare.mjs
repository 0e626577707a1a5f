#!/usr/bin/env node
// What a change does to the rows of `npm run bench -- call`, and to traces and mining: several built checkouts in one
// process, in turns, by processor time, so that neither a busy machine nor another process decides.
//
//   node bench/compare.mjs FOLDER FOLDER... [--rows PATTERN]
//
// A folder holds the `dist/` of a checkout. Prints µs for each, the lower quartile of its turns, and times the first one.
import { resolve } from "node:path";
import { callRows } from "./peers/call-rows.mjs";
import { call, furnish, receiptOf, SWAPPED } from "./peers/chain.mjs";
import { instructionRows } from "./peers/instruction-rows.mjs";
import { dependentCalls } from "./peers/query-rows.mjs";

const TURNS = 25;
const TURN_MS = 25;
const WARM_UP_MS = 1_200;
const words = process.argv.slice(2);
const at = words.indexOf("--rows");
const pattern = new RegExp(at < 0 ? "" : words[at + 1]);
const folders = at < 0 ? words : words.filter((_, index) => index !== at && index !== at + 1);

const transfer = ({ ask, from, other }) => ask("eth_sendTransaction", { from, to: other, value: "0x1", gas: "0x5208" });
const swapCall = ({ from, pair }) => ({ from, to: pair, data: call("Pair", "swap", SWAPPED), gas: "0x4c4b40" });
const traced = ({ ask, swap }) => ask("trace_replayTransaction", swap, ["trace", "vmTrace", "stateDiff"]);
const tokenTransfer = ({ ask, from, other, token }) =>
  receiptOf(ask, { from, to: token, data: call("Token", "transfer", other, 1n), gas: "0x186a0" });
const transferAndRevert = async (node) => {
  const id = await node.ask("evm_snapshot");
  await transfer(node);
  await node.ask("evm_revert", id);
};
/** So many blocks take turns. An instance of the engine remembers the state of one. */
const STATES = 29;
const elsewhere = (node, row, round) => {
  const [method, call] = row.request(node, undefined, round);
  return node.ask(method, call, `0x${(node.head - (round % STATES)).toString(16)}`);
};
const ROWS = [
  ...[...callRows, ...instructionRows].map((row) => ({
    label: row.label,
    run: (node, round) => node.ask(...row.request(node, undefined, round)),
  })),
  ...callRows
    .filter(({ isCall }) => isCall)
    .map((row) => ({
      label: `${row.label}, another block each time`,
      run: (node, round) => elsewhere(node, row, round),
    })),
  { label: "trace_transaction", run: ({ ask, swap }) => ask("trace_transaction", swap) },
  { label: "trace_replayTransaction of a swap, all types", run: traced },
  { label: "trace_call of a swap", run: (node) => node.ask("trace_call", swapCall(node), ["trace"], "latest") },
  {
    label: "debug_traceCall, callTracer of a swap",
    run: (node) => node.ask("debug_traceCall", swapCall(node), "latest", { tracer: "callTracer" }),
  },
  {
    label: "debug_traceTransaction, callTracer of a swap",
    run: ({ ask, swap }) => ask("debug_traceTransaction", swap, { tracer: "callTracer" }),
  },
  {
    label: "eth_simulateV1 of 5 calls",
    run: (node) => node.ask("eth_simulateV1", { blockStateCalls: [{ calls: dependentCalls(node) }] }, "latest"),
  },
  { label: "struct log, 200,000 steps", run: ({ ask, steps }) => ask("debug_traceTransaction", steps, {}) },
  { label: "automine transfer", run: transfer },
  { label: "automined token transfer with its receipt", run: tokenTransfer },
  { label: "snapshot, transfer, revert", run: transferAndRevert },
  { label: "mine 1,000 empty blocks", run: ({ ask }) => ask("hardhat_mine", "0x3e8") },
];

const nodes = [];
for (const folder of folders) nodes.push(await open(resolve(folder)));
for (const row of ROWS.filter(({ label }) => pattern.test(label))) {
  const times = await measureInTurn(row);
  const micros = times.map((list) => list.sort((left, right) => left - right)[Math.floor(list.length / 4)]);
  const shown = micros.map((value) => `${value.toFixed(1)} (${(value / micros[0]).toFixed(2)})`);
  console.log(row.label.padEnd(46), shown.join("  "));
}
for (const { node } of nodes) await node.close();

async function open(folder) {
  const { createNode } = await import(`${folder}/dist/index.js`);
  const node = await createNode({ hardfork: "prague", gasLimit: 60_000_000n });
  const ask = (method, ...params) => node.provider.request({ method, params });
  const furnished = await furnish({ ask });
  for (let block = 0; block < STATES; block++) await ask("evm_mine");
  return { ...furnished, node, head: Number(await ask("eth_blockNumber")) };
}

/** Microseconds of processor time for a run, by node and turn. */
async function measureInTurn({ run }) {
  let round = 0;
  const timesOf = async (node, most) => {
    const before = process.cpuUsage();
    const startedAt = performance.now();
    let runs = 0;
    do {
      await run(node, round++);
      runs++;
    } while (performance.now() - startedAt < most);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / runs;
  };
  for (const node of nodes) await timesOf(node, WARM_UP_MS);
  const times = nodes.map(() => []);
  for (let turn = 0; turn < TURNS; turn++) {
    for (let index = 0; index < nodes.length; index++) {
      const which = (turn + index) % nodes.length;
      times[which].push(await timesOf(nodes[which], TURN_MS));
    }
  }
  return times;
}
