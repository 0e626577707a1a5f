/** Traces of blocks below a fork by the upstream node, where that is wanted. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { NOW } from "../support/a-node.ts";
import { anUpstream, type TestUpstream, UpstreamFailure } from "../support/an-upstream.ts";
import { slowIt } from "../support/slow-suite.ts";

let chain: HindcastNode;
let hash: string;
let blockHash: string;

const ask = (node: HindcastNode, method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.request({ method, params } as never);

beforeAll(async () => {
  chain = await createNode({ clock: () => NOW });
  const [from, to] = (await ask(chain, "eth_accounts")) as string[];
  hash = (await ask(chain, "eth_sendTransaction", { from, to, value: "0x1" })) as string;
  ({ hash: blockHash } = (await ask(chain, "eth_getBlockByNumber", "0x1", false)) as { hash: string });
});
afterAll(() => chain.close());

/** A fork that asks for traces, and an upstream that marks its own. */
async function aFork(
  traces: "marked" | "none",
): Promise<{ readonly node: HindcastNode; readonly upstream: TestUpstream }> {
  const upstream = await anUpstream(chain.provider as never, {
    answer: ({ method }, given) => {
      if (!/^(trace|debug_trace)/.test(method)) return given();
      if (traces === "marked") return { by: "upstream", method };
      throw new UpstreamFailure(-32601, "the method does not exist");
    },
  });
  const node = await createNode({ clock: () => NOW, fork: { url: upstream.url, cache: false, traceUpstream: true } });
  onTestFinished(() => node.close());
  return { node, upstream };
}

describe("traceUpstream", () => {
  it("passes on the upstream node's traces of its blocks and transactions", async () => {
    const { node } = await aFork("marked");
    for (const [method, id, ...more] of [
      ["trace_transaction", hash],
      ["trace_get", hash, []],
      ["trace_replayTransaction", hash, ["trace"]],
      ["debug_traceTransaction", hash],
      ["trace_block", "0x1"],
      ["trace_replayBlockTransactions", "0x1", ["trace"]],
      ["debug_traceBlockByNumber", "0x1"],
      ["debug_traceBlockByHash", blockHash],
    ] as const) {
      expect(await ask(node, method, id, ...more)).toEqual({ by: "upstream", method });
    }
  });

  it("makes traces of calls, and of blocks above the pin, here", async () => {
    const { node } = await aFork("marked");
    const [from, to] = (await ask(node, "eth_accounts")) as string[];
    const own = await ask(node, "eth_sendTransaction", { from, to, value: "0x1" });
    expect(await ask(node, "trace_transaction", own)).toHaveLength(1);
    expect(await ask(node, "trace_block", "0x2")).toHaveLength(1);
    expect(await ask(node, "trace_call", { from, to }, ["trace"], "0x1")).toMatchObject({ output: "0x" });
  });

  it("is an error where the upstream node does not trace", async () => {
    const { node } = await aFork("none");
    await expect(ask(node, "trace_transaction", hash)).rejects.toMatchObject({ code: -32_002 });
  });
});

describe.each(["wasm", "ethereumjs"] as const)("NUMBER on a fork of a chain of Arbitrum (%s)", (engine) => {
  /** Gives NUMBER. */
  const code = "0x4360005260206000f3";
  /** Numbers of messages, of the block below, and of ArbOS' version. */
  const mixHashOf = (l1: number): string => `0x${[7, l1, 32, 0].map((n) => n.toString(16).padStart(16, "0")).join("")}`;
  const numberIn = async (node: HindcastNode, ...more: readonly unknown[]): Promise<number> =>
    Number(await ask(node, "eth_call", { data: code }, ...more));

  it("is that of the chain below, and grows with the blocks that are mined", async () => {
    const upstream = await anUpstream(chain.provider as never, {
      answer: async ({ method }, given) => {
        const block = (await given()) as { number: string };
        if (!/^eth_getBlockBy/.test(method) || block === null) return block;
        const l1 = 1_000 + 10 * Number(block.number);
        return { ...block, l1BlockNumber: `0x${l1.toString(16)}`, mixHash: mixHashOf(l1) };
      },
    });
    const fork = { url: upstream.url, cache: false, blockNumber: 1 };
    const node = await createNode({ clock: () => NOW, engine, fork });
    onTestFinished(() => node.close());
    expect([await numberIn(node, "latest"), await numberIn(node, "0x0")]).toEqual([1_010, 1_000]);
    await node.mine({ blocks: 3 });
    expect(await numberIn(node, "latest")).toBe(1_013);
    expect(await ask(node, "eth_blockNumber")).toBe("0x4");
    expect(await numberIn(node, "latest", {}, { number: "0x64" })).toBe(100);
    const bundle = { transactions: [{ data: code }] };
    const bundles = [[bundle, { ...bundle, blockOverride: {} }], { blockNumber: "latest" }];
    const answers = (await ask(node, "eth_callMany", ...bundles)) as { value: string }[][];
    expect(answers.map(([answer]) => Number(answer?.value))).toEqual([1_013, 1_014]);
  });
});

describe.each([
  [42_161, "Arbitrum One"],
  [100, "Gnosis"],
  [56, "BNB Smart Chain"],
  [137, "Polygon PoS"],
])("the history of chain %i", (chainId, name) => {
  slowIt("is traced by the upstream node, or refused by the chain's name; calls on its state work", async () => {
    const upstream = await anUpstream(chain.provider as never);
    const isTrace = (method: string): boolean => /^(trace|debug_trace)/.test(method);
    upstream.rules.answer = ({ method }, given) => {
      if (method === "eth_chainId") return `0x${chainId.toString(16)}`;
      return isTrace(method) ? { by: "upstream" } : given();
    };
    const node = await createNode({ clock: () => NOW, fork: { url: upstream.url, cache: false } });
    onTestFinished(() => node.close());
    expect(await ask(node, "trace_transaction", hash)).toEqual({ by: "upstream" });
    expect(await ask(node, "debug_traceBlockByNumber", "0x1")).toEqual({ by: "upstream" });
    const answer = upstream.rules.answer;
    upstream.rules.answer = (request, given) => {
      if (isTrace(request.method)) throw new UpstreamFailure(-32601, "the method does not exist");
      return answer(request, given);
    };
    for (const [method, ...params] of [
      ["trace_block", "0x1"],
      ["trace_replayTransaction", hash, ["trace"]],
      ["debug_traceTransaction", hash],
      ["trace_filter", { fromBlock: "0x1", toBlock: "0x1" }],
    ] as const) {
      await expect(ask(node, method, ...params)).rejects.toThrow(`Blocks of ${name} cannot be run here, because`);
    }
    const [from, to] = (await ask(node, "eth_accounts")) as string[];
    expect(await ask(node, "trace_call", { from, to }, ["trace"], "0x1")).toMatchObject({ output: "0x" });
  });
});
