import { describe, expect, it, onTestFinished } from "vitest";
import type { HeadChange } from "../../src/chain/write/head-change.ts";
import { type Block, encodeBlock } from "../../src/chainspec/header/block.ts";
import { openBackend } from "../../src/node/backend.ts";
import { HindcastNode } from "../../src/node/hindcast-node.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, aNode, BOB, CAROL, type Json, NOW, quantity } from "../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../support/contracts.ts";
import { slowIt } from "../support/slow-suite.ts";

const hashOf = (block: Block | undefined): string => encodeData(block?.hash ?? new Uint8Array());
const ask = (node: HindcastNode, method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.send(method, params);

/** Blocks that another node of the same genesis mines, `apart` seconds from each other. */
async function aBranch(options: { length: number; apart?: number; coinbase?: string; hardfork?: string }) {
  const { length, apart = 1, coinbase = addressText(0xc1), hardfork = "petersburg" } = options;
  const node = await aNode({ hardfork, coinbase });
  const blocks: Block[] = [];
  for (let count = 1; count <= length; count++) {
    blocks.push(...(await node.mine({ timestamp: BigInt(NOW + count * apart) })));
  }
  return blocks;
}

const importAll = async (node: HindcastNode, blocks: readonly Block[]): Promise<void> => {
  for (const block of blocks) await node.importBlock(encodeBlock(block));
};

describe("the head before the Merge", () => {
  slowIt("follows total difficulty, not length: a branch of fewer blocks that are harder wins", async () => {
    const node = await aNode({ hardfork: "frontier" });
    const slow = await aBranch({ length: 121, apart: 20, hardfork: "frontier" });
    const fast = await aBranch({ length: 120, apart: 1, hardfork: "frontier" });
    await importAll(node, slow);
    expect(node.head.header.number).toBe(121n);
    await importAll(node, fast);
    expect(node.head.header.number).toBe(120n);
    expect(hashOf(node.head)).toBe(hashOf(fast.at(-1)));
  });

  it("stays with the first of two branches that are equally heavy", async () => {
    const node = await aNode({ hardfork: "petersburg" });
    const first = await aBranch({ length: 3 });
    const second = await aBranch({ length: 3, coinbase: addressText(0xc2) });
    await importAll(node, first);
    await importAll(node, second);
    expect(hashOf(node.head)).toBe(hashOf(first.at(-1)));
    expect(node.getBlock(second[2]?.hash ?? new Uint8Array())).toBeDefined();
    const third = await aBranch({ length: 4, coinbase: addressText(0xc2) });
    await importAll(node, third);
    expect(hashOf(node.head)).toBe(hashOf(third.at(-1)));
  });

  it("can be switched back and forth by import, and the losers stay known", async () => {
    const node = await aNode({ hardfork: "petersburg" });
    const left = await aBranch({ length: 5 });
    const right = await aBranch({ length: 6, coinbase: addressText(0xc2) });
    for (const [index, block] of right.entries()) {
      if (left[index] !== undefined) await importAll(node, [left[index]]);
      await importAll(node, [block]);
    }
    expect(hashOf(node.head)).toBe(hashOf(right.at(-1)));
    for (const block of [...left, ...right]) {
      const shown = (await ask(node, "eth_getBlockByHash", hashOf(block), false)) as Json;
      expect(shown.number).toBe(quantity(block.header.number));
    }
    expect(hashOf(node.getBlock(3n))).toBe(hashOf(right[2]));
  });
});

describe("the head from the Merge on", () => {
  it("is the block imported last", async () => {
    const node = await aNode();
    const long = await aBranch({ length: 4, hardfork: "osaka" });
    const short = await aBranch({ length: 1, hardfork: "osaka", coinbase: addressText(0xc2) });
    await importAll(node, long);
    await importAll(node, short);
    expect(hashOf(node.head)).toBe(hashOf(short[0]));
    expect(await ask(node, "eth_getBlockByNumber", "0x2", false)).toBeNull();
    expect(await ask(node, "eth_getBlockByHash", hashOf(long[3]), false)).not.toBeNull();
  });
});

describe("a side branch", () => {
  it("has its own state, receipts, traces and total difficulty, by hash", async () => {
    const node = await aNode({ hardfork: "petersburg" });
    const miner = await aNode({ hardfork: "petersburg", coinbase: addressText(0xc1) });
    const emitter = await deploy(miner, EMITTER);
    await send(miner, { to: emitter, data: logCall([0xa]) });
    const side = [miner.getBlock(1n), miner.getBlock(2n)].filter((block) => block !== undefined);
    await importAll(node, side);
    await importAll(node, await aBranch({ length: 3, coinbase: addressText(0xc2) }));
    const blockHash = hashOf(side[1]);
    expect(await ask(node, "eth_getCode", emitter, "latest")).toBe("0x");
    expect(await ask(node, "eth_getCode", emitter, { blockHash })).not.toBe("0x");
    const noncanonical = ask(node, "eth_getCode", emitter, { blockHash, requireCanonical: true });
    await expect(noncanonical).rejects.toMatchObject({ code: -32000, message: "hash is not currently canonical" });
    expect(await ask(node, "eth_getLogs", { blockHash })).toMatchObject([{ address: emitter, removed: true }]);
    const traces = (await ask(node, "trace_block", blockHash)) as Json[];
    expect(traces.map(({ type }) => type)).toEqual(["call", "reward"]);
    expect(await ask(node, "eth_getLogs", { fromBlock: "earliest" })).toEqual([]);
  });
});

describe("reorg()", () => {
  it("replaces blocks, tells who left and joined, and puts transactions back in the pool", async () => {
    const node = await aNode();
    const changes: HeadChange[] = [];
    node.onHeadChange((change) => {
      changes.push(change);
    });
    const first = await send(node, { to: BOB, value: "0x1" });
    const second = await send(node, { to: BOB, value: "0x2" });
    const old = [node.getBlock(1n), node.getBlock(2n)];
    changes.length = 0;
    const blocks = await node.reorg({ depth: 2, blocks: 3 });
    expect(blocks.map(({ header }) => header.number)).toEqual([1n, 2n, 3n]);
    expect(changes.flatMap(({ removed }) => removed.map(hashOf))).toEqual(old.map(hashOf));
    expect(changes.flatMap(({ added }) => added.map(hashOf))).toEqual(blocks.map(hashOf));
    for (const hash of [first, second]) {
      expect(await ask(node, "eth_getTransactionByHash", hash)).toMatchObject({ hash, blockNumber: null });
      expect(await ask(node, "eth_getTransactionReceipt", hash)).toBeNull();
    }
    expect(await ask(node, "eth_getTransactionCount", ALICE, "latest")).toBe("0x0");
    expect(await ask(node, "eth_getTransactionCount", ALICE, "pending")).toBe("0x2");
    const [next] = await node.mine();
    expect(next?.transactions.map(({ hash }) => encodeData(hash))).toEqual([first, second]);
  });

  it("takes transactions for the new blocks; one with the same nonce makes the old one vanish", async () => {
    const node = await aNode();
    const old = await send(node, { to: BOB, value: "0x1" });
    const other = await aNode();
    await send(other, { to: CAROL, value: "0x7" });
    const replacement = other.head.transactions;
    const [block] = await node.reorg({ depth: 1, blocks: [replacement] });
    expect(block?.transactions.map(({ hash }) => encodeData(hash))).toEqual(
      replacement.map(({ hash }) => encodeData(hash)),
    );
    expect(await ask(node, "eth_getTransactionByHash", old)).toBeNull();
    expect(await ask(node, "trace_transaction", old)).toBeNull();
  });

  it("is one write: all of it happens, or nothing", async () => {
    const backend = await openBackend({ clock: () => NOW });
    const node = new HindcastNode(backend, {});
    onTestFinished(() => node.close());
    await send(node, { to: BOB, value: "0x1" });
    await node.setBalance(decodeData(CAROL), 7n);
    await node.mine({ blocks: 3 });
    const before = { head: hashOf(node.head), logs: await ask(node, "trace_filter", {}) };
    const changes: HeadChange[] = [];
    node.onHeadChange((change) => {
      changes.push(change);
    });
    const batch = backend.store.batch.bind(backend.store);
    const writes: (() => Promise<void>)[] = [];
    let isBroken = true;
    backend.store.batch = () => {
      const made = batch();
      const write = made.write.bind(made);
      made.write = () => {
        writes.push(write);
        return isBroken ? Promise.reject(new Error("no space left")) : write();
      };
      return made;
    };
    await expect(node.reorg({ depth: 4, blocks: 5 })).rejects.toThrow("no space left");
    expect([writes.length, changes.length]).toEqual([1, 0]);
    expect({ head: hashOf(node.head), logs: await ask(node, "trace_filter", {}) }).toEqual(before);
    isBroken = false;
    const blocks = await node.reorg({ depth: 3, blocks: 5 });
    expect(writes.length).toBe(2);
    expect(changes.map(({ removed, added }) => [removed.length, added.map(hashOf)])).toEqual([[3, blocks.map(hashOf)]]);
    // Edits after block 1 still apply when block 2 is another one.
    expect(await ask(node, "eth_getBalance", CAROL, "latest")).toBe("0x7");
    expect(await ask(node, "eth_getBalance", CAROL, "0x0")).toBe(quantity(10_000n * 10n ** 18n));
  });

  it("of depth 0 only adds, and one beyond genesis is refused", async () => {
    const node = await aNode();
    await node.mine({ blocks: 2 });
    expect(await node.reorg({ depth: 0, blocks: 1 })).toHaveLength(1);
    await expect(node.reorg({ depth: 4 })).rejects.toThrow(/depth/);
    expect(node.head.header.number).toBe(3n);
  });
});

describe("rollback()", () => {
  it("goes back to the state of then", async () => {
    const node = await aNode();
    const root = node.head.header.stateRoot;
    for (let count = 0; count < 3; count++) await send(node, { to: BOB, value: "0x1" });
    const { removed, added } = await node.rollback(3);
    expect([removed.length, added.length]).toEqual([3, 0]);
    expect(node.head.header.stateRoot).toEqual(root);
    expect(await ask(node, "eth_getBalance", BOB)).toBe(quantity(10_000n * 10n ** 18n));
    expect(await ask(node, "eth_getBlockByNumber", "0x1", false)).toBeNull();
  });
});

describe("writers", () => {
  it("queue: what is asked for at once happens one after the other, and each sees what the one before did", async () => {
    const node = await aNode();
    const all = await Promise.all([
      node.mine({ blocks: 2 }),
      node.setBalance(decodeData(CAROL), 5n),
      node.mine(),
      node.reorg({ depth: 1 }),
      node.mine({ blocks: 2 }),
    ]);
    expect(node.head.header.number).toBe(5n);
    const last = all[4] as readonly Block[];
    expect(hashOf(node.getBlock(5n))).toBe(hashOf(last[1]));
    expect(await ask(node, "eth_getBalance", CAROL)).toBe("0x5");
  });

  it("leave a call at the state it began with, whatever is mined and edited meanwhile", async () => {
    const node = await aNode();
    const reading = ask(node, "eth_call", { from: BOB, to: CAROL, value: "0x1" });
    const balances = Promise.all(Array.from({ length: 20 }, () => ask(node, "eth_getBalance", CAROL, "latest")));
    await Promise.all([node.setBalance(decodeData(CAROL), 1n), node.mine({ blocks: 5 })]);
    expect(await reading).toBe("0x");
    expect(new Set(await balances).size).toBe(1);
  });
});
