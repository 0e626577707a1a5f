/** A chain that goes on from another Hindcast node, in process. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import { assemble } from "../support/assembler.ts";
import { deploy, send } from "../support/contracts.ts";

/** Counts in slot 0 and tells of each count by a log; answers calls with data by the count. */
const COUNTING = assemble(`
  CALLDATASIZE @read JUMPI
  0 SLOAD 1 ADD DUP1 0 SSTORE 0 MSTORE 32 0 LOG0 STOP
  read: 0 SLOAD 0 MSTORE 32 0 RETURN
`);

let upstream: HindcastNode;
let counter: Hex;
let sender: Hex;

const request = (node: HindcastNode, method: string, params: readonly unknown[] = []): Promise<unknown> =>
  node.provider.request({ method, params } as never);

beforeAll(async () => {
  upstream = await createNode({ clock: () => 1_700_000_000n });
  [sender] = (await request(upstream, "eth_accounts")) as [Hex];
  counter = await deploy(upstream, COUNTING);
  for (let count = 0; count < 5; count++)
    await request(upstream, "eth_sendTransaction", [{ from: sender, to: counter }]);
});
afterAll(() => upstream.close());

describe("a fork", () => {
  it("reads and goes on from the state of the pinned block", async () => {
    const node = await createNode({
      fork: { cache: false, provider: upstream.provider, blockNumber: 4 },
      accounts: 0,
      autoImpersonate: true,
    });
    const count = (tag: string) => request(node, "eth_call", [{ to: counter, data: "0x01" }, tag]);
    expect(await request(node, "eth_blockNumber")).toBe("0x4");
    expect(await count("latest")).toMatch(/3$/);
    expect(await count("0x2")).toMatch(/1$/);
    const hash = await send(node, { from: sender, to: counter });
    const receipt = (await request(node, "eth_getTransactionReceipt", [hash])) as { status: Hex; logs: unknown[] };
    expect(receipt).toMatchObject({ status: "0x1", blockNumber: "0x5" });
    expect(await count("latest")).toMatch(/4$/);
    expect(await count("0x4")).toMatch(/3$/);
    const theirs = (await request(upstream, "eth_getBlockByNumber", ["0x5", true])) as {
      transactions: { hash: Hex }[];
    };
    for (const method of ["debug_traceTransaction", "trace_transaction", "trace_replayTransaction"]) {
      const more = method === "trace_replayTransaction" ? [["trace", "stateDiff", "vmTrace"]] : [];
      const ours = await request(node, method, [hash, ...more]);
      const own = await request(upstream, method, [theirs.transactions[0]?.hash, ...more]);
      expect(strip(ours)).toEqual(strip(own));
    }
    await node.close();
  });

  it("shows the history below as the upstream does", async () => {
    const node = await createNode({ fork: { cache: false, provider: upstream.provider, blockNumber: 4 } });
    const block = (await request(upstream, "eth_getBlockByNumber", ["0x3", true])) as {
      hash: Hex;
      transactions: { hash: Hex }[];
    };
    const [tx] = block.transactions;
    for (const [method, ...params] of [
      ["eth_getBlockByNumber", "0x3", true],
      ["eth_getBlockByNumber", "0x4", false],
      ["eth_getBlockByHash", block.hash, false],
      ["eth_getBlockByNumber", "earliest", true],
      ["eth_getTransactionByHash", tx?.hash],
      ["eth_getTransactionReceipt", tx?.hash],
      ["eth_getBlockReceipts", "0x3"],
      ["eth_getLogs", { fromBlock: "0x1", toBlock: "0x4" }],
      ["eth_getLogs", { blockHash: block.hash }],
      ["trace_block", "0x3"],
      ["trace_transaction", tx?.hash],
      ["debug_traceTransaction", tx?.hash],
      ["debug_traceBlockByNumber", "0x2", { tracer: "callTracer" }],
      ["trace_replayBlockTransactions", "0x4", ["trace", "stateDiff", "vmTrace"]],
      ["eth_feeHistory", "0x3", "0x4", [50]],
      ["eth_getBalance", sender, "0x2"],
    ] as const) {
      const both = await Promise.all([node, upstream].map((each) => request(each, method, params)));
      expect(both[0], method).toEqual(both[1]);
    }
    await node.close();
  });
});

/** Without the hashes that differ from chain to chain. */
function strip(trace: unknown): unknown {
  return JSON.parse(
    JSON.stringify(trace).replace(/"(?:blockHash|transactionHash)":"0x[0-9a-f]{64}"/g, '""'.concat(":0")),
  );
}

/** Turns of the event loop without a new call after which those that wait are answered. */
const QUIET_TURNS = 300;

/**
 * A provider that answers in waves: all calls that wait, once no more come. That is counted in turns of the event loop, so
 * that a busy machine changes nothing.
 */
function inWaves(node: HindcastNode) {
  let waiting: (() => void)[] = [];
  const seen = { waves: 0, calls: 0 };
  const answerAll = async (): Promise<void> => {
    for (let turns = 0, known = 0; turns < QUIET_TURNS; turns++) {
      await nextTurn();
      if (waiting.length === known) continue;
      known = waiting.length;
      turns = 0;
    }
    seen.waves++;
    const all = waiting;
    waiting = [];
    for (const answer of all) answer();
  };
  const provider = {
    request: async (call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown> => {
      seen.calls++;
      if (waiting.length === 0) void answerAll();
      await new Promise<void>((resolve) => waiting.push(resolve));
      return node.provider.request(call as never);
    },
  };
  return { provider, seen };
}

it("a call that reads forty slots, each found in the one before, takes few round trips, and none the second time", async () => {
  const chain = await createNode({ clock: () => 1_700_000_000n });
  // Follows slot to slot from 1 on, until one is zero.
  const list = await deploy(chain, assemble("1 next: SLOAD DUP1 @next JUMPI STOP"));
  const bytes = (value: number) => new Uint8Array(32).fill(value, 31);
  for (let slot = 1; slot <= 40; slot++) {
    await chain.setStorageAt(Buffer.from(list.slice(2), "hex"), bytes(slot), bytes(slot === 40 ? 0 : slot + 1));
  }
  await chain.mine();
  const { provider, seen } = inWaves(chain);
  const node = await createNode({ fork: { provider, cache: false } });
  seen.waves = 0;
  await request(node, "eth_call", [{ to: list }, "latest"]);
  expect(seen.waves).toBeLessThanOrEqual(3);
  seen.calls = 0;
  await request(node, "eth_call", [{ to: list }, "latest"]);
  expect(seen.calls).toBe(0);
  await node.close();
  await chain.close();
});
