import { describe, expect, it } from "vitest";
import { ALICE, aNode, BOB, CAROL, type Json, NOW } from "../../../support/a-node.ts";
import { saying } from "../../../support/saying.ts";
import { slowIt } from "../../../support/slow-suite.ts";

const GWEI = 1_000_000_000n;
const hex = (value: bigint | number): `0x${string}` => `0x${value.toString(16)}`;

/** A node with blocks of known tips: block 1 empty; block 2 with tips 1, 3 and 2 gwei and equal gas. */
async function aNodeWithTips(hardfork = "osaka") {
  const node = await aNode({ hardfork, mining: "manual" });
  const ask = (method: string, ...params: unknown[]): Promise<unknown> => node.provider.send(method, params);
  await node.mine();
  for (const [from, tip] of [
    [ALICE, GWEI],
    [BOB, 3n * GWEI],
    [CAROL, 2n * GWEI],
  ] as const) {
    await ask("eth_sendTransaction", {
      from,
      to: ALICE,
      gas: "0x5208",
      maxFeePerGas: hex(10n * GWEI),
      maxPriorityFeePerGas: hex(tip),
    });
  }
  await node.mine();
  return { node, ask };
}

describe("eth_feeHistory", () => {
  it("gives tips by percentile of gas, in order of tip, and zeros for an empty block", async () => {
    const { ask } = await aNodeWithTips();
    const { reward } = (await ask("eth_feeHistory", "0x2", "latest", [0, 33, 34, 66.7, 100])) as Json;
    expect(reward).toEqual([
      ["0x0", "0x0", "0x0", "0x0", "0x0"],
      [GWEI, GWEI, 2n * GWEI, 3n * GWEI, 3n * GWEI].map(hex),
    ]);
  });

  it("gives one base fee more than blocks: that of the next one, as the next block will have it", async () => {
    const { node, ask } = await aNodeWithTips();
    const history = (await ask("eth_feeHistory", 3, "latest", [])) as Record<string, string[]>;
    await node.mine();
    const fees = [0n, 1n, 2n, 3n].map((number) => hex(node.getBlock(number)?.header.baseFeePerGas ?? -1n));
    expect(history).toMatchObject({ oldestBlock: "0x0", baseFeePerGas: fees });
    expect(history).not.toHaveProperty("reward");
  });

  it("has the next base fee where a genesis names the Merge and a later hardfork, but not London", async () => {
    const config = { chainId: 7, terminalTotalDifficulty: 0, shanghaiTime: 0 };
    const genesis = { config, difficulty: "0x0", baseFeePerGas: hex(GWEI), gasLimit: hex(30_000_000n), alloc: {} };
    const node = await aNode({ genesis });
    await node.mine();
    await node.mine();
    const fees = [1n, 2n].map((number) => hex(node.getBlock(number)?.header.baseFeePerGas ?? -1n));
    expect(await node.provider.send("eth_feeHistory", [1, "0x1", []])).toMatchObject({ baseFeePerGas: fees });
  });

  it("counts the gas of a block against its limit, and blob gas against the hardfork's", async () => {
    const { ask } = await aNodeWithTips();
    expect(await ask("eth_feeHistory", 1, "latest", [])).toMatchObject({
      gasUsedRatio: [63_000 / 30_000_000],
      blobGasUsedRatio: [0],
      baseFeePerBlobGas: ["0x1", "0x1"],
    });
  });

  it("is all zeros before London, but for the tip, which is the price", async () => {
    const node = await aNode({ hardfork: "berlin" });
    await node.provider.request({
      method: "eth_sendTransaction",
      params: [{ from: ALICE, to: BOB, gasPrice: hex(5n * GWEI) }],
    });
    const history = await node.provider.request({ method: "eth_feeHistory", params: [1, "latest", [50]] });
    expect(history).toMatchObject({
      baseFeePerGas: ["0x0", "0x0"],
      baseFeePerBlobGas: ["0x0", "0x0"],
      reward: [[hex(5n * GWEI)]],
    });
  });

  it("includes the pending block, with its transactions, when that is the newest", async () => {
    const { ask } = await aNodeWithTips();
    await ask("eth_sendTransaction", {
      from: ALICE,
      to: BOB,
      maxFeePerGas: hex(9n * GWEI),
      maxPriorityFeePerGas: "0x7",
    });
    const { oldestBlock, reward } = (await ask("eth_feeHistory", "0x2", "pending", [50])) as Json;
    expect(oldestBlock).toBe("0x2");
    expect(reward).toEqual([[hex(2n * GWEI)], ["0x7"]]);
  });

  slowIt("answers at most 1024 blocks, and no more than there are", async () => {
    const node = await aNode();
    await node.mine({ blocks: 1_030 });
    const ask = async (count: unknown, newest: string): Promise<Json> =>
      (await node.provider.send("eth_feeHistory", [count, newest, []])) as Json;
    expect(await ask("0xffff", "latest")).toMatchObject({ oldestBlock: hex(1_030 - 1_023) });
    expect((await ask("10", "0x3")).gasUsedRatio).toHaveLength(4);
    expect(await ask(0, "latest")).toMatchObject({ oldestBlock: "0x0", baseFeePerGas: [], gasUsedRatio: [] });
  });

  it.each([
    ["a block after the head", [1, "0x3", []], "request beyond head block: requested 3, head 2"],
    ["a percentile above 100", [1, "latest", [100.5]], "invalid reward percentile: 100.500000"],
    ["equal percentiles", [1, "latest", [5, 5]], "invalid reward percentile: #0:5.000000 >= #1:5.000000"],
    [
      "too many percentiles",
      [1, "latest", Array.from({ length: 101 }, (_, index) => index / 2)],
      "invalid reward percentile: over the query limit 100",
    ],
  ])("refuses %s in geth's words", async (_what, params, message) => {
    const { ask } = await aNodeWithTips();
    await expect(ask("eth_feeHistory", ...params)).rejects.toMatchObject({ code: -32000, message: saying(message) });
  });
});

it("the base fee is that of the next block, the blob base fee that of the head", async () => {
  const { node, ask } = await aNodeWithTips();
  const baseFee = await ask("eth_baseFee");
  await node.mine();
  expect(baseFee).toBe(hex(node.head.header.baseFeePerGas ?? 0n));
  expect(await ask("eth_blobBaseFee")).toBe("0x1");
});

it("there is no base fee before London and no blob base fee before Cancun", async () => {
  const { provider } = await aNode({ hardfork: "berlin", timestamp: NOW });
  expect(await provider.request({ method: "eth_baseFee" })).toBeNull();
  expect(await provider.request({ method: "eth_blobBaseFee" })).toBeNull();
});
