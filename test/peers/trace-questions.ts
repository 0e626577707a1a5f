/** What two nodes are asked about a story, and which differences of their answers have a reason. */
import { readFileSync } from "node:fs";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { Difference } from "./trace-differences.ts";
import type { Ask, Story } from "./trace-story.ts";

const ALL = ["trace", "vmTrace", "stateDiff"];

/** Asks a node of this process. */
export const inProcess =
  (node: HindcastNode): Ask =>
  (method, ...params) =>
    node.provider.send(method, params) as never;

/** Asks a node over HTTP. */
export const overHttp =
  (url: string): Ask =>
  async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const reply = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    const answer = (await reply.json()) as { result?: never; error?: { message: string } };
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result as never;
  };

/** Every question: name of the method and what is special about it, what it is about, how it is asked. */
export function questions({
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

/** Kinds of differences with a reason, as `method | where`. */
export function justified(): string[] {
  const table = readFileSync(new URL("trace-differences.md", import.meta.url), "utf8");
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) => row.split(" | ").slice(0, 2).join(" | ").slice(2).replaceAll("`", ""));
}

/** The kind of a difference, as {@link justified} names it. */
export const kindOf = ({ method, where }: Difference): string => `${method} | ${where}`;
