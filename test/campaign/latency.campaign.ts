/**
 * How long a second client waits while a node serves the largest requests that its limits let in, how much memory they
 * take, and what they are answered: for every method, alone and in batches.
 */
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/node/options/limits.ts";
import { describeMethods } from "../../src/rpc/openrpc/document.ts";
import { EXAMPLE_ANSWERS } from "../../src/rpc/openrpc/example-answers.generated.ts";
import { methods } from "../../src/rpc/registry.ts";
import { aRunningNode, type RunningNode } from "../e2e/a-command.ts";
import { answersDuring } from "../rpc/stopwatch.ts";
import { buildOnce } from "../support/build-once.ts";
import { keep, residentBytes, startClock } from "./figures.ts";
import { type WorstRequest, worstRequests } from "./worst-requests.ts";

const BODY_CHARACTERS = 10 * 1024 * 1024 - 10_000;
const BOUNDS = { values: DEFAULT_LIMITS.maxRequestValues, characters: BODY_CHARACTERS };
/** Requests of a batch. */
const BATCH = 1_000;
/** Aims. */
const LONGEST_WAIT_MS = 100;
const MOST_BYTES = 512 * 2 ** 20;
const MOST_KEPT_BYTES = 64 * 2 ** 20;
const SECONDS_UNTIL_GIVEN_BACK = 10;
/** Where only the wait of single requests is looked for again. */
const SUSPICIOUS_MS = 90;
const ONLY = new RegExp(process.env.CAMPAIGN_METHODS ?? "");

/** One request, or several, that were served. */
interface Row {
  readonly name: string;
  readonly waitMs: number;
  readonly peakBytes: number;
  /** Ten seconds after the answer; only where the peak was high. */
  readonly keptBytes: number | undefined;
  /** Code and beginning of the text of the error, or the length of the answer. */
  readonly outcome: string;
}

interface Body {
  readonly name: string;
  readonly text: () => string;
}

const requestText = ({ method, params }: Pick<WorstRequest, "method" | "params">): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/** The examples' chain has a contract and a few blocks. */
async function aChain(): Promise<RunningNode> {
  const node = await aRunningNode();
  const [from] = (await node.ask("eth_accounts")) as string[];
  await node.ask("eth_sendTransaction", { from, data: "0x67602a60006000a10060005260086018f3" });
  await node.ask("anvil_mine", "0x10");
  return node;
}

async function post({ url }: RunningNode, body: string): Promise<string> {
  const reply = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  let length = 0;
  let start = "";
  const decoder = new TextDecoder();
  for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (start.length < 2_000) start += decoder.decode(chunk, { stream: true });
  }
  const error = /"error":\{"code":(-?\d+),"message":"(.{0,90})/.exec(start.slice(0, 2_000));
  return error === null ? `${length} bytes` : `${error[1]} ${error[2]}`;
}

const peakOf = ({ process: { pid } }: RunningNode): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;

/** Serves bodies one after another beside a second client. */
async function measure(name: string, bodies: readonly Body[]): Promise<Row> {
  const node = await aChain();
  try {
    // A method's first call loads code.
    const idle = residentBytes(node.process.pid);
    let outcome = "";
    const answers = await answersDuring(
      node.url,
      async () => {
        for (const { text } of bodies) outcome = await post(node, text());
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
      waitMs: answers.length < 2 ? Number.POSITIVE_INFINITY : Math.max(...answers.map(({ elapsedMs }) => elapsedMs)),
      peakBytes,
      keptBytes,
      outcome,
    };
  } finally {
    node.process.kill("SIGKILL");
    await node.finished;
  }
}

function bodiesOf(requests: readonly WorstRequest[]): Body[] {
  const alone = requests.map((request) => ({ name: request.place, text: () => requestText(request) }));
  const name = requests[0]?.method;
  if (name === undefined) return alone;
  const params = methods.find((method) => method.name === name)?.example?.params ?? [];
  const batch = (): string =>
    `[${Array(BATCH)
      .fill(requestText({ method: name, params }))
      .join(",")}]`;
  return [
    ...alone.filter(({ text }) => text().length <= BODY_CHARACTERS + 5_000),
    { name: `batch of ${BATCH}`, text: batch },
  ];
}

it("no method's largest requests make a second client wait", { timeout: 0 }, async () => {
  buildOnce();
  const document = describeMethods({ methods, version: "campaign", answers: EXAMPLE_ANSWERS });
  const isTimeOver = startClock();
  const rows: Row[] = [];
  for (const described of document.methods) {
    if (!ONLY.test(described.name) || isTimeOver()) continue;
    const requests = [...worstRequests({ ...document, methods: [described] }, BOUNDS)];
    const bodies = bodiesOf(requests.length === 0 ? [{ method: described.name, place: "", params: [] }] : requests);
    const whole = await measure(described.name, bodies);
    console.log(line(whole), `(${bodies.length} requests)`);
    if (whole.waitMs < SUSPICIOUS_MS && whole.peakBytes < MOST_BYTES) {
      rows.push(whole);
      continue;
    }
    for (const body of bodies) {
      const row = await measure(`${described.name} ${body.name}`, [body]);
      rows.push(row);
      if (row.waitMs >= SUSPICIOUS_MS || row.peakBytes > MOST_BYTES) console.log("  ", line(row));
    }
  }
  rows.sort((left, right) => right.waitMs - left.waitMs);
  keep("latency", Object.fromEntries(rows.slice(0, 40).map(({ name, waitMs }) => [name, waitMs])));
  expect(rows.filter(({ outcome }) => outcome.startsWith("-32603")).map(line)).toEqual([]);
  expect(rows.filter(({ waitMs }) => waitMs > LONGEST_WAIT_MS).map(line)).toEqual([]);
  expect(rows.filter(({ peakBytes }) => peakBytes > MOST_BYTES).map(line)).toEqual([]);
  expect(rows.filter(({ keptBytes = 0 }) => keptBytes > MOST_KEPT_BYTES).map(line)).toEqual([]);
});

function line({ name, waitMs, peakBytes, keptBytes, outcome }: Row): string {
  const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
  const kept = keptBytes === undefined ? "" : `, ${mebibytes(keptBytes)} kept`;
  return `${name}: ${Math.round(waitMs)} ms, ${mebibytes(peakBytes)}${kept}, ${outcome}`;
}
