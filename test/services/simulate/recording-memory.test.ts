/** What may be recorded of an execution: the bound of the node, and the one that a program names. */
import { describe, expect, it } from "vitest";
import { decodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import { ALICE, aServedNode, openNode, type ServedNode } from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { place, receiptOf, send } from "../../support/contracts.ts";
import { slowIt } from "../../support/slow-suite.ts";

const BOUND = 2 ** 24;
const limits = { recordingMemory: BOUND };
/** Calls an account without code 60,000 times. */
const CALLS = assemble("60000 loop: 0 0 0 0 0 0xeeee GAS CALL POP 1 SWAP1 SUB DUP1 @loop JUMPI");
const GAS = "0xaae600";
const callOf = (to: Hex, gas = GAS) => ({ from: ALICE, to, gas });
const refusal = { code: -32005, data: { limit: BOUND, flag: "--recording-memory" } };

async function expectRefusals(
  { plain }: ServedNode,
  requests: readonly (readonly [string, ...unknown[]])[],
): Promise<void> {
  for (const [method, ...params] of requests)
    expect(await plain.failure(method, ...params), method).toMatchObject(refusal);
}

describe("a node with little memory for recordings", () => {
  it("refuses a trace of many calls and an analysis of many steps, and says which flag raises the bound", async () => {
    const served = await aServedNode({ limits });
    const { node, plain } = served;
    const call = callOf(await place(node, CALLS));
    await expectRefusals(served, [
      ["debug_traceCall", call, "latest", { tracer: "callTracer" }],
      ["debug_traceCall", call, "latest", { tracer: "flatCallTracer" }],
      ["trace_call", call, ["trace"], "latest"],
      ["hindcast_gasProfileCall", call],
      ["debug_traceCall", call, "latest", { tracer: "keccak256PreimageTracer" }],
    ]);
    // These record little.
    const tracerConfig = { onlyTopCall: true };
    await plain.ask("debug_traceCall", call, "latest", { tracer: "callTracer", tracerConfig });
    await plain.ask("debug_traceCall", { ...call, gas: "0x186a0" }, "latest", { tracer: "callTracer" });
  });

  slowIt("refuses the same on the second engine", async () => {
    const served = await aServedNode({ limits, engine: "ethereumjs" });
    const call = callOf(await place(served.node, CALLS));
    await expectRefusals(served, [["debug_traceCall", call, "latest", { tracer: "callTracer" }]]);
  });

  it("has more recorded of one transaction for a program that says so, and for the explorer", async () => {
    const { node, plain } = await aServedNode({ limits, gasLimit: 30_000_000, hardfork: "prague" });
    const to = await place(node, CALLS);
    const { transactionHash } = await receiptOf(node, await send(node, { to, gas: GAS }));
    const hash = decodeData(transactionHash);
    await expect(node.debug.recordTransaction(hash)).rejects.toMatchObject({ code: "RECORDING_LIMIT" });
    const { recording } = await node.debug.recordTransaction(hash, { maxBytes: 2 ** 26 });
    expect(recording.frames).toHaveLength(60_001);
    const { callCount, stepCount } = await plain.ask<Record<string, number>>("hindcast_getCalls", transactionHash, {
      count: 1,
    });
    expect(callCount).toBe(60_001);
    expect(stepCount).toBeGreaterThan(600_000);
  });
});

it("a bound below 16 MiB is refused", async () => {
  await expect(openNode({ limits: { recordingMemory: BOUND - 1 } })).rejects.toMatchObject({ code: "INVALID_OPTION" });
});
