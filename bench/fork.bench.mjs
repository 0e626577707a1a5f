// Forks: round trips of calls whose state is not known yet, the pace at a limited upstream, and calls that know theirs.
//
// Round trips are counted at the upstream, after opening, as requests of which each began after the one before had
// ended. Each row has a fork of its own without a cache, of a chain in this process that answers after 20 ms. Anvil's rows
// need `npm install --no-save --ignore-scripts --prefix bench/peers`.
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createNode } from "../dist/index.js";
import { anvilBinary, startPeer } from "../test/support/peers.mjs";
import { ACCOUNTS, aChainToFork, countingProxy, LINKS, SLOTS } from "./fork-upstream.mjs";
import { summary } from "./measure.mjs";

export const name = "fork";

const LATENCY_MS = 20;
const CALLS_A_SECOND = 25;
const WITHOUT_LISTS = ["eth_createAccessList", "debug_traceCall"];
const RUNS_A_TURN = 100;
// V8 still compiles in the first few thousand runs of either side.
const WARM_UP_TURNS = 40;
const TURNS = 120;

/** The calls of the bench: label, method, parameters, and the aims with access lists and without. */
function tasksOf({ swap, swaps, walk, sum }) {
  const traced = swaps.map((call) => [call, ["trace", "stateDiff"]]);
  return [
    ["swap", "eth_call", [swap, "latest"], 3],
    [`linked list of ${LINKS}`, "eth_call", [walk, "latest"], 3],
    ["trace_callMany, 5 swaps", "trace_callMany", [traced, "latest"], 4],
    [`loop of ${SLOTS} slots`, "eth_call", [sum, "latest"], 4],
  ];
}

export async function rows() {
  const chain = await aChainToFork();
  const result = {};
  const binary = anvilBinary(fileURLToPath(new URL("./peers", import.meta.url)));
  const anvil = existsSync(binary) ? openAnvil(binary) : undefined;
  if (anvil === undefined)
    console.error("  Anvil is left out: npm install --no-save --ignore-scripts --prefix bench/peers installs it.");
  try {
    for (const [label, method, params, aim] of tasksOf(chain.calls)) {
      const expected = JSON.stringify(await chain.ask(method, ...params));
      const row = (open, rules) => trips(chain, { open, rules, method, params, expected });
      result[`${label}, access lists`] = withAim(await row(openOurs, {}), aim);
      result[`${label}, no access lists`] = await row(openOurs, { refused: WITHOUT_LISTS });
      // Anvil has no trace_callMany.
      if (anvil !== undefined && method === "eth_call") result[`${label}, Anvil`] = await row(anvil, {});
    }
    Object.assign(result, await sameCode(chain, anvil), await opening(chain, anvil));
    Object.assign(result, await reopened(chain), await paced(chain), await warm(chain));
  } finally {
    await chain.node.close();
  }
  return result;
}

const withAim = (row, aim) => ({ ...row, note: `${row.note}; aim ${aim}` });

/** One call on a new fork. @param before - parameters of a call that is made first and not counted */
async function trips(chain, { open, rules, method, params, expected, before }) {
  const proxy = await countingProxy(chain.node.provider, { latencyMs: LATENCY_MS, ...rules });
  const fork = await open(proxy.url, chain);
  if (before !== undefined) await fork.ask(method, before);
  proxy.forget();
  const start = performance.now();
  const answer = JSON.stringify(await fork.ask(method, params));
  const time = performance.now() - start;
  const { waves, calls } = proxy.counts();
  await fork.close();
  proxy.close();
  if (answer !== expected) throw new Error(`${method} on a fork gave ${answer.slice(0, 200)}`);
  return { ...summary([time]), note: `${waves} round trips, ${calls} calls` };
}

async function openOurs(url, _chain, options = {}) {
  const node = await createNode({ fork: { url, cache: false, ...options } });
  return { node, ask: (method, params) => node.provider.request({ method, params }), close: () => node.close() };
}

const openAnvil = (binary) => async (url) => {
  const { url: at, stop } = await startPeer(binary, [
    ...["--port", "0", "--fork-url", url, "--no-storage-caching", "--no-rate-limit"],
  ]);
  const ask = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await fetch(at, { method: "POST", headers: { "content-type": "application/json" }, body });
    const { result, error } = await answer.json();
    return error === undefined ? result : Promise.reject(new Error(error.message));
  };
  return { ask, close: stop };
};

/** A list in a contract, after one in another contract with the same code. */
async function sameCode({ calls, ...chain }, anvil) {
  const [before, params] = [calls.walk, calls.walkSameCode].map((call) => [call, "latest"]);
  const expected = JSON.stringify(await chain.ask("eth_call", ...params));
  const row = (open, rules) => trips(chain, { open, rules, method: "eth_call", params, expected, before });
  const label = "the same list, second contract of that code";
  return {
    [`${label}, no access lists`]: await row(openOurs, { refused: WITHOUT_LISTS }),
    ...(anvil === undefined ? {} : { [`${label}, Anvil`]: await row(anvil, {}) }),
  };
}

/** Round trips of opening at the newest block; the time of Anvil includes the start of its process. */
async function opening(chain, anvil) {
  const row = async (open) => {
    const proxy = await countingProxy(chain.node.provider, { latencyMs: LATENCY_MS });
    const start = performance.now();
    const fork = await open(proxy.url);
    const time = performance.now() - start;
    const { waves, calls } = proxy.counts();
    await fork.close();
    proxy.close();
    return { ...summary([time]), note: `${waves} round trips, ${calls} calls` };
  };
  return {
    "opening at the newest block": await row(openOurs),
    ...(anvil === undefined ? {} : { "opening at the newest block, Anvil": await row(anvil) }),
  };
}

/** The same calls by a second node with the cache of the first, pinned by hash. */
async function reopened(chain) {
  const folder = await mkdtemp(join(tmpdir(), "hindcast-bench-fork-"));
  const proxy = await countingProxy(chain.node.provider, { latencyMs: LATENCY_MS });
  const { hash: blockHash } = await chain.ask("eth_getBlockByNumber", "latest", false);
  const run = async () => {
    const fork = await openOurs(proxy.url, chain, { blockHash, cache: { folder } });
    for (const [, method, params] of tasksOf(chain.calls)) await fork.ask(method, params);
    await fork.close();
  };
  try {
    await run();
    proxy.forget();
    const start = performance.now();
    await run();
    const time = performance.now() - start;
    return {
      "all of them again, pinned by hash": { ...summary([time]), note: `${proxy.counts().calls} calls; aim 0` },
    };
  } finally {
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A slot of each of many accounts, from an upstream that allows few calls a second. */
async function paced(chain) {
  const { calls } = chain;
  const rules = { latencyMs: LATENCY_MS, callsPerSecond: CALLS_A_SECOND };
  const proxy = await countingProxy(chain.node.provider, rules);
  const node = await createNode({
    fork: { url: proxy.url, cache: false },
    limits: { callTimeoutMs: 300_000 },
  });
  proxy.forget();
  const start = performance.now();
  await node.provider.request({ method: "eth_call", params: [calls.sumOthers, "latest"] });
  const time = performance.now() - start;
  const { calls: sent } = proxy.counts();
  await node.close();
  proxy.close();
  const ratio = (time / 1000 / (sent / CALLS_A_SECOND)).toFixed(2);
  const note = `${sent} calls, ${ratio} times calls ÷ ${CALLS_A_SECOND}; aim 1.2`;
  return {
    [`${ACCOUNTS} slots of ${ACCOUNTS} accounts, ${CALLS_A_SECOND} calls a second`]: { ...summary([time]), note },
  };
}

/** Processor time of calls whose state is known, in turns with the same on the chain itself: the machine may be busy. */
async function warm(chain) {
  const proxy = await countingProxy(chain.node.provider, { latencyMs: 0 });
  const fork = await openOurs(proxy.url);
  const result = {};
  for (const [label, call] of Object.entries({ swap: chain.calls.swap, [`loop of ${SLOTS} slots`]: chain.calls.sum })) {
    const params = [call, "latest"];
    const times = { local: [], fork: [] };
    for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
      const local = await processorTime(() => chain.ask("eth_call", ...params));
      const onFork = await processorTime(() => fork.ask("eth_call", params));
      if (turn < 0) continue;
      times.local.push(local);
      times.fork.push(onFork);
    }
    const [local, onFork] = [summary(times.local), summary(times.fork)];
    const ratio = (onFork.medianMs / local.medianMs).toFixed(2);
    result[`warm ${label}, local`] = { ...local, note: "processor time" };
    result[`warm ${label}, fork`] = { ...onFork, note: `processor time, ${ratio} times local; aim 1.2` };
  }
  await fork.close();
  proxy.close();
  return result;
}

/** Milliseconds of processor time of one of a hundred runs. */
async function processorTime(task) {
  const start = process.cpuUsage();
  for (let run = 0; run < RUNS_A_TURN; run++) await task();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / RUNS_A_TURN;
}
