/** What the measurements of the largest requests share: the node, the requests as texts, and how they are sent. */
import { readFileSync } from "node:fs";
import { describeMethods } from "../../src/rpc/openrpc/document.ts";
import type { OpenRpcDocument } from "../../src/rpc/openrpc/document-shape.ts";
import { EXAMPLE_ANSWERS } from "../../src/rpc/openrpc/example-answers.generated.ts";
import { methods } from "../../src/rpc/registry.ts";
import { aRunningNode, type RunningNode } from "../e2e/a-command.ts";
import type { answersDuring } from "../rpc/stopwatch.ts";
import type { WorstRequest } from "./worst-requests.ts";

/** Aims. */
export const LONGEST_WAIT_MS = 100;
export const MOST_BYTES = 512 * 2 ** 20;
export const MOST_KEPT_BYTES = 64 * 2 ** 20;

/** The node's methods as their document describes them. */
export function describedMethods(): OpenRpcDocument {
  return describeMethods({ methods, version: "campaign", answers: EXAMPLE_ANSWERS });
}

export const requestText = ({ method, params }: Pick<WorstRequest, "method" | "params">): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

export function exampleOf(method: string): string {
  return requestText({ method, params: methods.find(({ name }) => name === method)?.example?.params ?? [] });
}

/** A method's example so many times. */
export const batchOf = (method: string, count: number): string => `[${Array(count).fill(exampleOf(method)).join(",")}]`;

/** A node with the examples' chain, which has a contract and a few blocks. */
export async function aChain(flags: readonly string[] = []): Promise<RunningNode> {
  const node = await aRunningNode(flags);
  const [from] = (await node.ask("eth_accounts")) as string[];
  await node.ask("eth_sendTransaction", { from, data: "0x67602a60006000a10060005260086018f3" });
  await node.ask("anvil_mine", "0x10");
  return node;
}

/** Sends a body and reads the answer. Resolves with its error, or its length. */
export async function post({ url }: RunningNode, body: string): Promise<string> {
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

/** Whether an outcome of {@link post} is an internal error. `eth_simulateV1` rejects calls with this code, too, as geth does. */
export const isInternal = (outcome: string): boolean =>
  outcome.startsWith("-32603") && !outcome.startsWith("-32603 err: ");

/** Most resident memory of the node so far. */
export const peakOf = ({ process: { pid } }: RunningNode): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;

/** Longest wait in milliseconds. Infinite when too few answers came to say. */
export function longest(answers: Awaited<ReturnType<typeof answersDuring>>): number {
  return answers.length < 2 ? Number.POSITIVE_INFINITY : Math.max(...answers.map(({ elapsedMs }) => elapsedMs));
}
