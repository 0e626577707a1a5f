/** Limits at the ends of what they may be: the node works with each. */
import { describe, expect, it } from "vitest";
import type { NodeOptions } from "../../../src/node/options/options.ts";
import { ALICE, aNode, BOB } from "../../support/a-node.ts";
import { COUNTER, deploy, receiptOf, send } from "../../support/contracts.ts";

type Limits = NonNullable<NodeOptions["limits"]>;

const ENDS: readonly Limits[] = [
  { executionMemory: 2 ** 24 },
  { executionMemory: 2 ** 32 - 1 },
  { executionMemory: 2 ** 32 },
  { concurrentExecutions: 1 },
  { concurrentExecutions: Number.POSITIVE_INFINITY },
  { queuedExecutions: 0 },
  { queuedExecutions: Number.POSITIVE_INFINITY },
  { callGasLimit: 2n ** 256n },
  { callTimeoutMs: Number.MAX_SAFE_INTEGER },
  { callTimeoutMs: Number.POSITIVE_INFINITY },
  { traceTimeoutMs: Number.MAX_SAFE_INTEGER },
  { traceTimeoutMs: Number.POSITIVE_INFINITY },
  { waitTimeoutMs: Number.MAX_SAFE_INTEGER },
  { traceFilterBlocks: Number.POSITIVE_INFINITY },
  { minedBlocks: Number.POSITIVE_INFINITY },
  { stateFileBytes: 2 ** 32 },
  { stateFileValues: Number.POSITIVE_INFINITY },
];

describe("a node whose limits are at an end", () => {
  it.each(ENDS)("mines, calls, traces and dumps (%o)", async (limits) => {
    const node = await aNode({ limits });
    const contract = await deploy(node, COUNTER);
    const { provider } = node;
    expect((await receiptOf(node, await send(node, { to: contract }))).status).toBe("0x1");
    expect(await provider.send("eth_call", [{ from: BOB, to: contract }, "latest"])).toMatch(/^0x0{63}2$/);
    expect(await provider.send("eth_estimateGas", [{ from: ALICE, to: contract }])).toMatch(/^0x/);
    expect(await provider.send("trace_block", ["latest"])).toHaveLength(1);
    expect(await provider.send("trace_filter", [{ fromBlock: "0x1", toBlock: "latest" }])).toHaveLength(2);
    await node.mine({ blocks: 20 });
    expect(await provider.send("anvil_dumpState", [])).toMatch(/^0x/);
  });
});
