/**
 * How long a second client waits while a node serves the largest requests that its limits let in, how much memory they
 * take, and what they are answered: for every method, alone and in batches.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/node/options/limits.ts";
import { methods } from "../../src/rpc/registry.ts";
import { answersDuring } from "../rpc/stopwatch.ts";
import { buildOnce } from "../support/build-once.ts";
import { keep, residentBytes, startClock } from "./figures.ts";
import {
  aChain,
  batchOf,
  describedMethods,
  exampleOf,
  isInternal,
  LONGEST_WAIT_MS,
  longest,
  MOST_BYTES,
  MOST_KEPT_BYTES,
  peakOf,
  post,
  requestText,
} from "./harness.ts";
import { type LatencyRow, latencyPaper, mebibytes } from "./latency-table.ts";
import { NAMED_REQUESTS } from "./named-requests.ts";
import { type WorstRequest, worstRequests } from "./worst-requests.ts";

const BODY_CHARACTERS = 10 * 1024 * 1024 - 10_000;
const BOUNDS = { values: DEFAULT_LIMITS.maxRequestValues, characters: BODY_CHARACTERS };
/** Requests of a batch. */
const BATCH = 1_000;
const SECONDS_UNTIL_GIVEN_BACK = 10;
/** Where only the wait of single requests is looked for again. */
const SUSPICIOUS_MS = 90;
const ONLY = new RegExp(process.env.CAMPAIGN_METHODS ?? "");

/** The page that `--write` renews. */
const PAPER = new URL("../../docs/latency.md", import.meta.url);
const WRITES = process.env.CAMPAIGN_WRITE !== undefined;

/** Rows of what loads a chain: its memory has bounds of its own, and the chain stays. */
const IMPORTS = new Set(
  NAMED_REQUESTS.filter(({ isImport }) => isImport === true).map(({ method, name }) => `${method} ${name}`),
);

interface Body {
  readonly name: string;
  /** Texts that are sent at the same time. */
  readonly texts: () => readonly string[];
}

/** Serves bodies one after another beside a second client, after the method's example, whose call loads its code. */
async function measure(name: string, bodies: readonly Body[], example: string): Promise<LatencyRow> {
  const node = await aChain();
  try {
    const first = await answersDuring(
      node.url,
      async () => {
        await post(node, example);
        await delay(80);
      },
      node.process.pid,
    );
    const idle = residentBytes(node.process.pid);
    let outcome = "";
    const answers = await answersDuring(
      node.url,
      async () => {
        for (const { texts } of bodies) {
          const outcomes = await Promise.all(texts().map((text) => post(node, text)));
          outcome = outcomes.at(-1) ?? "";
        }
        // Two answers at least.
        await delay(80);
      },
      node.process.pid,
    );
    const peakBytes = peakOf(node) - idle;
    let keptBytes: number | undefined;
    if (peakBytes > MOST_BYTES / 4 && bodies.length === 1) {
      await delay(SECONDS_UNTIL_GIVEN_BACK * 1_000);
      keptBytes = residentBytes(node.process.pid) - idle;
    }
    return {
      name,
      firstMs: longest(first),
      waitMs: longest(answers),
      peakBytes,
      keptBytes,
      outcome,
    };
  } finally {
    node.process.kill("SIGKILL");
    await node.finished;
  }
}

function bodiesOf(method: string, requests: readonly WorstRequest[]): Body[] {
  const alone = requests.map((request) => ({ name: request.place, texts: () => [requestText(request)] }));
  return [
    ...alone.filter(({ texts }) => texts().every((text) => text.length <= BODY_CHARACTERS + 5_000)),
    { name: `batch of ${BATCH}`, texts: () => [batchOf(method, BATCH)] },
  ];
}

/** The rows of a method: one for all its requests, or those of each half if that is beyond an aim, down to single ones. */
async function narrow(method: string, bodies: readonly Body[], example: string): Promise<LatencyRow[]> {
  const [only, ...others] = bodies;
  const isAlone = only !== undefined && others.length === 0;
  const row = await measure(isAlone ? `${method} ${only.name}` : method, bodies, example);
  console.log(line(row), `(${bodies.length} requests)`);
  if (isAlone || (row.waitMs < SUSPICIOUS_MS && row.peakBytes < MOST_BYTES)) return [row];
  const middle = bodies.length >> 1;
  const halves = [bodies.slice(0, middle), bodies.slice(middle)];
  const rows: LatencyRow[] = [];
  for (const half of halves) rows.push(...(await narrow(method, half, example)));
  return rows;
}

it("no method's largest requests make a second client wait", { timeout: 0 }, async () => {
  buildOnce();
  const document = describedMethods();
  const isTimeOver = startClock();
  const rows: LatencyRow[] = [];
  const take = (row: LatencyRow): void => {
    rows.push(row);
    if (WRITES) writeFileSync(PAPER, latencyPaper(readFileSync(PAPER, "utf8"), rows));
  };
  for (const described of document.methods) {
    if (!ONLY.test(described.name) || isTimeOver()) continue;
    const { maxValues = 0 } = methods.find(({ name }) => name === described.name) ?? {};
    const bounds = { ...BOUNDS, values: Math.max(BOUNDS.values, maxValues) };
    const requests = [...worstRequests({ ...document, methods: [described] }, bounds)];
    const bodies = bodiesOf(described.name, requests);
    const example = exampleOf(described.name);
    for (const { name, bodies: texts } of NAMED_REQUESTS.filter(({ method }) => method === described.name)) {
      const row = await measure(`${described.name} ${name}`, [{ name, texts }], example);
      take(row);
      console.log(line(row));
    }
    for (const row of await narrow(described.name, bodies, example)) take(row);
  }
  rows.sort((left, right) => right.waitMs - left.waitMs);
  keep("latency", Object.fromEntries(rows.slice(0, 40).map(({ name, waitMs }) => [name, waitMs])));
  expect(rows.filter(({ outcome }) => isInternal(outcome)).map(line)).toEqual([]);
  expect(rows.filter(({ waitMs }) => waitMs > LONGEST_WAIT_MS).map(line)).toEqual([]);
  const bounded = rows.filter(({ name }) => !IMPORTS.has(name));
  expect(bounded.filter(({ peakBytes }) => peakBytes > MOST_BYTES).map(line)).toEqual([]);
  expect(bounded.filter(({ keptBytes = 0 }) => keptBytes > MOST_KEPT_BYTES).map(line)).toEqual([]);
});

function line({ name, firstMs, waitMs, peakBytes, keptBytes, outcome }: LatencyRow): string {
  const kept = keptBytes === undefined ? "" : `, ${mebibytes(keptBytes)} kept`;
  return `${name}: ${Math.round(waitMs)} ms (first ${Math.round(firstMs)}), ${mebibytes(peakBytes)}${kept}, ${outcome}`;
}
