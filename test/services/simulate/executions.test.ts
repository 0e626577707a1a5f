/** A trace executes each transaction once, and does not repeat earlier ones for each. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { BlockRunner } from "../../../src/executor/run-block.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { encodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import { ALICE, BOB, openNode, quantity, type ServedNode, serve } from "../../support/a-node.ts";
import { COUNTER, deploy, send } from "../../support/contracts.ts";

const BLOCKS = 3;
const IN_BLOCK = 5;
const ALL = ["trace", "vmTrace", "stateDiff"];

describe("executions", () => {
  /** Has the chain of the one that mined it, and ran none of it but to import it. */
  let served: ServedNode;
  let miner: HindcastNode;
  let counter: Hex;
  let last: Hex[];
  let blockHash: Hex;
  let count: { readonly mock: { readonly calls: readonly unknown[] } };

  beforeAll(async () => {
    miner = await openNode();
    counter = await deploy(miner, COUNTER);
    miner.setMiningMode("manual");
    for (let block = 0; block < BLOCKS; block++) {
      last = [];
      for (let index = 0; index < IN_BLOCK; index++)
        last.push(await send(miner, { to: counter, gas: quantity(100_000) }));
      await miner.mine();
    }
  });
  afterAll(() => miner.close());
  // Anew for each test: traces of blocks are kept.
  beforeEach(async () => {
    served = await serve(await openNode());
    await served.node.importChain(Buffer.concat([...miner.exportChain()]));
    blockHash = (await served.plain.ask<{ hash: Hex }>("eth_getBlockByNumber", "latest", false)).hash;
    count = vi.spyOn(BlockRunner.prototype, "run");
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await served.node.close();
  });

  const executed = async (method: string, ...params: unknown[]): Promise<number> => {
    const before = count.mock.calls.length;
    await served.plain.ask(method, ...params);
    return count.mock.calls.length - before;
  };

  it.each([
    ["trace_block", "latest"],
    ["trace_replayBlockTransactions", "latest", ALL],
    ["debug_traceBlockByNumber", "latest"],
    ["debug_traceBlockByNumber", "latest", { tracer: "callTracer" }],
    ["debug_traceBlockByNumber", "latest", { tracer: "prestateTracer", tracerConfig: { diffMode: true } }],
    [
      "debug_traceBlockByNumber",
      "latest",
      { tracer: "muxTracer", tracerConfig: { callTracer: {}, prestateTracer: {} } },
    ],
    ["debug_traceBlockByNumber", "latest", { tracer: "{fault: function() {}, result: function() {}}" }],
  ])("are as many as the block has transactions: %s", async (method, ...params) => {
    expect(await executed(method, ...params)).toBe(IN_BLOCK);
  });

  it("are as many by hash, and for the roots between", async () => {
    expect(await executed("debug_traceBlockByHash", blockHash)).toBe(IN_BLOCK);
    expect(await executed("debug_intermediateRoots", blockHash)).toBe(IN_BLOCK);
  });

  it("are as many as a range has, for a filter, and none in blocks where the index finds nobody", async () => {
    expect(await executed("trace_filter", { fromBlock: "0x2", fromAddress: [BOB] })).toBe(0);
    // A page that is full ends the search.
    expect(await executed("trace_filter", { fromBlock: "0x2", count: 1 })).toBeLessThanOrEqual(IN_BLOCK);
    expect(await executed("trace_filter", { fromBlock: "0x3", fromAddress: [ALICE] })).toBe((BLOCKS - 1) * IN_BLOCK);
  });

  it("of one transaction are those before it and itself", async () => {
    for (const [index, hash] of last.entries()) {
      expect(await executed("trace_replayTransaction", hash, ALL)).toBe(index + 1);
      expect(await executed("debug_traceTransaction", hash)).toBe(index + 1);
    }
    expect(await executed("debug_storageRangeAt", blockHash, 3, encodeData(new Uint8Array(20)), "0x", 1)).toBe(3);
    expect(await executed("trace_transaction", last[2])).toBe(3);
  });

  it("of one transaction after the other are the block's once more at most", async () => {
    let total = 0;
    for (const hash of last)
      total += (await executed("trace_transaction", hash)) + (await executed("trace_get", hash, []));
    expect(total).toBeLessThanOrEqual(IN_BLOCK + 1);
    expect(await executed("trace_block", "latest")).toBe(0);
  });

  it("are none for the flat traces of what was mined here, and the same traces come of it", async () => {
    const request = (method: string, ...params: unknown[]) => miner.provider.send(method, params);
    const before = count.mock.calls.length;
    const traces = await request("trace_block", "latest");
    const found = await request("trace_filter", { fromBlock: "0x2", toAddress: [counter] });
    const one = await request("trace_transaction", last[2]);
    expect(count.mock.calls).toHaveLength(before);
    expect(await served.plain.ask("trace_block", "latest")).toEqual(traces);
    expect(await served.plain.ask("trace_filter", { fromBlock: "0x2", toAddress: [counter] })).toEqual(found);
    expect(await served.plain.ask("trace_transaction", last[2])).toEqual(one);
    expect(traces).toHaveLength(IN_BLOCK);
    expect(found).toHaveLength(BLOCKS * IN_BLOCK);
  });
});
