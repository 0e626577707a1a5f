/** Times at the end of what a header has room for: 64 bits of seconds. */
import { describe, expect, it } from "vitest";
import { aFolder } from "../../../support/a-folder.ts";
import { ALICE, aNode, BOB, type Json, NOBODY, NOW } from "../../../support/a-node.ts";

const LAST = 2n ** 64n - 1n;
const hex = (value: bigint): string => `0x${value.toString(16)}`;
const BEYOND = /The time \d+ is beyond what a block can have: 2\^64 - 1 seconds/;

/** A node whose head has the last time that there is, or so many seconds before it. */
async function atTheEnd(before = 0n) {
  const node = await aNode();
  await node.provider.send("evm_mine", [hex(LAST - before)]);
  return node;
}

type Case = readonly [method: string, params: unknown[]];

describe("a time beyond 2^64 - 1", () => {
  const direct: readonly Case[] = [
    ["evm_mine", [hex(LAST + 1n)]],
    ["evm_mine", [{ timestamp: (LAST + 1n).toString() }]],
    ["hindcast_mine", [{ timestamp: hex(LAST + 1n) }]],
    ["evm_setTime", [hex(LAST + 1n)]],
    ["evm_setNextBlockTimestamp", [hex(LAST + 1n)]],
    ["evm_increaseTime", [hex(LAST)]],
    ["evm_increaseTime", [(LAST + 1n).toString()]],
    ["hardhat_mine", ["0x2", hex(LAST)]],
    ["hindcast_mine", [{ blocks: 3, interval: hex(2n ** 63n) }]],
    ["anvil_setBlockTimestampInterval", [hex(LAST)]],
    ["eth_simulateV1", [{ blockStateCalls: [{ blockOverrides: { time: hex(LAST) } }, {}] }]],
    ["eth_simulateV1", [{ blockStateCalls: [{ blockOverrides: { time: hex(LAST + 1n) } }] }]],
    ["eth_call", [{ to: BOB }, "latest", {}, { time: hex(LAST + 1n) }]],
  ];

  it.each(direct)("is refused as a parameter of %s %j", async (method, params) => {
    const node = await aNode();
    const asked = node.provider.send(method, params);
    await expect(asked).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/2\^64|expected a (?:count|timestamp)/),
    });
    await node.provider.send("evm_mine", []);
    expect(await node.provider.send("eth_getBlockByNumber", ["latest", false])).toMatchObject({
      number: "0x1",
      timestamp: hex(1_700_000_001n),
    });
  });

  const after: readonly Case[] = [
    ["evm_mine", []],
    ["hardhat_mine", ["0x20"]],
    ["evm_increaseTime", ["0x1"]],
    ["anvil_reorg", [1]],
    ["eth_getBlockByNumber", ["pending", false]],
    ["eth_sendTransaction", [{ from: ALICE, to: BOB }]],
  ];

  it.each(after)("is not reached by %s %j after the last block", async (method, params) => {
    const node = await atTheEnd();
    const head = await node.provider.send("eth_getBlockByNumber", ["latest", true]);
    await expect(node.provider.send(method, params)).rejects.toThrow(BEYOND);
    expect(await node.provider.send("eth_getBlockByNumber", ["latest", true])).toEqual(head);
  });

  it.each([
    ["eth_sendTransaction", [{ from: ALICE, to: BOB, gas: "0x5208" }]],
    ["eth_sendTransactionSync", [{ from: ALICE, to: BOB, gas: "0x5208" }]],
    ["eth_sendUnsignedTransaction", [{ from: NOBODY, to: BOB, gas: "0x5208" }]],
    ["personal_sendTransaction", [{ from: ALICE, to: BOB, gas: "0x5208" }, ""]],
    [
      "wallet_sendCalls",
      [{ version: "2.0.0", chainId: "0x7a69", from: ALICE, atomicRequired: true, calls: [{ to: BOB }] }],
    ],
  ] as const)("is the error of %s, which leaves no transaction in the pool", async (method, params) => {
    const node = await aNode();
    const { provider } = node;
    await provider.send("anvil_setBalance", [NOBODY, hex(10n ** 18n)]);
    const id = await provider.send("evm_snapshot", []);
    await provider.send("evm_mine", [hex(LAST)]);
    const all = [
      [method, params] as const,
      ["eth_sendTransaction", [{ from: BOB, to: ALICE, gas: "0x5208" }]] as const,
    ];
    for (const asked of await Promise.allSettled(all.map(([name, args]) => provider.send(name, [...args])))) {
      expect(asked).toMatchObject({ status: "rejected", reason: { message: expect.stringMatching(BEYOND) } });
    }
    expect(await provider.send("txpool_status", [])).toEqual({ pending: "0x0", queued: "0x0" });
    await provider.send("evm_revert", [id]);
    await provider.send("eth_sendTransaction", [{ from: BOB, to: ALICE }]);
    expect(await provider.send("eth_getBlockByNumber", ["latest", false])).toMatchObject({
      number: "0x1",
      transactions: [expect.stringMatching(/^0x/)],
    });
  });

  it("keeps transactions of a node that mines by hand until there is a time for their block", async () => {
    // In this dialect a revert leaves the pool as it is.
    const node = await aNode({ mining: "manual", dialect: "anvil" });
    const { provider } = node;
    const id = await provider.send("evm_snapshot", []);
    await provider.send("evm_mine", [hex(LAST)]);
    const hash = await provider.send("eth_sendTransaction", [{ from: ALICE, to: BOB, gas: "0x5208" }]);
    await expect(provider.send("miner_start", [])).rejects.toThrow(BEYOND);
    await expect(provider.send("eth_sendTransaction", [{ from: BOB, to: ALICE, gas: "0x5208" }])).rejects.toThrow(
      BEYOND,
    );
    expect(await provider.send("txpool_status", [])).toEqual({ pending: "0x1", queued: "0x0" });
    await provider.send("evm_revert", [id]);
    await provider.send("miner_start", []);
    expect(await provider.send("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
  });

  it("is one error of interval mining, which goes on from an earlier block", async () => {
    const errors: unknown[] = [];
    let seconds = NOW;
    // Every look at the clock is a second later, so that no two errors name the same time.
    const node = await aNode({ mining: "manual", clock: () => seconds++, onError: (error) => errors.push(error) });
    const { provider } = node;
    await provider.send("evm_mine", [hex(LAST)]);
    await provider.send("hardhat_setIntervalMining", [1]);
    const before = seconds;
    await expect.poll(() => seconds - before).toBeGreaterThan(20);
    expect(errors).toMatchObject([{ message: expect.stringMatching(BEYOND) }]);
    await provider.send("anvil_rollback", [1]);
    await provider.send("evm_setTime", [hex(BigInt(NOW))]);
    await expect.poll(() => node.head.header.number).toBeGreaterThan(1n);
    expect(errors.length).toBe(1);
  });

  it("leaves everything else of the chain as it is: calls, fees, and blocks after a revert", async () => {
    const node = await aNode();
    const id = await node.provider.send("evm_snapshot", []);
    await node.provider.send("evm_mine", [hex(LAST)]);
    expect(await node.provider.send("eth_call", [{ to: BOB }])).toBe("0x");
    expect(await node.provider.send("eth_gasPrice", [])).toMatch(/^0x/);
    await node.provider.send("evm_revert", [id]);
    await node.provider.send("evm_mine", []);
    expect(await node.provider.send("eth_getBlockByNumber", ["latest", false])).toMatchObject({
      timestamp: hex(1_700_000_001n),
    });
  });
});

describe("a time up to 2^64 - 1", () => {
  it("is mined, and is the time again in a folder that is opened later", async () => {
    const dataDir = await aFolder();
    const node = await aNode({ dataDir });
    await node.provider.send("evm_setTime", [hex(LAST - 10n)]);
    await node.provider.send("evm_mine", []);
    const head = await node.provider.send("eth_getBlockByNumber", ["latest", false]);
    expect(head).toMatchObject({ timestamp: hex(LAST - 10n) });
    await node.close();
    const again = await aNode({ dataDir });
    expect(await again.provider.send("eth_getBlockByNumber", ["latest", false])).toEqual(head);
    await again.provider.send("evm_increaseTime", ["0x5"]);
    await again.provider.send("evm_mine", []);
    expect(await again.provider.send("eth_getBlockByNumber", ["latest", false])).toMatchObject({
      timestamp: hex(LAST - 5n),
    });
  });

  it("is loaded from a dump, with the distance from the clock", async () => {
    const node = await atTheEnd(9n);
    const copy = await aNode();
    await copy.provider.send("anvil_loadState", [await node.provider.send("anvil_dumpState", [])]);
    await copy.provider.send("evm_increaseTime", ["0x4"]);
    await copy.provider.send("evm_mine", []);
    expect(await copy.provider.send("eth_getBlockByNumber", ["latest", false])).toMatchObject({
      timestamp: hex(LAST - 5n),
    });
  });

  it("ends a series of blocks with an interval", async () => {
    const node = await atTheEnd(41n);
    await node.provider.send("hardhat_mine", ["0x5", "0xa"]);
    const head = (await node.provider.send("eth_getBlockByNumber", ["latest", false])) as Json;
    expect(BigInt(head.timestamp as string)).toBe(LAST);
  });
});

/** 2023-11-14 and 2062-12-31 in milliseconds; the head is at the first in seconds. */
const MILLISECONDS = [1_700_000_100_000n, 2_934_662_400_000n];

describe("a time in milliseconds", () => {
  const times: readonly (readonly [method: string, params: (time: bigint) => unknown[]])[] = [
    ["evm_setTime", (time) => [Number(time)]],
    ["anvil_setTime", (time) => [time.toString()]],
    ["evm_setNextBlockTimestamp", (time) => [hex(time)]],
    ["evm_setNextBlockTimestamp", (time) => [Number(time)]],
    ["evm_increaseTime", (time) => [Number(time)]],
    ["evm_mine", (time) => [Number(time)]],
    ["evm_mine", (time) => [{ timestamp: hex(time) }]],
    ["hindcast_mine", (time) => [{ timestamp: Number(time), blocks: 2 }]],
    ["eth_call", (time) => [{ to: BOB }, "latest", {}, { time: hex(time) }]],
    ["eth_estimateGas", (time) => [{ to: BOB }, "latest", {}, { timestamp: hex(time) }]],
    ["debug_traceCall", (time) => [{ to: BOB }, "latest", { blockOverrides: { time: hex(time) } }]],
    ["eth_callMany", (time) => [[{ transactions: [{ to: BOB }], blockOverride: { time: hex(time) } }]]],
    ["trace_call", (time) => [{ to: BOB }, ["trace"], "latest", {}, { time: hex(time) }]],
    ["eth_simulateV1", (time) => [{ blockStateCalls: [{ blockOverrides: { time: hex(time) } }] }]],
  ];

  it.each(times)("is refused as a parameter of %s, with the seconds that are meant", async (method, params) => {
    const node = await aNode();
    for (const time of MILLISECONDS) {
      await expect(node.provider.send(method, params(time))).rejects.toMatchObject({
        code: -32602,
        message: `The time ${time} seems to be in milliseconds. Give seconds, such as ${time / 1000n}.`,
      });
    }
    await node.provider.send("evm_mine", []);
    expect(await node.provider.send("eth_getBlockByNumber", ["latest", false])).toMatchObject({
      number: "0x1",
      timestamp: hex(1_700_000_001n),
    });
  });

  it("is refused by the library, as a number and as a bigint", async () => {
    const node = await aNode();
    const [time = 0n] = MILLISECONDS;
    expect(() => node.time.setNext(Number(time))).toThrow("seems to be in milliseconds");
    await expect(node.time.set(time)).rejects.toThrow("seems to be in milliseconds");
    await expect(node.mine({ timestamp: time })).rejects.toThrow("seems to be in milliseconds");
    const london = await aNode({ hardfork: "london" });
    await london.mine();
    await expect(london.mineSideBlock({ timestamp: time })).rejects.toThrow("seems to be in milliseconds");
  });

  it.each([
    ["the most that 40 bits hold", 2n ** 40n - 1n],
    ["before Ethereum's first block", 1_438_269_972_999n],
    ["from the year 2100 on", 4_102_444_800_000n],
    ["the last that there is", LAST],
  ])("is not meant by a time %s", async (_which, time) => {
    const node = await aNode();
    await node.provider.send("evm_setNextBlockTimestamp", [hex(time)]);
    await node.provider.send("evm_mine", []);
    expect(node.head.header.timestamp).toBe(time);
    const code = { [NOBODY]: { code: "0x425f5260205ff3" } };
    const called = await (await aNode()).provider.send("eth_call", [
      { to: NOBODY },
      "latest",
      code,
      { time: hex(time) },
    ]);
    expect(BigInt(called as string)).toBe(time);
  });

  it("is one of seconds on a chain that is as far as that", async () => {
    const [time = 0n] = MILLISECONDS;
    const node = await aNode({ timestamp: time });
    await node.provider.send("evm_mine", [hex(time + 5n)]);
    await node.provider.send("evm_setNextBlockTimestamp", [hex(time + 9n)]);
    await node.provider.send("evm_mine", []);
    expect(node.head.header.timestamp).toBe(time + 9n);
    await node.provider.send("eth_simulateV1", [{ blockStateCalls: [{ blockOverrides: { time: hex(time + 20n) } }] }]);
  });
});
