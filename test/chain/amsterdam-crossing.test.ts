/** A chain that goes from Osaka to Amsterdam by time: mined, moved to a fresh node, reorged over the boundary, replayed. */
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { aNode, BOB, type Json, quantity } from "../support/a-node.ts";
import { COUNTER, deploy, send } from "../support/contracts.ts";

const OPTIONS = { hardforkAt: { amsterdam: 1_000 } };

const open = () => aNode(OPTIONS);
const ask = <T = Json>(node: HindcastNode, method: string, ...params: unknown[]) =>
  node.provider.request({ method, params } as never) as Promise<T>;
const isAmsterdam = ({ head }: HindcastNode) => head.header.blockAccessListHash !== undefined;

/** Two blocks of Osaka and two of Amsterdam. */
async function aCrossing(): Promise<HindcastNode> {
  const node = await open();
  const counter = await deploy(node, COUNTER);
  await send(node, { to: counter, gas: quantity(300_000) });
  expect(isAmsterdam(node)).toBe(false);
  await ask(node, "evm_increaseTime", 1_000);
  await send(node, { to: counter, value: "0x0", gas: quantity(300_000) });
  expect(isAmsterdam(node)).toBe(true);
  await send(node, { to: BOB, value: "0x1", gas: quantity(300_000) });
  return node;
}

it("is imported by a fresh node, with the same access lists", async () => {
  const node = await aCrossing();
  const fresh = await open();
  await fresh.importChain(concatBytes(...node.exportChain()));
  expect(encodeData(fresh.head.hash)).toBe(encodeData(node.head.hash));
  for (const number of ["0x3", "0x4"]) {
    const list = await ask(node, "debug_getRawBlockAccessList", number);
    expect(await ask(fresh, "debug_getRawBlockAccessList", number)).toBe(list);
  }
  await expect(ask(fresh, "eth_getBlockAccessList", "0x2")).rejects.toMatchObject({ code: 4445 });
});

it("is reorged over the boundary", async () => {
  const node = await aCrossing();
  const { number } = node.head.header;
  const old = encodeData(node.head.hash);
  await node.reorg({ depth: 3 });
  expect(node.head.header.number).toBeGreaterThanOrEqual(number);
  expect(encodeData(node.head.hash)).not.toBe(old);
  // The old branch is there still, with its list.
  expect(await ask<Json[]>(node, "eth_getBlockAccessListByBlockHash", old)).not.toEqual([]);
  const fresh = await open();
  await fresh.importChain(concatBytes(...node.exportChain()));
  expect(encodeData(fresh.head.hash)).toBe(encodeData(node.head.hash));
});

describe("is replayed by every tracer", () => {
  const BLOCKS = ["0x1", "0x2", "0x3", "0x4"];
  const JAVASCRIPT = `{
    steps: 0, frames: [],
    step(log) { this.steps++; },
    fault() {},
    enter(frame) { this.frames.push(frame.getType()); },
    exit() {},
    result(ctx) { return { steps: this.steps, gasUsed: ctx.gasUsed, frames: this.frames }; },
  }`;

  it.each([
    "callTracer",
    "prestateTracer",
    "4byteTracer",
    "flatCallTracer",
    "noopTracer",
    "stateGasTracer",
    "muxTracer",
  ])("%s", async (tracer) => {
    const node = await aCrossing();
    for (const number of BLOCKS) {
      const traces = await ask<{ txHash: string; result?: unknown }[]>(node, "debug_traceBlockByNumber", number, {
        tracer,
      });
      expect(traces).toHaveLength(1);
      expect(traces[0]).toHaveProperty("result");
    }
  });

  it("one in JavaScript", async () => {
    const node = await aCrossing();
    for (const number of BLOCKS) {
      const [traced] = await ask<{ result: { steps: number; gasUsed: number } }[]>(
        node,
        "debug_traceBlockByNumber",
        number,
        { tracer: JAVASCRIPT },
      );
      const [steps] = await ask<{ result: { structLogs: Json[] } }[]>(node, "debug_traceBlockByNumber", number, {});
      const [receipt] = await ask<{ gasUsed: string }[]>(node, "eth_getBlockReceipts", number);
      expect(traced?.result.steps).toBe(steps?.result.structLogs.length);
      expect(traced?.result.gasUsed).toBe(Number(receipt?.gasUsed));
    }
  });

  it("struct logs and Parity's traces", async () => {
    const node = await aCrossing();
    for (const number of BLOCKS) {
      const [traced] = await ask<{ result: { gas: number } }[]>(node, "debug_traceBlockByNumber", number, {});
      const [receipt] = await ask<{ gasUsed: string }[]>(node, "eth_getBlockReceipts", number);
      expect(traced?.result.gas).toBe(Number(receipt?.gasUsed));
      const types = ["trace", "vmTrace", "stateDiff"];
      const replayed = await ask<Json[]>(node, "trace_replayBlockTransactions", number, types);
      expect(replayed).toHaveLength(1);
    }
  });
});
