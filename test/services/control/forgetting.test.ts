import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Block } from "../../../src/chainspec/header/block.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { encodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import { TrieKeys } from "../../../src/state/trie/trie-keys.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, aNode, BOB, CAROL, NOBODY, NOW } from "../../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../../support/contracts.ts";
import { stepClock } from "../../support/stepping-clock.ts";

const ask = <T = unknown>(node: HindcastNode, method: string, ...params: unknown[]): Promise<T> =>
  node.provider.send(method, params) as Promise<T>;
const knows = (node: HindcastNode, hash: Uint8Array): boolean => node.getBlock(hash) !== undefined;
const balance = (node: HindcastNode, address: Hex, block: unknown = "latest"): Promise<Hex> =>
  ask(node, "eth_getBalance", address, block);

/** A block that was taken back. */
interface Taken {
  readonly block: Block;
  readonly hash: Hex;
  readonly id: { readonly blockHash: Hex };
}

/** A block with a transfer to NOBODY. */
async function aBlock(node: HindcastNode): Promise<Uint8Array> {
  await send(node, { to: NOBODY, value: "0x1" });
  return node.head.hash;
}

describe("a revert in memory", () => {
  it("deletes the blocks that left, their states and receipts, and no state that is left", async () => {
    const node = await aNode();
    const kept = await aBlock(node);
    const snapshot = await node.snapshot();
    const gone = [await aBlock(node), await aBlock(node)];
    await node.revert(snapshot);
    expect(gone.map((hash) => knows(node, hash))).toEqual([false, false]);
    expect(await ask(node, "eth_getBlockReceipts", encodeData(gone[0] ?? kept))).toBeNull();
    expect(knows(node, kept)).toBe(true);
    expect(await balance(node, NOBODY)).toBe("0x1");
    expect(await balance(node, NOBODY, "0x0")).toBe("0x0");
    await aBlock(node);
    expect(await balance(node, NOBODY)).toBe("0x2");
    expect(await ask<{ accounts: object }>(node, "debug_accountRange", "latest", "0x00", 256)).toHaveProperty(
      "accounts",
    );
  });

  it("keeps what another snapshot leads back to, until that is no more", async () => {
    const node = await aNode();
    const start = await node.snapshot("start");
    const first = await aBlock(node);
    await node.snapshot("first");
    const second = await aBlock(node);
    await node.revert(start);
    expect([knows(node, first), knows(node, second)]).toEqual([true, false]);
    await node.revert("first");
    expect(await balance(node, NOBODY)).toBe("0x1");
    await node.revert(start);
    const other = await aBlock(node);
    await node.snapshot("first");
    expect(other).toEqual(first);
    await node.revert("first");
    expect(await balance(node, NOBODY)).toBe("0x1");
  });

  it("frees what numbered snapshots held once they are used up", async () => {
    const node = await aNode();
    const id = await ask(node, "evm_snapshot");
    const first = await aBlock(node);
    await ask(node, "evm_snapshot");
    const second = await aBlock(node);
    expect(await ask(node, "evm_revert", id)).toBe(true);
    // The request that asked for it was still reading.
    await node.mine();
    expect([knows(node, first), knows(node, second)]).toEqual([false, false]);
  });

  it("keeps edits on which another snapshot rests", async () => {
    const node = await aNode();
    const start = await node.snapshot();
    await node.setBalance(new Uint8Array(20).fill(1), 7n);
    const edited = await node.snapshot();
    await node.setBalance(new Uint8Array(20).fill(1), 8n);
    await node.mine();
    await node.revert(start);
    await node.revert(edited);
    expect(await balance(node, `0x${"01".repeat(20)}`)).toBe("0x7");
  });

  it("tells filters of removed logs all the same, and deletes their blocks afterwards", async () => {
    const node = await aNode();
    const emitter = await deploy(node, EMITTER);
    const filter = await ask(node, "eth_newFilter", { address: emitter });
    const snapshot = await node.snapshot();
    await send(node, { to: emitter, data: logCall([1]) });
    const gone = node.head.hash;
    await node.revert(snapshot);
    const changes = await ask<{ removed: boolean; blockHash: Hex }[]>(node, "eth_getFilterChanges", filter);
    expect(changes.map(({ removed }) => removed)).toEqual([false, true]);
    expect(changes[1]?.blockHash).toBe(encodeData(gone));
    await node.revert(snapshot);
    expect(knows(node, gone)).toBe(false);
  });

  it("forgets the hashes of addresses when the chain is reset, and not at other reverts", async () => {
    const clear = vi.spyOn(TrieKeys.prototype, "clear");
    onTestFinished(() => clear.mockRestore());
    const node = await aNode();
    for (let times = 0; times < 2; times++) {
      const snapshot = await node.snapshot();
      await aBlock(node);
      await node.revert(snapshot);
      await aBlock(node);
    }
    expect(clear).not.toHaveBeenCalled();
    await ask(node, "hardhat_reset");
    expect(clear).toHaveBeenCalled();
    await aBlock(node);
    expect(await balance(node, NOBODY)).toBe("0x1");
  });

  it("waits for branches, which read what they share", async () => {
    const node = await aNode();
    const snapshot = await node.snapshot();
    const shared = await aBlock(node);
    const branch = await node.branch();
    await node.revert(snapshot);
    expect([knows(node, shared), knows(branch, shared)]).toEqual([true, true]);
    expect(await balance(branch, NOBODY)).toBe("0x1");
    await send(branch, { from: BOB, to: CAROL, value: "0x1" });
    await branch.close();
    await node.revert(snapshot);
    expect(knows(node, shared)).toBe(false);
  });

  it("keeps the blocks that a branch began with, even if the branch mines one of them again", async () => {
    const node = await aNode({ timestamp: NOW, clock: () => NOW });
    const shared = [...(await node.mine({ blocks: 2 }))];
    await using branch = await node.branch();
    const [top, bottom] = [await branch.snapshot(), await branch.rollback(2).then(() => branch.snapshot())];
    expect((await branch.mine())[0]?.hash).toEqual(shared[0]?.hash);
    await branch.revert(bottom);
    expect(shared.map(({ hash }) => knows(branch, hash))).toEqual([true, true]);
    await branch.revert(top);
    expect(branch.head.hash).toEqual(top.blockHash);
  });

  it("keeps the blocks of a state file, even if one is mined again", async () => {
    const source = await aNode({ timestamp: NOW, clock: () => NOW });
    const blocks = [...(await source.mine({ blocks: 2 }))];
    const node = await aNode({ timestamp: NOW, clock: () => NOW });
    await ask(node, "anvil_loadState", await ask(source, "anvil_dumpState", true));
    const [top, bottom] = [await node.snapshot(), await node.rollback(2).then(() => node.snapshot())];
    expect((await node.mine())[0]?.hash).toEqual(blocks[0]?.hash);
    await node.revert(bottom);
    await node.revert(top);
    expect(node.head.hash).toEqual(blocks[1]?.hash);
  });

  it("waits for traces that are under way", async () => {
    const node = await aNode();
    const snapshot = await node.snapshot();
    const block = await aBlock(node);
    const { number } = node.head.header;
    const tracing = node.trace.replayBlock({ number }, ["trace", "stateDiff"]);
    await node.revert(snapshot);
    expect(await tracing).toHaveLength(1);
    await node.mine();
    expect(knows(node, block)).toBe(false);
  });

  it.each<[string, (node: HindcastNode) => AsyncGenerator<unknown>]>([
    ["trace.eachMatch", (node) => node.trace.eachMatch({ fromBlock: { number: 0n }, toBlock: { number: 4n } })],
    ["debug.recordBlock", (node) => node.debug.recordBlock(node.head)],
    ["debug.eachStructLog", (node) => node.debug.eachStructLog(node.head.transactions[0]?.hash ?? new Uint8Array())],
  ])("waits for whoever reads %s one by one, to the end or until he leaves off", async (_name, read) => {
    const node = await aNode();
    const emitter = await deploy(node, EMITTER);
    const snapshot = await node.snapshot();
    for (const leavesOff of [false, true]) {
      for (let left = 3; left > 0; left--) await send(node, { to: emitter, data: logCall([1]) });
      const { hash } = node.head;
      const items = read(node);
      expect((await items.next()).done).toBe(false);
      await node.revert(snapshot);
      expect(knows(node, hash)).toBe(true);
      if (leavesOff) await items.return(undefined);
      else while ((await items.next()).done !== true);
      await node.mine();
      expect(knows(node, hash)).toBe(false);
      await node.revert(snapshot);
    }
  });

  it("is not held up by traces that have ended", async () => {
    const node = await aNode();
    const snapshot = await node.snapshot();
    const hash = await aBlock(node);
    const { number } = node.head.header;
    const txHash = node.head.transactions[0]?.hash ?? hash;
    await node.debug.recordTransaction(txHash);
    await node.renderTrace(txHash);
    await node.trace.block({ number });
    await node.revert(snapshot);
    expect(knows(node, hash)).toBe(false);
  });

  it.each<[string, (node: HindcastNode, taken: Taken) => Promise<unknown>]>([
    ["eth_getBalance", (node, { id }) => balance(node, NOBODY, id)],
    ["eth_call", (node, { id }) => ask(node, "eth_call", { to: NOBODY }, id)],
    ["eth_getProof", (node, { id }) => ask(node, "eth_getProof", NOBODY, [], id)],
    ["trace_block", (node, { hash }) => ask(node, "trace_replayBlockTransactions", hash, ["trace"])],
    ["debug_traceBlockByHash", (node, { hash }) => ask(node, "debug_traceBlockByHash", hash)],
    ["debug_intermediateRoots", (node, { hash }) => ask(node, "debug_intermediateRoots", hash)],
    ["debug_accountRange", (node, { hash }) => ask(node, "debug_accountRange", hash, "0x00", 2)],
    ["debug_getModifiedAccountsByHash", (node, { hash }) => ask(node, "debug_getModifiedAccountsByHash", hash)],
    ["hindcast_mineSideBlock", (node, { hash }) => ask(node, "hindcast_mineSideBlock", { parent: hash })],
    ["node.debug.recordBlock", (node, { block }) => node.debug.recordBlock(block).next()],
  ])("says in %s of a block that is kept for an unread filter alone that its state is gone", async (_name, read) => {
    const node = await aNode({ hardfork: "london" });
    const emitter = await deploy(node, EMITTER);
    const snapshot = await node.snapshot();
    await ask(node, "eth_newFilter", { address: emitter });
    await aBlock(node);
    await send(node, { to: emitter, data: logCall([1]) });
    const { head: block } = node;
    const hash = encodeData(block.hash);
    await node.revert(snapshot);
    expect(knows(node, block.hash)).toBe(true);
    const failure: unknown = await read(node, { block, hash, id: { blockHash: hash } }).catch(
      (error: unknown) => error,
    );
    const cause = failure instanceof Error && failure.cause !== undefined ? failure.cause : failure;
    expect(cause).toMatchObject({ code: "STATE_NOT_AVAILABLE" });
  });

  it("deletes a large state while other work goes on", async () => {
    const node = await aNode();
    const snapshot = await node.snapshot();
    const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`;
    const storage = Object.fromEntries(Array.from({ length: 5_000 }, (_, slot) => [word(slot), word(slot + 1)]));
    const accounts = { [NOBODY]: { nonce: 0, balance: "0x0", code: "0x00", storage } };
    await ask(node, "anvil_loadState", encodeData(new Uint8Array(gzipSync(JSON.stringify({ accounts })))));
    expect(await ask(node, "eth_getStorageAt", NOBODY, "0x7", "latest")).toBe(word(8));
    await node.mine();
    const root = encodeData(node.head.header.stateRoot);
    let turns = 0;
    let isOver = false;
    const others = (): void => {
      turns++;
      if (!isOver) setImmediate(others);
    };
    stepClock(5);
    setImmediate(others);
    await node.revert(snapshot);
    isOver = true;
    expect(turns).toBeGreaterThan(5);
    expect(await ask(node, "debug_dbGet", root)).toBeNull();
    expect(await ask(node, "eth_getStorageAt", NOBODY, "0x7", "latest")).toBe(word(0));
    await aBlock(node);
  });

  it("lets no reader begin in the middle of a deletion", async () => {
    const node = await aNode();
    const snapshot = await node.snapshot();
    const answers = new Set<unknown>();
    for (let turns = 0; turns < 20; turns++) {
      const hash = encodeData(await aBlock(node));
      const reverted = node.revert(snapshot);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const asked = ask<unknown[]>(node, "trace_replayBlockTransactions", hash, ["stateDiff"]);
      answers.add(
        await asked.then(
          (traces) => traces.length,
          (error: { readonly cause?: { readonly code?: string } }) => error.cause?.code,
        ),
      );
      await reverted;
      await node.mine();
      await node.revert(snapshot);
    }
    expect(answers).toEqual(new Set([1, "BLOCK_NOT_FOUND"]));
  });

  it("hides all blocks at once, and deletes them while other work goes on", async () => {
    const node = await aNode();
    const snapshot = await node.snapshot();
    const hashes = (await node.mine({ blocks: 1_000 })).map(({ hash }) => hash);
    const seen: number[] = [];
    let isOver = false;
    const others = (): void => {
      seen.push(hashes.filter((hash) => knows(node, hash)).length);
      if (!isOver) setImmediate(others);
    };
    stepClock(6);
    setImmediate(others);
    await node.revert(snapshot);
    isOver = true;
    expect(seen.filter((count) => count !== 0 && count !== 1_000)).toEqual([]);
    expect(seen).toContain(0);
    expect((await node.mine())[0]?.hash).toEqual(hashes[0]);
    expect(knows(node, hashes[0] as Uint8Array)).toBe(true);
  });

  it("keeps a block that came twice and is needed once", async () => {
    const node = await aNode();
    const start = await node.snapshot();
    const twice = await aBlock(node);
    const held = await node.snapshot();
    await node.revert(start);
    const between = await node.snapshot();
    expect(await aBlock(node)).toEqual(twice);
    await node.revert(between);
    expect(knows(node, twice)).toBe(true);
    await node.revert(held);
    expect(await balance(node, NOBODY)).toBe("0x1");
  });

  it("lets the same block come again", async () => {
    const node = await aNode();
    const snapshot = await node.snapshot();
    const first = await aBlock(node);
    await node.revert(snapshot);
    expect(await aBlock(node)).toEqual(first);
    expect(await balance(node, NOBODY)).toBe("0x1");
    expect(await ask(node, "eth_getTransactionCount", ALICE, "latest")).toBe("0x1");
  });
});

it("a reset deletes everything but what named snapshots lead back to", async () => {
  const node = await aNode();
  const [first, second] = [await aBlock(node), await aBlock(node)];
  await node.reset();
  expect([knows(node, first), knows(node, second)]).toEqual([false, false]);
  const kept = await aBlock(node);
  await node.snapshot("kept");
  await node.reset();
  expect(knows(node, kept)).toBe(true);
  await node.revert("kept");
  expect(await balance(node, NOBODY)).toBe("0x1");
});

describe("a state file", () => {
  it("deletes the chain that it replaces, but what named snapshots lead back to", async () => {
    const other = await aNode();
    await send(other, { to: CAROL, value: "0x1" });
    const file = await ask(other, "anvil_dumpState");
    const node = await aNode();
    const first = await aBlock(node);
    await node.snapshot("first");
    const second = await aBlock(node);
    await ask(node, "anvil_loadState", file);
    await node.mine();
    expect([knows(node, first), knows(node, second)]).toEqual([true, false]);
    const loaded = await aBlock(node);
    await ask(node, "anvil_loadState", file);
    await node.mine();
    expect(knows(node, loaded)).toBe(false);
    await node.revert("first");
    expect(await balance(node, NOBODY)).toBe("0x1");
  });

  it("leaves no state of the chains that it replaced, one after the other", async () => {
    const node = await aNode();
    const file = await ask(node, "anvil_dumpState");
    const roots: Hex[] = [];
    for (let loads = 0; loads < 3; loads++) {
      await send(node, { to: `0x${`${loads}`.repeat(40)}`, value: "0x1" });
      roots.push(encodeData(node.head.header.stateRoot));
      await ask(node, "anvil_loadState", file);
    }
    await node.mine();
    const found = await Promise.all(roots.map((root) => ask(node, "debug_dbGet", root)));
    expect(found).toEqual([null, null, null]);
    const left = encodeData(node.head.header.stateRoot);
    expect(await ask(node, "debug_dbGet", left)).toMatch(/^0x/);
  });

  it("keeps its first state for a reset after a revert to a snapshot from before it", async () => {
    const node = await aNode();
    await node.snapshot("before");
    const file = await ask(node, "anvil_dumpState");
    await aBlock(node);
    const later = await ask(node, "anvil_dumpState");
    for (const each of [later, file, later]) await ask(node, "anvil_loadState", each);
    await node.revert("before");
    await node.reset();
    await node.mine();
    expect(await balance(node, ALICE, "0x0")).toBe(await balance(await aNode(), ALICE, "0x0"));
  });
});

it("a fork of another block deletes the chain that it replaces", async () => {
  const upstream = await aNode();
  await upstream.mine({ blocks: 3 });
  const node = await aNode({ fork: { cache: false, provider: upstream.provider, blockNumber: 2 } });
  const gone = await aBlock(node);
  await ask(node, "hardhat_reset", { forking: { blockNumber: 1 } });
  await node.mine();
  expect(knows(node, gone)).toBe(false);
  expect(await balance(node, ALICE, "0x1")).toBe(await balance(upstream, ALICE, "0x1"));
});

it("a reorg or rollback deletes nothing: the losing branch stays", async () => {
  const node = await aNode();
  const losing = await aBlock(node);
  await node.reorg({ depth: 1 });
  expect(knows(node, losing)).toBe(true);
});

it("on disk nothing is deleted", async () => {
  const node = await aNode({ dataDir: await aFolder() });
  const snapshot = await node.snapshot();
  const left = await aBlock(node);
  await node.revert(snapshot);
  expect(knows(node, left)).toBe(true);
});
