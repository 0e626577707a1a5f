import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { decodeData, encodeData } from "../../../src/primitives/bytes/hex.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, aNode, BOB, CAROL, NOBODY, NOW, quantity } from "../../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../../support/contracts.ts";

const ask = <T = unknown>(node: HindcastNode, method: string, ...params: unknown[]): Promise<T> =>
  node.provider.send(method, params) as Promise<T>;

/** A little of everything that goes into a header. */
async function live(node: HindcastNode): Promise<void> {
  const emitter = await deploy(node, EMITTER);
  await send(node, { to: emitter, data: logCall([1, 2]) });
  await node.time.increase(1_000n);
  await node.setBalance(decodeData(NOBODY), 5n);
  await node.mine({ blocks: 3, interval: 12n });
  await ask(node, "eth_sendUnsignedTransaction", { from: CAROL, to: BOB, value: "0x1" });
  await node.reorg({ depth: 2, blocks: 3 });
  await node.mine();
}

describe("equal histories have equal hashes", () => {
  it.each([
    ["frontier", "0x6ff118d931eac113842f0fd5db8f4c1848a50602c70fd72f1bed1396816b1f96"],
    ["byzantium", "0x593309a5b9aa43d0c8f956cb9f5d6366687fd9a61cf97b2df6aa5e65b1d65246"],
    ["london", "0x0fe8e7cc6606556e45a7b2502f624bdf55ebe1a3118dfaf96b05d8f329675728"],
    ["osaka", "0x3656d236b7a503ab25dbbcacfe2d5bf979f190f8a6ab847c539809a9b79d6224"],
  ])("on every machine (%s)", async (hardfork, hash) => {
    const node = await aNode({ hardfork });
    await live(node);
    expect(encodeData(node.head.hash)).toBe(hash);
  });

  it("in memory and on disk, with a reopen in between", async () => {
    const options = { hardfork: "london", dataDir: await aFolder(), timestamp: NOW };
    const memory = await aNode({ hardfork: "london" });
    let disk = await aNode(options);
    for (let round = 0; round < 2; round++) {
      await live(memory);
      await live(disk);
      expect(disk.head.hash).toEqual(memory.head.hash);
      await disk.close();
      disk = await aNode(options);
    }
    expect(disk.head.hash).toEqual(memory.head.hash);
  });
});

it("blocks with no seconds between them are a chain that others import", async () => {
  const node = await aNode();
  await ask(node, "anvil_setBlockTimestampInterval", 0);
  await node.mine({ blocks: 2 });
  await send(node, { to: BOB, value: "0x1" });
  expect(node.head.header.timestamp).toBe(BigInt(NOW + 3));
  const other = await aNode({ timestamp: NOW });
  expect(await other.importChain(Buffer.concat([...node.exportChain()]))).toMatchObject({ imported: 3 });
});

describe("time travel outlives the process", () => {
  it.each([
    ["increaseTime", (node: HindcastNode) => node.time.increase(5_000n)],
    ["setTime", (node: HindcastNode) => node.time.set(BigInt(NOW + 5_000))],
    ["mine with a timestamp", (node: HindcastNode) => node.mine({ timestamp: BigInt(NOW + 5_000) })],
    [
      "evm_setNextBlockTimestamp",
      async (node: HindcastNode) => {
        node.time.setNext(BigInt(NOW + 5_000));
        await node.mine();
      },
    ],
  ])("after %s", async (_how, travel) => {
    const options = { dataDir: await aFolder(), timestamp: NOW };
    const node = await aNode(options);
    await travel(node);
    await node.close();
    expect((await aNode(options)).time.now).toBe(BigInt(NOW + 5_000));
  });

  it("and a revert brings back the time of the snapshot for good", async () => {
    const options = { dataDir: await aFolder(), timestamp: NOW };
    const node = await aNode(options);
    const snapshot = await node.snapshot();
    await node.time.increase(5_000n);
    await node.revert(snapshot);
    await node.close();
    expect((await aNode(options)).time.now).toBe(BigInt(NOW));
  });
});

describe("anvil_reorg", () => {
  it("puts given transactions into given blocks, signed by the node or by their sender", async () => {
    const node = await aNode();
    await node.mine({ blocks: 4 });
    const raw = await ask<string>(node, "eth_signTransaction", {
      from: BOB,
      to: ALICE,
      value: "0x9",
      gas: "0x5208",
      nonce: "0x0",
      maxFeePerGas: quantity(10n ** 10n),
      maxPriorityFeePerGas: "0x1",
    });
    const pairs = [
      [{ from: ALICE, to: BOB, value: "0x3" }, 2],
      [{ from: ALICE, to: BOB, value: "0x1" }, 0],
      [raw, 0],
      [{ from: ALICE, to: BOB, value: "0x2" }, 0],
    ];
    expect(await ask(node, "anvil_reorg", 3, pairs)).toBeNull();
    const values = await Promise.all(
      [2n, 3n, 4n].map(async (number) => (node.getBlock(number)?.transactions ?? []).map(({ value }) => value)),
    );
    expect(values.map((list) => [...list].sort())).toEqual([[1n, 2n, 9n], [], [3n]]);
  });

  it("keeps the losing branch and lets its transactions wait again", async () => {
    const node = await aNode();
    const hash = await send(node, { to: BOB });
    const losing = node.head;
    await ask(node, "anvil_reorg", { depth: 1 });
    expect(node.getBlock(losing.hash)?.transactions).toHaveLength(1);
    expect(await ask(node, "eth_getTransactionByHash", hash)).toMatchObject({ blockNumber: null });
    expect(await ask(node, "txpool_status")).toEqual({ pending: "0x1", queued: "0x0" });
  });

  it.each<[string, (node: HindcastNode) => Promise<unknown>]>([
    ["a rollback", (node) => node.rollback(1)],
    ["a reorg to no blocks", (node) => node.reorg({ depth: 1, blocks: 0 })],
  ])("lets the transactions of removed blocks wait again after %s", async (_name, remove) => {
    const node = await aNode();
    const hash = await send(node, { to: BOB, value: "0x1" });
    await remove(node);
    expect(node.head.header.number).toBe(0n);
    const pending = await node.provider.request({ method: "eth_getTransactionByHash", params: [hash] });
    expect(pending).toMatchObject({ hash, blockHash: null });
  });

  it("asked for while blocks are mined prepares its transactions for the block that they follow", async () => {
    const node = await aNode();
    await send(node, { to: BOB });
    // Mined while the reorg prepares: what it replaces then is another block, and the sender's nonce is another.
    const [reorged] = await Promise.all([
      ask(node, "anvil_reorg", 1, [[{ from: ALICE, to: BOB, value: "0x7" }, 0]]),
      node.mine(),
    ]);
    expect(reorged).toBeNull();
    expect(node.getBlock(2n)?.transactions.map(({ nonce, value }) => [nonce, value])).toEqual([[1n, 7n]]);
  });

  it.each([
    ["a depth beyond genesis", [5], "Cannot go back 5 blocks: the head is block 2. Give a depth from 0 to 2."],
    ["a block index that is not below the depth", [1, [["0x", 0]]], "Transaction is not in valid format"],
    ["an index beyond the depth", [1, [[{ from: ALICE, to: BOB }, 1]]], "The block index 1 is not below the depth 1."],
  ])("refuses %s", async (_what, params, message) => {
    const node = await aNode();
    await node.mine({ blocks: 2 });
    await expect(ask(node, "anvil_reorg", ...params)).rejects.toThrow(message);
    expect(node.head.header.number).toBe(2n);
  });
});

describe("hindcast_mine and hindcast_mineSideBlock", () => {
  it("make a block beside the chain and include it as an uncle", async () => {
    const node = await aNode({ hardfork: "london" });
    await node.mine({ blocks: 2 });
    const uncle = await ask<string>(node, "hindcast_mineSideBlock", { coinbase: NOBODY, extraData: "0x1234" });
    const [hash] = await ask<string[]>(node, "hindcast_mine", { uncles: [uncle] });
    expect(await ask(node, "eth_getBlockByHash", hash, false)).toMatchObject({ number: "0x3", uncles: [uncle] });
    expect(await ask(node, "eth_getUncleByBlockNumberAndIndex", "0x3", "0x0")).toMatchObject({
      miner: NOBODY,
      extraData: "0x1234",
    });
    // 5 ETH less a quarter, since Constantinople 2 ETH less an eighth for one generation.
    expect(await ask(node, "eth_getBalance", NOBODY)).toBe(quantity((2n * 10n ** 18n * 7n) / 8n));
  });

  it("say why not after the Merge", async () => {
    const node = await aNode();
    await node.mine({ blocks: 2 });
    for (const [method, params] of [
      ["hindcast_mineSideBlock", []],
      ["hindcast_mine", [{ uncles: [encodeData(node.head.hash)] }]],
    ] as const) {
      await expect(ask(node, method, ...params)).rejects.toMatchObject({ code: -32004 });
    }
  });

  it("name an uncle that nobody knows", async () => {
    const node = await aNode({ hardfork: "london" });
    await expect(ask(node, "hindcast_mine", { uncles: [`0x${"12".repeat(32)}`] })).rejects.toThrow(
      "block not found: 0x1212",
    );
  });
});
