/**
 * Our traces beside Anvil's on the same chain. Anvil's come from the library that reth's do, so ours are in reth's manner.
 * Prints every difference; each kind stands with its reason in trace-differences.md.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { openNode } from "../support/a-node.ts";
import { anvilBinary, installPeers, startPeer } from "../support/peers.mjs";
import { type Difference, differencesOf } from "./trace-differences.ts";
import { type Ask, type Story, tell } from "./trace-story.ts";

const HARDFORKS = ["shanghai", "cancun", "prague"] as const;
const ALL = ["trace", "vmTrace", "stateDiff"];

let installed: Awaited<ReturnType<typeof installPeers>>;
beforeAll(async () => {
  installed = await installPeers(["@foundry-rs/anvil@1.7.1"]);
}, 300_000);
afterAll(() => installed.remove());

const inProcess =
  (node: HindcastNode): Ask =>
  (method, ...params) =>
    node.provider.send(method, params) as never;

const overHttp =
  (url: string): Ask =>
  async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const reply = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    const answer = (await reply.json()) as { result?: never; error?: { message: string } };
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result as never;
  };

/** Every question: name of the method and what is special about it, what it is about, how it is asked. */
function questions({
  block,
  transactions,
}: Story): [method: string, about: string, ...request: [string, ...unknown[]]][] {
  const debug = (name: string, hash: string, about: string, config: object) =>
    [`debug_traceTransaction ${name}`, about, "debug_traceTransaction", hash, config] as [
      string,
      string,
      string,
      ...unknown[],
    ];
  return [
    ["trace_block", "the block", "trace_block", block],
    ["trace_replayBlockTransactions", "the block", "trace_replayBlockTransactions", block, ALL],
    ["debug_traceBlockByNumber callTracer", "the block", "debug_traceBlockByNumber", block, { tracer: "callTracer" }],
    ...transactions.flatMap(({ name, hash }): [string, string, string, ...unknown[]][] => [
      ["trace_transaction", name, "trace_transaction", hash],
      debug("callTracer", hash, name, { tracer: "callTracer" }),
      debug("callTracer withLog", hash, name, { tracer: "callTracer", tracerConfig: { withLog: true } }),
      debug("prestateTracer", hash, name, { tracer: "prestateTracer" }),
      debug("prestateTracer diffMode", hash, name, { tracer: "prestateTracer", tracerConfig: { diffMode: true } }),
      debug("struct logs", hash, name, {}),
      debug("struct logs with memory", hash, name, { enableMemory: true }),
    ]),
  ];
}

async function compare(hardfork: (typeof HARDFORKS)[number]): Promise<Difference[]> {
  const flags = ["--port", "0", "--hardfork", hardfork, "--steps-tracing"];
  const peer = await startPeer(anvilBinary(installed.folder), flags);
  const node = await openNode({ hardfork, traceClient: "reth" });
  try {
    const [us, them] = [inProcess(node), overHttp(peer.url)];
    const story = await tell(us);
    expect(await tell(them)).toEqual(story);
    const found: Difference[] = [];
    for (const [method, about, name, ...params] of questions(story)) {
      found.push(...differencesOf(await us(name, ...params), await them(name, ...params), { method, about }));
    }
    return found;
  } finally {
    await node.close();
    await peer.stop();
  }
}

/** Kinds of differences with a reason, as `method | where`. */
function justified(): string[] {
  const table = readFileSync(new URL("trace-differences.md", import.meta.url), "utf8");
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) => row.split(" | ").slice(0, 2).join(" | ").slice(2).replaceAll("`", ""));
}

const kindOf = ({ method, where }: Difference): string => `${method} | ${where}`;
const text = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, 100);

it("differ from Anvil's only where the table says why", async () => {
  const found = new Map<string, Difference & { times: number; hardforks: Set<string> }>();
  for (const hardfork of HARDFORKS) {
    for (const difference of await compare(hardfork)) {
      const known = found.get(kindOf(difference)) ?? { ...difference, times: 0, hardforks: new Set<string>() };
      known.times++;
      known.hardforks.add(hardfork);
      found.set(kindOf(difference), known);
    }
  }
  for (const [kind, { times, hardforks, about, ours, theirs }] of found) {
    const example = `ours ${text(ours)}, Anvil's ${text(theirs)}`;
    process.stdout.write(`${kind}: ${times} times (${[...hardforks].join(", ")}); of ${about}: ${example}\n`);
  }
  expect([...found.keys()].sort()).toEqual(justified().sort());
}, 120_000);
