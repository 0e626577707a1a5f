import { describe, expect, it } from "vitest";
import type { HeadChange } from "../../../src/chain/write/head-change.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { decodeData, encodeData } from "../../../src/primitives/bytes/hex.ts";
import { ALICE, aNode, BOB, NOBODY, NOW, quantity } from "../../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../../support/contracts.ts";
import { slowIt } from "../../support/slow-suite.ts";

const nobody = decodeData(NOBODY);

async function balanceOf(node: HindcastNode, address: `0x${string}` = NOBODY): Promise<bigint> {
  return BigInt(await node.provider.request({ method: "eth_getBalance", params: [address] }));
}

const pooled = async (node: HindcastNode): Promise<unknown> => node.provider.request({ method: "txpool_status" });

describe("node.snapshot() and node.revert()", () => {
  it("go back any number of times: a revert does not use the snapshot up", async () => {
    const node = await aNode();
    await node.mine();
    const snapshot = await node.snapshot();
    for (const value of [1n, 2n, 3n]) {
      await node.setBalance(nobody, value);
      await node.mine({ blocks: Number(value) });
      expect(await balanceOf(node)).toBe(value);
      await node.revert(snapshot);
      expect([node.head.header.number, await balanceOf(node)]).toEqual([1n, 0n]);
    }
  });

  it("keep the edits that were made on the head when it was taken, and drop later ones", async () => {
    const node = await aNode();
    await node.mine();
    await node.setBalance(nobody, 5n);
    const snapshot = await node.snapshot();
    await node.setBalance(nobody, 6n);
    await node.revert(snapshot);
    expect(await balanceOf(node)).toBe(5n);
    await node.mine();
    await node.revert(snapshot);
    expect(await balanceOf(node)).toBe(5n);
  });

  it("nest, and lead forward again to one that lies after another", async () => {
    const node = await aNode();
    const first = await node.snapshot();
    await node.mine({ blocks: 2 });
    await node.setBalance(nobody, 7n);
    const second = await node.snapshot("second");
    await node.revert(first);
    expect(node.head.header.number).toBe(0n);
    await node.mine({ blocks: 9 });
    await node.revert("second");
    expect([node.head.hash, await balanceOf(node)]).toEqual([second.blockHash, 7n]);
  });

  it("have names, and a name moves to the newest snapshot of that name", async () => {
    const node = await aNode();
    await node.snapshot("here");
    await node.mine();
    await node.snapshot("here");
    await node.mine();
    await node.revert("here");
    expect(node.head.header.number).toBe(1n);
    await expect(node.revert("there")).rejects.toMatchObject({
      code: "SNAPSHOT_NOT_FOUND",
      message: 'This node has no snapshot "there". Go back only to what snapshot() of the same node gave.',
    });
  });

  it("are refused by another node", async () => {
    const [one, other] = [await aNode(), await aNode()];
    await expect(other.revert(await one.snapshot())).rejects.toMatchObject({ code: "SNAPSHOT_NOT_FOUND" });
  });

  it("restore time and what was set for blocks to come", async () => {
    let now = NOW;
    const node = await aNode({ clock: () => now });
    await node.time.increase(100n);
    node.setMiningMode("manual");
    const ask = (method: string, ...params: unknown[]): Promise<unknown> => node.provider.send(method, params);
    await ask("anvil_setNextBlockBaseFeePerGas", "0x7");
    await ask("evm_setNextBlockTimestamp", NOW + 500);
    await ask("anvil_setCoinbase", BOB);
    const snapshot = await node.snapshot();
    await node.mine();
    node.setMiningMode("auto");
    await ask("anvil_setCoinbase", ALICE);
    await ask("anvil_setBlockTimestampInterval", 12);
    await node.time.increase(5_000n);
    now += 60;
    await node.revert(snapshot);
    expect([node.time.now, node.miningMode]).toEqual([BigInt(NOW + 100), "manual"]);
    const [block] = await node.mine();
    expect(block?.header).toMatchObject({
      baseFeePerGas: 7n,
      timestamp: BigInt(NOW + 500),
      coinbase: decodeData(BOB),
    });
  });

  it("restore what waited, and forget what was sent and mined since", async () => {
    const node = await aNode();
    node.setMiningMode("manual");
    const before = await send(node, { to: BOB });
    await send(node, { to: BOB, nonce: quantity(5) });
    const snapshot = await node.snapshot();
    const mined = await send(node, { to: BOB });
    await node.mine();
    const since = await send(node, { from: BOB, to: ALICE });
    await node.revert(snapshot);
    expect(await pooled(node)).toEqual({ pending: "0x1", queued: "0x1" });
    const find = (hash: string) => node.provider.send("eth_getTransactionByHash", [hash]);
    expect(await find(before)).toMatchObject({ blockNumber: null });
    expect([await find(mined), await find(since)]).toEqual([null, null]);
    const [block] = await node.mine();
    expect(block?.transactions.map((tx) => encodeData(tx.hash))).toEqual([before]);
  });

  it("keep the order of arrival of what waits again, and tell filters of it", async () => {
    const node = await aNode({ transactionOrder: "fifo", mining: "manual" });
    const first = await send(node, { from: BOB, to: ALICE });
    const second = await send(node, { from: ALICE, to: BOB });
    const filter = await node.provider.request({ method: "eth_newPendingTransactionFilter" });
    const snapshot = await node.snapshot();
    await node.mine();
    await node.revert(snapshot);
    expect(await node.provider.request({ method: "eth_getFilterChanges", params: [filter] })).toEqual([first, second]);
    await node.revert(snapshot);
    expect(await node.provider.request({ method: "eth_getFilterChanges", params: [filter] })).toEqual([]);
    const [block] = await node.mine();
    expect(block?.transactions.map((tx) => encodeData(tx.hash))).toEqual([first, second]);
  });

  it("leave out what its sender can no longer pay", async () => {
    const node = await aNode({ mining: "manual" });
    const sent = await send(node, { from: ALICE, to: BOB, value: quantity(10n ** 18n) });
    const snapshot = await node.snapshot();
    await node.setBalance(decodeData(ALICE), 0n);
    expect(await pooled(node)).toEqual({ pending: "0x0", queued: "0x0" });
    await node.revert(snapshot);
    expect(await node.provider.send("eth_getTransactionByHash", [sent])).toMatchObject({ blockNumber: null });
  });

  it("announce the blocks that leave, in one change, also to filters, as removed logs", async () => {
    const node = await aNode();
    const emitter = await deploy(node, EMITTER);
    const filter = await node.provider.request({ method: "eth_newFilter", params: [{ address: emitter }] });
    const snapshot = await node.snapshot();
    await send(node, { to: emitter, data: logCall([1]) });
    await node.mine();
    const changes: HeadChange[] = [];
    node.onHeadChange((change) => {
      changes.push(change);
    });
    await node.revert(snapshot);
    expect(changes.map(({ removed, added }) => [removed.map(({ header }) => header.number), added])).toEqual([
      [[2n, 3n], []],
    ]);
    const logs = await node.provider.request({ method: "eth_getFilterChanges", params: [filter] });
    expect(logs).toMatchObject([{ removed: false }, { removed: true }]);
  });

  slowIt("cost about the same however long the chain is", async () => {
    const [empty, long] = [await aNode(), await aNode()];
    await long.mine({ blocks: 500 });
    const cheapest = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 10; round++) {
      for (const [index, node] of [empty, long].entries()) {
        const before = process.cpuUsage();
        for (let count = 0; count < 100; count++) await node.snapshot();
        const { user, system } = process.cpuUsage(before);
        cheapest[index] = Math.min(cheapest[index] ?? 0, user + system);
      }
    }
    // Microseconds of processor time. A copy of the chain or of its state would cost hundreds of times as much.
    expect(cheapest[1]).toBeLessThan(5 * (cheapest[0] ?? 0) + 1_000);
  });
});

describe("evm_snapshot and evm_revert", () => {
  it("count from 0x0 over the whole life of the node, whatever the library takes in between", async () => {
    const node = await aNode();
    const { provider } = node;
    expect(await provider.request({ method: "evm_snapshot" })).toBe("0x0");
    await node.snapshot("mine");
    expect(await provider.request({ method: "evm_snapshot" })).toBe("0x1");
    expect(await provider.request({ method: "evm_revert", params: ["0x0"] })).toBe(true);
    expect(await provider.request({ method: "evm_revert", params: ["0x1"] })).toBe(false);
    expect(await provider.request({ method: "evm_snapshot" })).toBe("0x2");
    await node.revert("mine");
  });

  it("take ids in the spellings that clients use", async () => {
    const { provider } = await aNode();
    for (const id of [0, "1", "0x02"]) {
      await provider.request({ method: "evm_snapshot" });
      expect(await provider.request({ method: "evm_revert", params: [id] })).toBe(true);
    }
  });
});

describe("anvil_reset", () => {
  it("leaves a chain that makes the same blocks as a new one", async () => {
    const [used, fresh] = [await aNode(), await aNode()];
    await send(used, { to: BOB, value: quantity(5n) });
    await used.setBalance(nobody, 5n);
    await used.time.increase(1_000n);
    await used.provider.request({ method: "evm_snapshot" });
    await used.provider.request({ method: "anvil_setCoinbase", params: [BOB] });
    await used.reset();
    expect(await used.provider.request({ method: "evm_revert", params: ["0x0"] })).toBe(false);
    for (const node of [used, fresh]) await send(node, { to: BOB, value: quantity(1n) });
    expect(used.head.hash).toEqual(fresh.head.hash);
  });
});
