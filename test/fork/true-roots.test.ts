/** True state roots on a fork with `verify`, and proofs of its states. */
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../src/primitives/hash/hash.ts";
import { aFolder } from "../support/a-folder.ts";
import { addressText, aNode, NOW, quantity, wordText } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { send } from "../support/contracts.ts";
import { slowIt } from "../support/slow-suite.ts";

const SENDER = addressText(0x77);
const STORE = addressText(0xc0);
/** Writes the second word of the data to the slot that the first names. */
const STORING = assemble("32 CALLDATALOAD 0 CALLDATALOAD SSTORE STOP");
const SLOTS = 40;

const options = {
  mining: "manual",
  clock: () => NOW,
  autoImpersonate: true,
  accounts: 2,
} as const satisfies NodeOptions;
const ask = <T = unknown>(node: HindcastNode, method: string, ...params: readonly unknown[]): Promise<T> =>
  node.provider.request({ method, params } as never) as Promise<T>;

const put = (node: HindcastNode, slot: number, value: number): Promise<unknown> =>
  send(node, { from: SENDER, to: STORE, gas: quantity(200_000), data: wordText(slot) + wordText(value).slice(2) });

/** A chain of four blocks with a contract of many slots. */
async function aChain(): Promise<HindcastNode> {
  const chain = await aNode(options);
  await chain.setBalance(SENDER, 10n ** 20n);
  await chain.setCode(STORE, STORING);
  for (let slot = 0; slot < SLOTS; slot++) await chain.setStorageAt(STORE, wordText(slot), wordText(slot + 1));
  for (let block = 0; block < 4; block++) {
    await put(chain, 1000 + block, 1);
    await chain.mine();
  }
  return chain;
}

const aFork = (chain: HindcastNode, more: NodeOptions = {}): Promise<HindcastNode> =>
  aNode({
    ...options,
    accounts: 0,
    ...more,
    fork: { cache: false, verify: true, provider: chain.provider, blockNumber: 3, ...more.fork },
  });

describe("a fork with proofs", () => {
  it("has the state roots and block hashes of the chain itself", async () => {
    const chain = await aChain();
    const fork = await aFork(chain);
    await chain.rollback(1);
    await ask(chain, "anvil_dropAllTransactions");
    for (const node of [chain, fork]) {
      for (let block = 0; block < 3; block++) {
        await put(node, block, 7);
        await put(node, 5000 + block, 7);
        await send(node, { from: SENDER, to: addressText(0xd0 + block), value: "0x5" });
        await node.mine();
      }
    }
    for (let number = 4; number < 7; number++) {
      const [theirs, ours] = await Promise.all(
        [chain, fork].map((node) => ask(node, "eth_getBlockByNumber", quantity(number), true)),
      );
      expect(ours).toEqual(theirs);
    }
    const keys = [wordText(0), wordText(20), wordText(5001), wordText(77_777)];
    for (const address of [STORE, SENDER, addressText(0xd1), addressText(0xee)]) {
      expect(await ask(fork, "eth_getProof", address, keys, "latest")).toEqual(
        await ask(chain, "eth_getProof", address, keys, "latest"),
      );
    }
  });

  slowIt("keeps its true roots in a folder, in state files, and over reverts and edits", async () => {
    const chain = await aChain();
    const [dataDir, folder] = [await aFolder(), await aFolder()];
    const fork = { verify: true, provider: chain.provider, blockNumber: 3, cache: { folder } };
    await chain.rollback(1);
    await ask(chain, "anvil_dropAllTransactions");
    const both = async (node: HindcastNode, slot: number): Promise<unknown> => {
      await put(node, slot, 9);
      await node.mine();
      return node.head.header.stateRoot;
    };
    const first = await aNode({ ...options, accounts: 0, dataDir, fork });
    expect(await both(first, 3)).toEqual(await both(chain, 3));
    const file = await first.dumpState();
    await first.close();
    const second = await aNode({ ...options, accounts: 0, dataDir, fork });
    const loaded = await aFork(chain);
    await loaded.loadState(file);
    const snapshot = await second.snapshot();
    await both(second, 30);
    await second.revert(snapshot);
    for (const node of [chain, second, loaded]) await node.setStorageAt(STORE, wordText(12), wordText(99));
    const expected = await both(chain, 4);
    for (const node of [second, loaded]) expect(await both(node, 4)).toEqual(expected);
    expect(second.head.hash).toEqual(chain.head.hash);
    await second.close();
    const third = await aNode({
      ...options,
      accounts: 0,
      dataDir,
      fork: { offline: true, verify: true, cache: { folder } },
    });
    const keys = [wordText(3), wordText(4), wordText(12)];
    expect(await ask(third, "eth_getProof", STORE, keys, "latest")).toEqual(
      await ask(chain, "eth_getProof", STORE, keys, "latest"),
    );
  });

  slowIt("keeps the root of an edit so large that it is written in steps", async () => {
    const chain = await aChain();
    const dataDir = await aFolder();
    const fork = { verify: true, provider: chain.provider, blockNumber: 3, cache: { folder: await aFolder() } };
    const first = await aNode({ ...options, accounts: 0, dataDir, fork });
    const aFile = (factor: number): Uint8Array => {
      const slots = Array.from({ length: 600 }, (_, slot) => [wordText(slot), wordText(factor * (slot + 1))]);
      const account = { nonce: 1, balance: "0x5", code: "0x00", storage: Object.fromEntries(slots) };
      const plain = { nonce: factor, balance: "0x5", code: "0x00", storage: {} };
      const others = Array.from({ length: 300 }, (_, index) => [
        `0x${(0x10_000 + index).toString(16).padStart(40, "0")}`,
        plain,
      ]);
      const accounts = { ...Object.fromEntries(others), [addressText(0xd5)]: account };
      return new TextEncoder().encode(JSON.stringify({ accounts }));
    };
    await chain.rollback(1);
    await ask(chain, "anvil_dropAllTransactions");
    // The fork first: an edit of the chain at block 3 would change what the fork reads there.
    for (const node of [first, chain]) {
      await node.loadState(aFile(1));
      await node.mine();
      if (node === first) await first.loadState(aFile(2));
    }
    expect(first.head.hash).toEqual(chain.head.hash);
    await first.close();
    const second = await aNode({ ...options, accounts: 0, dataDir, fork });
    for (const slot of [0, 300, 599]) {
      expect(await ask(second, "eth_getStorageAt", addressText(0xd5), wordText(slot), "latest")).toBe(
        wordText(2 * (slot + 1)),
      );
    }
  });

  it("reaches the same state by different writes", async () => {
    const chain = await aChain();
    const node = await aFork(chain, { fork: { blockNumber: 4 } });
    const before = node.head.header.stateRoot;
    const root = async (): Promise<unknown> =>
      (await ask<{ stateRoot: string }>(node, "eth_getBlockByNumber", "pending", false)).stateRoot;
    const snapshot = await node.snapshot();
    await node.setStorageAt(STORE, wordText(7), wordText(1));
    await node.setStorageAt(STORE, wordText(7), wordText(8));
    const unchanged = await root();
    await node.setStorageAt(STORE, wordText(8), wordText(1));
    await node.revert(snapshot);
    expect(await root()).toBe(unchanged);
    await node.setStorageAt(STORE, wordText(9), wordText(10));
    expect(await root()).toBe(unchanged);
    expect(await ask(node, "eth_getStorageAt", STORE, wordText(7), "latest")).toBe(wordText(8));
    expect(node.head.header.stateRoot).toEqual(before);
  });

  it("fetches the node beside a deleted slot, and the one beside a destroyed account", async () => {
    const shanghai = { ...options, hardfork: "shanghai" } as const;
    const chain = await aNode(shanghai);
    const [left, right] = neighbours(3, wordText);
    const [mortal, beside] = neighbours(3, addressOf);
    await chain.setBalance(SENDER, 10n ** 20n);
    await chain.setCode(STORE, STORING);
    for (const slot of [left, right]) await chain.setStorageAt(STORE, wordText(slot), wordText(1));
    await chain.setCode(addressOf(mortal), assemble("0 SELFDESTRUCT"));
    await chain.setBalance(addressOf(beside), 1n);
    for (let block = 0; block < 3; block++) await chain.mine();
    const fork = await aFork(chain, { hardfork: "shanghai" });
    for (const node of [fork, chain]) {
      await put(node, left, 0);
      await node.mine();
      await send(node, { from: SENDER, to: addressOf(mortal) });
      await node.mine();
    }
    for (const number of [4n, 5n]) expect(fork.getBlock(number)?.hash).toEqual(chain.getBlock(number)?.hash);
  });

  it("falls back to the root of the changes, the same everywhere, if a deletion lacks a node", async () => {
    const chain = await aNode(options);
    const [left, right] = neighbours(4, wordText);
    await chain.setBalance(SENDER, 10n ** 20n);
    await chain.setCode(STORE, STORING);
    for (const slot of [left, right]) await chain.setStorageAt(STORE, wordText(slot), wordText(1));
    for (let block = 0; block < 3; block++) await chain.mine();
    const forks = [await aFork(chain), await aFork(chain), await aFork(chain)] as const;
    const [plain, reading, writing] = forks;
    // What a node happens to have read must not change its roots.
    expect(await ask(reading, "eth_getStorageAt", STORE, wordText(right), "latest")).toBe(wordText(1));
    for (const node of [plain, reading]) {
      await node.mine();
      await put(node, left, 0);
      await node.mine();
      await put(node, right, 2);
      await node.mine();
    }
    const roots = (node: HindcastNode) => [4n, 5n, 6n].map((number) => node.getBlock(number)?.header.stateRoot);
    expect(roots(reading)).toEqual(roots(plain));
    expect(await ask(plain, "eth_getProof", STORE, [wordText(left)], "0x4")).toMatchObject({
      storageProof: [{ value: "0x1" }],
    });
    for (const number of ["0x5", "0x6"]) {
      await expect(ask(plain, "eth_getProof", STORE, [], number)).rejects.toThrow(/no proofs of this state.*deletion/);
    }
    expect(await ask(plain, "eth_getStorageAt", STORE, wordText(left), "latest")).toBe(wordText(0));
    // A write beside it fetches the node that the deletion needs.
    await put(writing, right, 2);
    await put(writing, left, 0);
    await writing.mine();
    await put(chain, right, 2);
    await put(chain, left, 0);
    await chain.mine();
    expect(writing.head.hash).toEqual(chain.head.hash);
  });
});

const addressOf = (number: number): `0x${string}` => `0x${(0xfeed0000 + number).toString(16).padStart(40, "0")}`;

/**
 * Two numbers of keys whose hashes have the first nibbles in common, and the next one not. The path of either, up to
 * where they differ, is one nibble longer; a node is searched for up to a path of four.
 */
function neighbours(common: number, keyOf: (number: number) => `0x${string}`): readonly [number, number] {
  const seen = new Map<string, { readonly number: number; readonly next: string | undefined }>();
  for (let number = 0; ; number++) {
    const hash = encodeData(keccak256(decodeData(keyOf(number)))).slice(2);
    const [begin, next] = [hash.slice(0, common), hash[common]];
    const other = seen.get(begin);
    if (other !== undefined && other.next !== next) return [other.number, number];
    seen.set(begin, { number, next });
  }
}
