/** States laid open: every value here follows from the transactions that were sent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../../../src/primitives/hash/hash.ts";
import {
  ALICE,
  aServedNode,
  BOB,
  CAROL,
  NOBODY,
  openNode,
  quantity,
  type ServedNode,
  serve,
  wordText,
} from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { deploy, send } from "../../../support/contracts.ts";
import { saying } from "../../../support/saying.ts";

/** slot[calldata word 0] = calldata word 1 */
const STORE = assemble("32 CALLDATALOAD 0 CALLDATALOAD SSTORE");

const storing = (slot: number, value: number): Hex => `0x${wordText(slot).slice(2)}${wordText(value).slice(2)}`;
const hashOf = (data: Hex): Hex => encodeData(keccak256(decodeData(data)));
const hashOfSlot = (slot: number): Hex => hashOf(wordText(slot));
/** Slots in the order of a storage trie. */
const inTrieOrder = (slots: readonly number[]): number[] =>
  [...slots].sort((left, right) => (hashOfSlot(left) < hashOfSlot(right) ? -1 : 1));

interface StorageRange {
  readonly storage: Readonly<Record<Hex, { readonly key: Hex | null; readonly value: Hex }>>;
  readonly nextKey: Hex | null;
}

interface AccountRange {
  readonly root: string;
  readonly accounts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly next?: string;
}

describe("debug_storageRangeAt", () => {
  let served: ServedNode;
  let store: Hex;
  let block: { readonly hash: Hex };

  beforeAll(async () => {
    served = await serve(await openNode({ mining: "manual" }));
    const { node } = served;
    node.setMiningMode("auto");
    store = await deploy(node, STORE);
    for (const slot of [1, 2, 3]) await send(node, { to: store, data: storing(slot, slot * 16) });
    node.setMiningMode("manual");
    // One block: 4 is written, 2 changed, 1 cleared.
    await send(node, { to: store, data: storing(4, 0x40) });
    await send(node, { to: store, data: storing(2, 0x22), gas: "0x186a0" });
    await send(node, { to: store, data: storing(1, 0), gas: "0x186a0" });
    await node.mine();
    block = await served.plain.ask("eth_getBlockByNumber", "latest", false);
  });
  afterAll(() => served.node.close());

  const range = (txIndex: number, start: Hex = "0x", limit = 10): Promise<StorageRange> =>
    served.plain.ask("debug_storageRangeAt", block.hash, txIndex, store, start, limit);
  const values = async (txIndex: number): Promise<Record<string, number>> =>
    Object.fromEntries(
      Object.values((await range(txIndex)).storage).map(({ key, value }) => [Number(key), Number(value)]),
    );

  it("shows the storage before the transaction with that index, and behind the last", async () => {
    expect(await values(0)).toEqual({ 1: 0x10, 2: 0x20, 3: 0x30 });
    expect(await values(1)).toEqual({ 1: 0x10, 2: 0x20, 3: 0x30, 4: 0x40 });
    expect(await values(2)).toEqual({ 1: 0x10, 2: 0x22, 3: 0x30, 4: 0x40 });
    expect(await values(3)).toEqual({ 2: 0x22, 3: 0x30, 4: 0x40 });
  });

  it("names each entry by the hash of its slot, with slot and value as 32 bytes", async () => {
    const { storage, nextKey } = await range(0);
    const expected = [1, 2, 3].map((slot) => [hashOfSlot(slot), { key: wordText(slot), value: wordText(slot * 16) }]);
    expect(storage).toEqual(Object.fromEntries(expected));
    expect(nextKey).toBeNull();
  });

  it("goes on where it stopped", async () => {
    const order = inTrieOrder([1, 2, 3, 4]);
    const seen: number[] = [];
    let start: Hex | null = "0x";
    while (start !== null) {
      const part: StorageRange = await range(1, start, 1);
      expect(Object.keys(part.storage)).toHaveLength(1);
      seen.push(...Object.values(part.storage).map(({ key }) => Number(key)));
      start = part.nextKey;
    }
    expect(seen).toEqual(order);
    expect((await range(1, "0x", 0)).nextKey).toBe(hashOfSlot(order[0] as number));
  });

  it("takes a block number, and a start of fewer bytes", async () => {
    const byNumber = await served.plain.ask<StorageRange>("debug_storageRangeAt", "latest", 0, store, "0x00", 10);
    expect(byNumber).toEqual(await range(0));
    expect((await range(0, "0xff")).storage).toEqual({});
  });

  it("is empty for accounts without storage, and for none", async () => {
    const ask = (account: Hex) => served.plain.ask("debug_storageRangeAt", block.hash, 0, account, "0x", 10);
    expect(await ask(BOB)).toEqual({ storage: {}, nextKey: null });
    expect(await ask("0x00000000000000000000000000000000000000ee")).toEqual({ storage: {}, nextKey: null });
  });

  it("refuses a block it has not and a transaction the block has not", async () => {
    const unknown = `0x${"11".repeat(32)}`;
    const missing = await served.plain.failure("debug_storageRangeAt", unknown, 0, store, "0x", 1);
    expect(missing).toMatchObject({ code: -32000, message: saying(`block ${unknown} not found`) });
    const failure = await served.plain.failure("debug_storageRangeAt", block.hash, 4, store, "0x", 1);
    expect(failure.code).toBe(-32000);
    expect(failure.message).toContain("transaction index 4 out of range");
  });

  it("knows slots that genesis, edits and a file brought", async () => {
    const contract = "0x00000000000000000000000000000000000000cc";
    const genesis = {
      config: { chainId: 1, londonBlock: 0 },
      difficulty: "0x1",
      gasLimit: "0x1c9c380",
      alloc: { [contract]: { balance: "0x1", code: "0x00", storage: { [wordText(7)]: "0x77" } } },
    };
    const { plain, node } = await aServedNode({ genesis });
    await node.setStorageAt(decodeData(contract), decodeData(wordText(8)), decodeData(wordText(0x88)));
    await node.mine();
    const { storage } = await plain.ask<StorageRange>("debug_storageRangeAt", "latest", 0, contract, "0x", 10);
    expect(Object.values(storage).map(({ key, value }) => [Number(key), Number(value)])).toEqual(
      inTrieOrder([7, 8]).map((slot) => [slot, slot * 17]),
    );
  });
});

describe("debug_accountInfoAt", () => {
  let served: ServedNode;
  const at = (block: string, index: unknown, account: string) =>
    served.plain.ask("debug_accountInfoAt", block, index, account);

  beforeAll(async () => {
    served = await serve(await openNode({ mining: "manual" }));
    for (const value of ["0x1", "0x10"]) await send(served.node, { to: NOBODY, value });
    await served.node.mine();
  });
  afterAll(() => served.node.close());

  it("is the account after the transaction with that index", async () => {
    const { hash } = await served.plain.ask<{ hash: string }>("eth_getBlockByNumber", "0x1", false);
    expect(await at("0x1", 0, NOBODY)).toEqual({ balance: "0x1", nonce: "0x0", code: "0x" });
    expect(await at(hash, "0x1", NOBODY)).toEqual({ balance: "0x11", nonce: "0x0", code: "0x" });
    expect(await at("latest", 1, ALICE)).toEqual(await served.plain.ask("eth_getAccountInfo", ALICE, "latest"));
    expect(await at("latest", 0, ALICE)).toMatchObject({ nonce: "0x1" });
  });

  it("is null for an account that does not exist", async () => {
    expect(await at("0x1", 1, "0x00000000000000000000000000000000000000ee")).toBeNull();
  });

  it("refuses a transaction that the block has not, and a block that the chain has not", async () => {
    await expect(at("0x1", 2, ALICE)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining("transaction index 2 out of range"),
    });
    await expect(at("0x9", 0, ALICE)).rejects.toMatchObject({ code: -32000 });
    await expect(at("0x1", -1, ALICE)).rejects.toMatchObject({ code: -32602 });
  });
});

describe("debug_accountRange", () => {
  it("lists accounts by address with balance, nonce, code and storage", async () => {
    const { plain, node } = await aServedNode({ accounts: 2 });
    const store = await deploy(node, STORE);
    await send(node, { to: store, data: storing(5, 0x1234) });
    const { root, accounts, next } = await plain.ask<AccountRange>("debug_accountRange", "latest", "0x", 256);
    const block = await plain.ask<{ stateRoot: Hex }>("eth_getBlockByNumber", "latest", false);
    expect(`0x${root}`).toBe(block.stateRoot);
    expect(next).toBeUndefined();
    const listed = Object.values(accounts).find(({ address }) => address === store);
    expect(listed).toMatchObject({
      balance: "0",
      nonce: 1,
      code: encodeData(STORE),
      codeHash: hashOf(encodeData(STORE)),
      storage: { [wordText(5)]: "1234" },
      key: hashOf(store),
    });
    const alice = Object.entries(accounts).find(([, { address }]) => address === ALICE);
    expect(alice?.[0]).toBe("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
    expect(alice?.[1]).toMatchObject({
      nonce: 2,
      balance: BigInt(await plain.ask("eth_getBalance", ALICE)).toString(),
    });
    expect(alice?.[1]).not.toHaveProperty("code");
    expect(alice?.[1]).not.toHaveProperty("storage");
  });

  it("leaves code and storage out when told to, and goes on where it stopped", async () => {
    const { plain, node } = await aServedNode({ accounts: 3 });
    const store = await deploy(node, STORE);
    await send(node, { to: store, data: storing(1, 1) });
    const whole = await plain.ask<AccountRange>("debug_accountRange", "latest", "0x", 256, true, true);
    for (const account of Object.values(whole.accounts)) {
      expect(account).not.toHaveProperty("code");
      expect(account).not.toHaveProperty("storage");
    }
    const seen: string[] = [];
    let start = "0x";
    for (;;) {
      const part = await plain.ask<AccountRange>("debug_accountRange", "latest", start, 2, true, true);
      seen.push(...Object.keys(part.accounts));
      if (part.next === undefined) break;
      start = `0x${Buffer.from(part.next, "base64").toString("hex")}`;
    }
    expect(seen).toEqual(Object.keys(whole.accounts));
    const hashes = seen.map((address) => hashOf(address.toLowerCase() as Hex));
    expect(hashes).toEqual([...hashes].sort());
  });

  it("shows an old block as it was, and edits at the head", async () => {
    const { plain, node } = await aServedNode();
    await send(node, { to: "0x00000000000000000000000000000000000000ee", value: "0x7" });
    await node.setBalance(decodeData("0x00000000000000000000000000000000000000ef"), 9n);
    const balances = async (id: string): Promise<unknown[]> => {
      const { accounts } = await plain.ask<AccountRange>("debug_accountRange", id);
      return Object.entries(accounts)
        .filter(([name]) => /0[Ee][EeFf]$/.test(name))
        .map(([, { balance }]) => balance)
        .sort();
    };
    expect(await balances("0x0")).toEqual([]);
    expect(await balances("latest")).toEqual(["7", "9"]);
  });
});

describe("debug_getModifiedAccountsByNumber and ByHash", () => {
  it("list whom a block changed: sender, receiver, contract, coinbase", async () => {
    const coinbase = "0x00000000000000000000000000000000000000c0";
    const { plain, node } = await aServedNode({ coinbase, hardfork: "london" });
    const store = await deploy(node, STORE);
    await send(node, { to: store, data: storing(1, 1) });
    await send(node, { from: BOB, to: CAROL, value: "0x1" });
    const modified = async (...params: unknown[]): Promise<string[]> =>
      (await plain.ask<string[]>("debug_getModifiedAccountsByNumber", ...params)).sort();
    expect(await modified(2)).toEqual([ALICE, store, coinbase].sort());
    expect(await modified(3)).toEqual([BOB, CAROL, coinbase].sort());
    expect(await modified("0x1", "0x3")).toEqual([ALICE, store, BOB, CAROL, coinbase].sort());
    const hashes = await Promise.all(
      [1, 2, 3].map(async (number) => {
        const block = await plain.ask<{ hash: Hex }>("eth_getBlockByNumber", quantity(number), false);
        return block.hash;
      }),
    );
    const byHash = async (...params: unknown[]): Promise<string[]> =>
      (await plain.ask<string[]>("debug_getModifiedAccountsByHash", ...params)).sort();
    expect(await byHash(hashes[1])).toEqual(await modified(2));
    expect(await byHash(hashes[0], hashes[2])).toEqual(await modified(1, 3));
  });

  it("leave out accounts whose changes were undone, and those that are gone", async () => {
    const { plain, node } = await aServedNode({ hardfork: "berlin", mining: "manual", gasPrice: 0n });
    node.setMiningMode("auto");
    const mortal = await deploy(node, assemble("CALLER SELFDESTRUCT"));
    const store = await deploy(node, STORE);
    node.setMiningMode("manual");
    await send(node, { to: mortal });
    await send(node, { to: store, data: storing(1, 1), gas: "0x186a0" });
    await send(node, { to: store, data: storing(1, 0), gas: "0x186a0" });
    await node.mine();
    const modified = await plain.ask<string[]>("debug_getModifiedAccountsByNumber", 3);
    expect(modified).toContain(ALICE);
    expect(modified).not.toContain(mortal);
    expect(modified).not.toContain(store);
  });

  it("refuse what is not there and ranges that run backwards, in geth's words", async () => {
    const { plain, node } = await aServedNode();
    await node.mine({ blocks: 2 });
    const words = async (...params: unknown[]): Promise<string> => {
      const failure = await plain.failure("debug_getModifiedAccountsByNumber", ...params);
      expect(failure.code).toBe(-32000);
      return failure.message;
    };
    expect(await words(9)).toEqual(saying("start block 9 not found"));
    expect(await words(1, 9)).toEqual(saying("end block 9 not found"));
    expect(await words(0)).toEqual(saying("block 0 has no parent"));
    expect(await words(2, 1)).toEqual(saying("start block height (2) must be less than end block height (1)"));
  });
});

describe("debug_intermediateRoots", () => {
  it("gives the root after each transaction; the last is the block's own where nothing follows", async () => {
    const { plain, node } = await aServedNode({ mining: "manual", hardfork: "paris" });
    const transactions: Hex[] = [];
    for (const value of ["0x1", "0x2", "0x3"]) transactions.push(await send(node, { to: BOB, value }));
    await node.mine();
    const block = await plain.ask<{ hash: Hex; stateRoot: Hex }>("eth_getBlockByNumber", "latest", false);
    const roots = await plain.ask<Hex[]>("debug_intermediateRoots", block.hash);
    expect(roots).toHaveLength(3);
    expect(new Set(roots).size).toBe(3);
    expect(roots.at(-1)).toBe(block.stateRoot);
  });

  it("are the roots of the receipts before Byzantium", async () => {
    const { plain, node } = await aServedNode({ mining: "manual", hardfork: "spuriousDragon" });
    const hashes = [await send(node, { to: BOB, value: "0x1" }), await send(node, { to: CAROL, value: "0x1" })];
    await node.mine();
    const block = await plain.ask<{ hash: Hex }>("eth_getBlockByNumber", "latest", false);
    const receipts = await Promise.all(
      hashes.map((hash) => plain.ask<{ root: Hex }>("eth_getTransactionReceipt", hash)),
    );
    expect(await plain.ask("debug_intermediateRoots", block.hash)).toEqual(receipts.map(({ root }) => root));
  });

  it("refuses genesis and unknown blocks", async () => {
    const { plain } = await aServedNode();
    const genesis = await plain.ask<{ hash: Hex }>("eth_getBlockByNumber", "0x0", false);
    expect(await plain.failure("debug_intermediateRoots", genesis.hash)).toMatchObject({
      code: -32000,
      message: saying("genesis is not traceable"),
    });
    expect((await plain.failure("debug_intermediateRoots", wordText(1))).code).toBe(-32000);
  });
});
