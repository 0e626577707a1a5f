/**
 * Slots of blocks and calls (EIP-7843): 12 seconds each since the first block, unless one is given. Simulated blocks have
 * the slot after their parent's.
 */
import { describe, expect, it } from "vitest";
import { encodeBlock } from "../../src/chainspec/header/block.ts";
import { hashHeader } from "../../src/chainspec/header/header.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../src/primitives/hash/hash.ts";
import { aNode, type Json, NOW, quantity, wordText } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";

/** Answers SLOTNUM. */
const SLOTNUM = { data: "0x4b5f5260205ff3" };
const EMPTY = { mixHash: new Uint8Array(32), coinbase: new Uint8Array(20) };
const START = 1_000;
const START_SLOT = Math.floor(START / 12);

const ask = <T = string>(node: HindcastNode, method: string, ...params: unknown[]) =>
  node.provider.request({ method, params } as never) as Promise<T>;
const crossing = () => aNode({ hardfork: "osaka", hardforkAt: { amsterdam: START }, timestamp: NOW });

async function simulated(node: HindcastNode, blockOverrides: Json): Promise<Json> {
  const blocks = [{ blockOverrides, calls: [SLOTNUM] }];
  const [block] = await ask<Json[]>(node, "eth_simulateV1", { blockStateCalls: blocks }, "latest");
  return block as Json;
}

describe("the slot of a block", () => {
  it("is that of its time, also of the first one on Amsterdam", async () => {
    const node = await crossing();
    const { timestamp } = node.head.header;
    const time = Number(timestamp) + START + 5;
    await ask(node, "evm_mine", time);
    expect(node.head.header.slotNumber).toBe(BigInt(START_SLOT));
    // 7 seconds later the next slot has begun, although fewer than 12 have passed.
    await ask(node, "evm_mine", time + 7);
    expect(node.head.header.slotNumber).toBe(BigInt(START_SLOT + 1));
  });

  it("if it is simulated, is the one after its parent's at any time, and none after a parent without one", async () => {
    const node = await crossing();
    const start = Number(node.head.header.timestamp);
    const at = (seconds: number) => ({ time: quantity(start + seconds) });
    const first = await simulated(node, at(START + 5));
    expect(first).toMatchObject({ calls: [{ returnData: wordText(0) }] });
    expect(Object.keys(first)).toContain("blockAccessListHash");
    expect(Object.keys(first)).not.toContain("slotNumber");
    await ask(node, "evm_mine", start + START + 5);
    const blocks = [
      { calls: [SLOTNUM] },
      { blockOverrides: { number: "0x4", ...at(START + 5_000) }, calls: [SLOTNUM] },
      { blockOverrides: { slotNumber: "0x3e8" }, calls: [SLOTNUM] },
      { calls: [SLOTNUM] },
    ];
    const answers = await ask<{ number: string; slotNumber: string; calls: Json[] }[]>(
      ...([node, "eth_simulateV1", { blockStateCalls: blocks }, "latest"] as const),
    );
    // Block 3 fills the gap.
    expect(answers.map(({ number, slotNumber, calls }) => [number, slotNumber, calls[0]?.returnData])).toEqual([
      ["0x2", quantity(START_SLOT + 1), wordText(START_SLOT + 1)],
      ["0x3", quantity(START_SLOT + 2), undefined],
      ["0x4", quantity(START_SLOT + 3), wordText(START_SLOT + 3)],
      ["0x5", "0x3e8", wordText(1_000)],
      ["0x6", "0x3e9", wordText(1_001)],
    ]);
  });

  it("is that of its time in calls that another time, or a comparison, puts on Amsterdam", async () => {
    const node = await crossing();
    const { timestamp } = node.head.header;
    const at = (seconds: number) => ({ time: quantity(Number(timestamp) + seconds) });
    const called = (seconds: number) => ask(node, "eth_call", SLOTNUM, "latest", {}, at(seconds));
    await expect(called(START - 1)).rejects.toThrow("invalid opcode: SLOTNUM");
    expect(await called(START)).toBe(wordText(START_SLOT));
    expect(await called(START + 7)).toBe(wordText(START_SLOT));
    expect(await called(START + 8)).toBe(wordText(START_SLOT + 1));
    expect(await ask(node, "eth_call", SLOTNUM, "latest", {}, { ...at(START), slotNumber: "0x7" })).toBe(wordText(7));
    await ask(node, "evm_mine", Number(timestamp) + 25);
    const compared = async (block: string, blockOverrides?: Json) => {
      const request = { calls: [SLOTNUM], block, hardforks: ["osaka", "amsterdam"], blockOverrides };
      const { runs } = await ask<{ runs: { runs: Json[] }[] }>(node, "hindcast_compareHardforks", request);
      return runs[0]?.runs;
    };
    expect(await compared("latest")).toMatchObject([{ status: "failed" }, { output: wordText(2) }]);
    expect((await compared("0x0"))?.[1]).toMatchObject({ output: wordText(0) });
    expect((await compared("latest", at(36)))?.[1]).toMatchObject({ output: wordText(3) });
    // No slot is earlier than that of the first block.
    expect((await compared("latest", at(-24)))?.[1]).toMatchObject({ output: wordText(0) });
    expect((await compared("latest", { slotNumber: "0x9" }))?.[1]).toMatchObject({ output: wordText(9) });
  });

  it("is that of its time in calls at another time of a chain on Amsterdam", async () => {
    const node = await aNode({ hardfork: "amsterdam", timestamp: NOW });
    const start = Number(node.head.header.timestamp);
    await ask(node, "evm_mine", start + 30);
    const at = (seconds: number) => ({ time: quantity(start + seconds) });
    const called = (seconds: number) => ask(node, "eth_call", SLOTNUM, "latest", {}, at(seconds));
    expect(await called(30)).toBe(wordText(2));
    expect(await called(35)).toBe(wordText(2));
    expect(await called(36)).toBe(wordText(3));
    expect(await called(23)).toBe(wordText(1));
    expect(await called(-1)).toBe(wordText(0));
    expect((await simulated(node, at(36))).slotNumber).toBe("0x3");
    const traced = { tracer: "callTracer", blockOverrides: at(36) };
    expect(await ask(node, "debug_traceCall", SLOTNUM, "latest", traced)).toMatchObject({ output: wordText(3) });
    expect(await ask(node, "trace_call", SLOTNUM, ["trace"], "latest", {}, at(36))).toMatchObject({
      output: wordText(3),
    });
    const many = [{ transactions: [SLOTNUM], blockOverride: at(36) }, { transactions: [SLOTNUM] }];
    expect(await ask(node, "eth_callMany", many, { blockNumber: "latest" })).toEqual([
      [{ value: wordText(3) }],
      [{ value: wordText(3) }],
    ]);
    // Reverts unless the slot is 3.
    const onlyIn3 = { data: encodeData(assemble("3 SLOTNUM EQ @on JUMPI 0 0 REVERT on: STOP")) };
    await expect(ask(node, "eth_estimateGas", onlyIn3, "latest", {}, at(35))).rejects.toThrow("execution reverted");
    await ask(node, "eth_estimateGas", onlyIn3, "latest", {}, at(36));
    await ask(node, "evm_setNextBlockTimestamp", start + 60);
    expect(await ask(node, "eth_call", SLOTNUM, "pending")).toBe(wordText(5));
    expect(await ask(node, "eth_call", SLOTNUM, "pending", {}, at(72))).toBe(wordText(6));
    await node.mine();
    expect(await ask(node, "eth_call", SLOTNUM, "latest")).toBe(wordText(5));
  });

  it("is the one that a call or a simulated block is given", async () => {
    const node = await aNode({ hardfork: "amsterdam" });
    expect(await ask(node, "eth_call", SLOTNUM, "latest", {}, { slotNumber: "0x7" })).toBe(wordText(7));
    expect(await simulated(node, { slotNumber: "0x9" })).toMatchObject({
      ...{ slotNumber: "0x9", calls: [{ returnData: wordText(9) }] },
    });
    const compared = { calls: [SLOTNUM], blockOverrides: { slotNumber: "0x5" }, hardforks: ["amsterdam", "amsterdam"] };
    const { runs } = await ask<{ runs: { runs: Json[] }[] }>(node, "hindcast_compareHardforks", compared);
    expect(runs[0]?.runs[1]).toMatchObject({ output: wordText(5) });
    const wrong = ask(node, "eth_call", SLOTNUM, "latest", {}, { slotNumber: "7" });
    await expect(wrong).rejects.toThrow("slotNumber: expected");
  });

  it("is the one that a payload is built with; blocks on it count from there", async () => {
    const node = await aNode({ hardfork: "amsterdam" });
    const { hash, header } = node.head;
    const time = Number(header.timestamp) + 1;
    const attributes = {
      timestamp: quantity(time),
      prevRandao: wordText(0),
      suggestedFeeRecipient: "0x0000000000000000000000000000000000000000",
      withdrawals: [],
      parentBeaconBlockRoot: wordText(0),
      slotNumber: "0x3e8",
    };
    const built = await ask<Json>(node, "testing_buildBlockV1", encodeData(hash), attributes, []);
    expect(built.executionPayload).toMatchObject({ slotNumber: "0x3e8" });
    const { blockAccessList, blockHash } = built.executionPayload as Record<string, Hex>;
    const list = decodeData(blockAccessList as Hex);
    // The header is made of the payload's members, and gives its hash.
    const mined = { ...header, ...EMPTY, parentHash: hash, number: 1n, timestamp: BigInt(time), slotNumber: 1_000n };
    const { stateRoot, baseFeePerGas } = built.executionPayload as Record<string, Hex>;
    const own = { stateRoot: decodeData(stateRoot as Hex), baseFeePerGas: BigInt(baseFeePerGas as Hex) };
    const whole = { ...mined, ...own, blockAccessListHash: keccak256(list) };
    expect(encodeData(hashHeader(whole))).toBe(blockHash);
    const body = { uncles: [], withdrawals: [], transactions: [] };
    await node.importBlock(encodeBlock({ hash: hashHeader(whole), header: whole, ...body }));
    expect(node.head.header.slotNumber).toBe(1_000n);
    const at = (seconds: number) => ({ time: quantity(time + seconds) });
    expect(await ask(node, "eth_call", SLOTNUM, "latest", {}, at(25))).toBe(wordText(1_002));
    expect((await simulated(node, at(25))).slotNumber).toBe(quantity(1_001));
    await ask(node, "evm_mine", time + 25);
    expect(node.head.header.slotNumber).toBe(1_002n);
  });

  it("before Amsterdam is none, and a given one is ignored", async () => {
    const node = await aNode({ hardfork: "osaka" });
    expect(Object.keys(await simulated(node, { slotNumber: "0x9" }).catch(() => ({})))).not.toContain("slotNumber");
    const call = ask(node, "eth_call", SLOTNUM, "latest", {}, { slotNumber: "0x7" });
    await expect(call).rejects.toThrow("invalid opcode: SLOTNUM");
  });
});
