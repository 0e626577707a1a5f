/**
 * History below a fork, read over HTTP from another Hindcast: proof-of-work blocks with uncles, and blocks after the
 * Merge.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EngineName } from "../../src/evm/engine.ts";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import { ALICE, NOW, type ServedNode, serve } from "../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../support/contracts.ts";

interface Upstream {
  readonly hardfork: string;
  served: ServedNode;
  uncled: Hex;
  tx: Hex;
  logger: Hex;
}

/** Blocks with logs, with failing transactions, and before the Merge one with an uncle. */
async function anUpstream(hardfork: string): Promise<Upstream> {
  const served = await serve(await createNode({ hardfork, clock: () => NOW }));
  const { node } = served;
  const logger = await deploy(node, EMITTER);
  const tx = await send(node, { from: ALICE, to: logger, data: logCall([1, 2], "0x1234"), gas: "0x30000" });
  await send(node, { from: ALICE, to: logger, data: logCall([3]), gas: "0x6000" }).catch(() => undefined);
  if (hardfork !== "osaka") {
    const side = await node.mineSideBlock();
    await node.mine({ uncles: [side.header] });
  } else await node.mine();
  const uncled = (await ask(node, "eth_getBlockByNumber", "latest", false)) as { hash: Hex };
  await send(node, { from: ALICE, to: logger, data: logCall([1]), gas: "0x30000" });
  await node.mine({ blocks: 3 });
  return { hardfork, served, uncled: uncled.hash, tx, logger };
}

const ask = (node: HindcastNode, method: string, ...params: readonly unknown[]): Promise<unknown> =>
  node.provider.request({ method, params } as never);

describe.each<[string, EngineName]>([
  ["osaka", "wasm"],
  ["london", "wasm"],
  ["berlin", "ethereumjs"],
])("below a fork of a chain in %s, on %s", (hardfork, engine) => {
  let upstream: Upstream;
  let node: HindcastNode;
  let fork: ServedNode;

  beforeAll(async () => {
    upstream = await anUpstream(hardfork);
    node = await createNode({ engine, fork: { url: upstream.served.plain.url, blockNumber: -1, cache: false } });
    await node.mine({ blocks: 2 });
    fork = await serve(node);
  });
  afterAll(async () => {
    await node.close();
    await upstream.served.node.close();
  });

  it("all is as the upstream says", async () => {
    const { uncled, tx, logger } = upstream;
    for (const [method, ...params] of [
      ["eth_getBlockByNumber", "0x1", true],
      ["eth_getBlockByHash", uncled, true],
      ["eth_getUncleCountByBlockHash", uncled],
      ["eth_getUncleByBlockHashAndIndex", uncled, "0x0"],
      ["eth_getUncleByBlockNumberAndIndex", "0x3", "0x0"],
      ["eth_getBlockTransactionCountByNumber", "0x2"],
      ["eth_getTransactionByHash", tx],
      ["eth_getTransactionByBlockNumberAndIndex", "0x2", "0x0"],
      ["eth_getTransactionByBlockHashAndIndex", uncled, "0x0"],
      ["eth_getTransactionReceipt", tx],
      ["eth_getBlockReceipts", "0x2"],
      ["eth_getLogs", { fromBlock: "0x0", toBlock: "0x5" }],
      [
        "eth_getLogs",
        { fromBlock: "0x1", toBlock: "0x5", address: logger, topics: [null, [`0x${"2".padStart(64, "0")}`]] },
      ],
      ["eth_getCode", logger, "0x1"],
      ["eth_getBalance", ALICE, "0x2"],
      ["eth_getTransactionCount", ALICE, "0x2"],
      ["eth_call", { to: logger, data: logCall([1]) }, "0x2"],
      ["eth_estimateGas", { from: ALICE, to: logger, data: logCall([1]) }, "0x2"],
      ["eth_feeHistory", "0x3", "0x4", [10, 90]],
      ["trace_block", "0x3"],
      ["trace_filter", { fromBlock: "0x1", toBlock: "0x4", toAddress: [logger] }],
      ["trace_block", "0x2"],
      ["trace_transaction", tx],
      ["trace_get", tx, ["0x0"]],
      ["trace_replayTransaction", tx, ["trace", "vmTrace", "stateDiff"]],
      ["trace_replayBlockTransactions", "0x2", ["trace", "vmTrace", "stateDiff"]],
      ["trace_call", { from: ALICE, to: logger, data: logCall([1]) }, ["trace", "vmTrace", "stateDiff"], "0x2"],
      ["trace_rawTransaction", "0x00", ["trace"]],
      ["debug_traceTransaction", tx, { enableMemory: true }],
      ["debug_traceBlockByHash", uncled, { tracer: "callTracer" }],
      ["debug_traceTransaction", tx, { tracer: "prestateTracer" }],
      ["debug_traceCall", { from: ALICE, to: logger, data: logCall([1]) }, "0x2", { tracer: "callTracer" }],
      ["debug_getRawBlock", "0x3"],
      ["debug_getRawReceipts", "0x2"],
      ["ots_getBlockDetails", "0x3"],
    ] as const) {
      const answers = await Promise.all(
        [node, upstream.served.node].map((each) => ask(each, method, ...params).catch((error: Error) => error.message)),
      );
      expect(answers[0], method).toEqual(answers[1]);
    }
  });

  it("the path form has its own members too", async () => {
    const theirs = await upstream.served.parity.ask<object>("eth_getTransactionByHash", upstream.tx);
    const ours = await fork.parity.ask("eth_getTransactionByHash", upstream.tx);
    expect(ours).toEqual(theirs);
  });

  it("logs of a range that crosses the fork are of both", async () => {
    await send(node, { from: ALICE, to: upstream.logger, data: logCall([9]), gas: "0x30000" });
    const logs = (await ask(node, "eth_getLogs", { fromBlock: "0x0", toBlock: "latest" })) as { blockNumber: Hex }[];
    const theirs = (await ask(upstream.served.node, "eth_getLogs", {
      fromBlock: "0x0",
      toBlock: "latest",
    })) as unknown[];
    expect(logs.slice(0, -1)).toEqual(theirs);
    expect(logs.at(-1)).toMatchObject({ blockNumber: `0x${node.head.header.number.toString(16)}` });
  });
});
