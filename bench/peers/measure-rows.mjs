// Measures rows on all nodes in turn, and start-ups. What goes wrong costs its cell, never the table.
import { execFileSync, spawnSync } from "node:child_process";
import { summary } from "../measure.mjs";
import { timeFirstCalls } from "./first-calls.mjs";
import { IN_PROCESS } from "./in-process.mjs";
import { startNode } from "./nodes.mjs";

const START_RUNS = 7;
const REST_MS = 4_000;
/** Rows that run so seldom take seconds: none of their rounds is spent on warming up. */
const FEW_RUNS = 3;
/**
 * A row goes on for so long, or for so many rounds: in twenty rounds of a few milliseconds what runs on V8 is measured
 * while it is being compiled, and a session of a test suite is longer than that.
 */
const ROW_MS = 5_000;
const MOST_ROUNDS = 500;
/** So many have a median of their own. */
export const FIRST_ROUNDS = 20;
const FIRST_CALLS = new URL("./first-calls.mjs", import.meta.url).href;
const BUNDLE = new URL("../../dist/bundle/index.js", import.meta.url).href;

/**
 * What the measuring shares.
 *
 * @typedef {object} Plan
 * @property {number} rounds - at most so many of each row
 * @property {number} rowBudgetMs - after so long on one row, the rest of its rounds are left out
 * @property {number} endsAt - what has not begun then is left out
 * @property {(who: string, error: Error) => void} complain
 */

/** Process start to first answer, the memory held then, and ten first calls, each of another method. */
export async function measureStarts(columns, plan) {
  const lists = () => new Map(columns.map((name) => [name, []]));
  const [times, memory, first] = [lists(), lists(), lists()];
  const empty = [];
  const able = new Set(columns);
  if (able.has("hindcast")) await useOnce("hindcast");
  for (let round = 0; round < Math.min(START_RUNS, plan.rounds); round++) {
    const startedAt = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    empty.push(performance.now() - startedAt);
    for (const name of able) {
      try {
        const started = await (name === IN_PROCESS ? importToFirstCall() : startOnce(name));
        times.get(name).push(started.ms);
        memory.get(name).push(started.megabytes);
        first.get(name).push(started.firstMs);
      } catch (error) {
        plan.complain(name, error);
        able.delete(name);
      }
    }
  }
  const cells = (lists) => Object.fromEntries([...able].map((name) => [name, median(lists.get(name))]));
  const bare = median(empty).toFixed(0);
  return [
    {
      label: `start to first answer (\`node -e 0\`: ${bare} ms; in process: import to first call)`,
      unit: "ms",
      cells: cells(times),
    },
    { label: "memory after start, MB", unit: "MB", cells: cells(memory) },
    { label: "ten different first calls of a fresh node", unit: "ms", cells: cells(first) },
  ];
}

/** The command stores what V8 compiled when it rests after its first transactions: most starts are not the first. */
async function useOnce(name) {
  const node = await startNode(name);
  try {
    await timeFirstCalls(node.ask);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  } finally {
    await node.stop();
  }
}

async function startOnce(name) {
  const node = await startNode(name);
  try {
    const megabytes = node.memory();
    return { ms: node.startMs, megabytes, firstMs: await timeFirstCalls(node.ask) };
  } finally {
    await node.stop();
  }
}

function importToFirstCall() {
  const program = `const start = performance.now();
    const { createNode } = await import(${JSON.stringify(BUNDLE)});
    const node = await createNode();
    await node.provider.request({ method: "eth_call", params: [{ to: "0x" + "11".repeat(20) }, "latest"] });
    const ms = performance.now() - start;
    const { timeFirstCalls } = await import(${JSON.stringify(FIRST_CALLS)});
    const ask = (method, ...params) => node.provider.request({ method, params });
    console.log(JSON.stringify({ ms, firstMs: await timeFirstCalls(ask) }));
    process.exit(0);`;
  const words = ["--input-type=module", "-e", program];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" }));
}

/**
 * One row of the table: a median for each node that answers, and answers right, every time, and where there were many
 * rounds one of the first of them.
 */
export async function measureRow(row, nodes, plan) {
  const times = new Map(nodes.map((node) => [node, []]));
  const isMeasured = ({ name, callsOnly }) => (callsOnly !== true || row.isCall) && (row.nodes?.includes(name) ?? true);
  const able = new Set(nodes.filter(isMeasured));
  const slow = new Set();
  const startedAt = performance.now();
  const rounds = Math.min(row.runs, plan.rounds);
  const warmUp = rounds >= 15 ? 3 : rounds > FEW_RUNS ? 1 : 0;
  for (let round = -warmUp; round < Math.min(MOST_ROUNDS, plan.rounds); round++) {
    const now = performance.now();
    if (round >= rounds && now - startedAt > (row.rowMs ?? ROW_MS)) break;
    if (now > plan.endsAt || (round > 0 && now - startedAt > plan.rowBudgetMs)) break;
    for (const node of able) {
      if (slow.has(node)) continue;
      try {
        const ms = await runOnce(row, row.on?.(node) ?? node, round + warmUp);
        if (round >= 0) times.get(node).push(ms);
        if (ms > (row.slowMs ?? Number.POSITIVE_INFINITY)) slow.add(node);
      } catch (error) {
        plan.complain(node.name, error);
        able.delete(node);
      }
    }
  }
  const measured = [...able].filter((node) => times.get(node).length > 0);
  const cells = (part) => Object.fromEntries(measured.map((node) => [node.name, median(part(times.get(node)))]));
  const isLong = measured.some((node) => times.get(node).length > FIRST_ROUNDS);
  return {
    label: row.label,
    unit: "ms",
    cells: cells((list) => list),
    first: isLong ? cells((list) => list.slice(0, FIRST_ROUNDS)) : undefined,
  };
}

async function runOnce(row, node, round) {
  try {
    const prepared = await row.prepare?.(node);
    const [ms, answer] = await (row.request === undefined
      ? timeTask(() => row.run(node, prepared))
      : timeRequest(node, row.request(node, prepared, round)));
    await row.check(answer, node, row, round);
    return ms * (row.times?.(node) ?? 1);
  } finally {
    await row.after?.(node);
  }
}

async function timeTask(task) {
  const start = performance.now();
  const answer = await task();
  return [performance.now() - start, answer];
}

/** In process the answer is an object at once; over HTTP its bytes are read after the clock has stopped. */
async function timeRequest(node, [method, ...params]) {
  if (node.send === undefined) return timeTask(() => node.ask(method, ...params));
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const [ms, text] = await timeTask(() => node.send(body));
  return [ms, node.read(method, text)];
}

function median(list) {
  return list.length === 0 || list[0] === undefined ? undefined : summary(list).medianMs;
}
