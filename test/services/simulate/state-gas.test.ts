/** Gas in two dimensions, as geth's tracers show it from Amsterdam on (EIP-8037, execution-apis#852). */
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../../src/chainspec/hardforks/hardforks.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import { ALICE, aNode, BOB, type Json, NOBODY, quantity } from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { deploy, receiptOf, send } from "../../support/contracts.ts";

/** State gas of a slot. */
const NEW_SLOT = 97_920;
/** Writes a slot that stays, and one that is zero again in the end; then calls an account. */
const WRITER = assemble(`1 0 SSTORE 1 1 SSTORE 0 1 SSTORE 0 0 0 0 0 ${BOB} GAS CALL`);

const on = (hardfork: Hardfork) => aNode({ hardfork });
const trace = (node: HindcastNode, hash: Hex, config: Json = {}) =>
  node.provider.request({ method: "debug_traceTransaction", params: [hash, config] } as never) as Promise<Json>;

async function written(node: HindcastNode): Promise<Hex> {
  const writer = await deploy(node, WRITER);
  return send(node, { to: writer, gas: quantity(500_000) });
}

describe("gas in two dimensions", () => {
  it("is what stateGasTracer shows: what a block counts, and the refund", async () => {
    const node = await on("amsterdam");
    const hash = await written(node);
    const shown = await trace(node, hash, { tracer: "stateGasTracer" });
    const { gasUsed } = await receiptOf(node, hash);
    expect(shown).toMatchObject({ gasUsed, stateGasUsed: quantity(NEW_SLOT) });
    const { executionGasUsed, stateGasUsed, gasRefund } = shown as Record<string, string>;
    expect(Number(executionGasUsed) + Number(stateGasUsed)).toBe(Number(gasUsed) + Number(gasRefund));
    expect(Number(gasRefund)).toBeGreaterThan(0);
    // The larger dimension is the block's gas.
    expect(node.head.header.gasUsed).toBe(BigInt(NEW_SLOT));
  });

  it("stands in the outermost frame of callTracer, in the totals of struct logs, and below muxTracer", async () => {
    const node = await on("amsterdam");
    const hash = await written(node);
    const { gasUsed: _, ...dimensions } = await trace(node, hash, { tracer: "stateGasTracer" });
    const call = await trace(node, hash, { tracer: "callTracer" });
    expect(call).toMatchObject(dimensions);
    expect(Object.keys((call.calls as Json[])[0] as Json)).not.toContain("stateGasUsed");
    const numbers = Object.fromEntries(Object.entries(dimensions).map(([name, gas]) => [name, Number(gas)]));
    expect(await trace(node, hash)).toMatchObject(numbers);
    const mux = { tracer: "muxTracer", tracerConfig: { stateGasTracer: {}, callTracer: {} } };
    expect(await trace(node, hash, mux)).toMatchObject({ stateGasTracer: dimensions, callTracer: dimensions });
  });

  it("stands in receipts, and in calls of eth_simulateV1", async () => {
    const node = await on("amsterdam");
    const writer = await deploy(node, WRITER);
    const hash = await send(node, { to: writer, gas: quantity(500_000) });
    const shown = await trace(node, hash, { tracer: "stateGasTracer" });
    const receipt = await receiptOf(node, hash);
    expect(receipt).toMatchObject(shown);
    const ask = (method: string, ...params: unknown[]) => node.provider.request({ method, params } as never);
    expect(await ask("eth_getBlockReceipts", "latest")).toEqual([receipt]);
    expect(await ask("ots_getBlockTransactions", "0x2", 0, 1)).toMatchObject({ receipts: [shown] });
    const { dimensions } = node.getReceipts(node.head)[0] ?? {};
    expect(dimensions).toMatchObject({ stateGasUsed: BigInt(NEW_SLOT), gasRefund: BigInt(receipt.gasRefund ?? 0) });
    // Before the transaction was mined, as then.
    const calls = [{ from: ALICE, to: writer, gas: quantity(500_000) }];
    const [block] = (await ask("eth_simulateV1", { blockStateCalls: [{ calls }] }, "0x1")) as unknown as Json[];
    expect((block as Json).calls).toMatchObject([shown]);
  });

  it("has the floor for calldata in the dimension of execution (EIP-7976)", async () => {
    const node = await on("amsterdam");
    const hash = await send(node, { to: BOB, data: `0x${"00".repeat(1_000)}` });
    const gas = quantity(15_000 + 64_000);
    expect(await trace(node, hash, { tracer: "stateGasTracer" })).toEqual({
      ...{ gasUsed: gas, executionGasUsed: gas, stateGasUsed: "0x0", gasRefund: "0x0" },
    });
  });

  it("is shown for calls", async () => {
    const node = await on("amsterdam");
    const params = [{ from: ALICE, to: NOBODY, value: "0x1" }, "latest", { tracer: "stateGasTracer" }];
    const shown = await node.provider.request({ method: "debug_traceCall", params } as never);
    expect(shown).toMatchObject({ executionGasUsed: quantity(21_000), stateGasUsed: quantity(183_600) });
  });

  it("is not shown before Amsterdam, except by stateGasTracer, where all of it is for execution", async () => {
    const node = await on("osaka");
    const hash = await written(node);
    const receipt = await receiptOf(node, hash);
    for (const name of ["executionGasUsed", "stateGasUsed", "gasRefund"]) expect(receipt).not.toHaveProperty(name);
    const calls = [{ from: ALICE, to: receipt.to }];
    const params = [{ blockStateCalls: [{ calls }] }];
    const simulated = await node.provider.request({ method: "eth_simulateV1", params } as never);
    expect(JSON.stringify(simulated)).not.toMatch(/stateGasUsed|executionGasUsed|gasRefund/);
    const { gasUsed, executionGasUsed, stateGasUsed, gasRefund } = await trace(node, hash, {
      tracer: "stateGasTracer",
    });
    expect({ gasUsed, stateGasUsed }).toEqual({ gasUsed: (await receiptOf(node, hash)).gasUsed, stateGasUsed: "0x0" });
    expect(Number(executionGasUsed)).toBe(Number(gasUsed) + Number(gasRefund));
    for (const config of [{}, { tracer: "callTracer" }]) {
      expect(Object.keys(await trace(node, hash, config))).not.toContain("stateGasUsed");
    }
  });

  it("is told by gas profiles, and by their tables", async () => {
    const node = await on("amsterdam");
    const profile = await node.gasProfile(await written(node));
    expect(profile.stateGasUsed).toBe(BigInt(NEW_SLOT));
    expect(profile.toTable()).toContain(", of which 97,920 for new state\n");
    const before = await on("osaka");
    const earlier = await before.gasProfile(await written(before));
    expect(earlier.stateGasUsed).toBe(0n);
    expect(earlier.toTable()).not.toContain("new state");
  });

  it("of a creation is that of its account and code, which profiles name", async () => {
    const data = "0x600160005360016000f3"; // Deploys one byte.
    const names = async (hardfork: Hardfork) => {
      const node = await on(hardfork);
      const params = [await send(node, { data })];
      const profile = await node.provider.request({ method: "hindcast_gasProfile", params } as never);
      const { stateGasUsed, functions } = profile as unknown as { stateGasUsed: number; functions: Json[] };
      const { self } = functions.find(({ name }) => String(name).includes("code deposit")) as Json;
      return { stateGasUsed, self, names: functions.map(({ name }) => name) };
    };
    // 120 bytes and one byte; the hash of a word costs 6.
    expect(await names("amsterdam")).toMatchObject({ stateGasUsed: 121 * 1_530, self: 121 * 1_530 + 6 });
    expect((await names("amsterdam")).names).toContain("new account and code deposit");
    expect(await names("osaka")).toMatchObject({ stateGasUsed: 0, self: 200 });
  });
});
