import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { decodeData } from "../../../src/primitives/bytes/hex.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, aNode, BOB, CAROL, type Json, NOBODY, NOW, wordText } from "../../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../../support/contracts.ts";
import { stepClock } from "../../support/stepping-clock.ts";

const ask = <T = unknown>(node: HindcastNode, method: string, ...params: unknown[]): Promise<T> =>
  node.provider.send(method, params) as Promise<T>;

/** Transactions of several kinds, edits in between and at the head, an uncle, impersonation, time travel. */
async function aLivelyNode(hardfork = "london"): Promise<HindcastNode> {
  const node = await aNode({ hardfork });
  const emitter = await deploy(node, EMITTER);
  await send(node, { to: emitter, data: logCall([1, 2], "0xabcd") });
  await ask(node, "anvil_setStorageAt", NOBODY, "0x0", "0x7");
  await node.mine();
  const side = await node.mineSideBlock();
  await node.mine({ uncles: [side.header] });
  await ask(node, "eth_sendUnsignedTransaction", { from: CAROL, to: BOB, value: "0x1" });
  await node.time.increase(1_000n);
  await node.mine();
  await node.setBalance(decodeData(NOBODY), 99n);
  return node;
}

const QUESTIONS: readonly (readonly [string, ...unknown[]])[] = [
  ["eth_getBlockByNumber", "latest", true],
  ["eth_getBlockByNumber", "earliest", true],
  ["eth_getBlockByNumber", "0x4", true],
  ["eth_getUncleByBlockNumberAndIndex", "0x4", "0x0"],
  ["eth_getBlockReceipts", "0x2"],
  ["eth_getBlockReceipts", "0x5"],
  ["eth_getLogs", { fromBlock: "0x0" }],
  ["eth_getBalance", NOBODY, "latest"],
  ["eth_getBalance", NOBODY, "0x5"],
  ["eth_getStorageAt", NOBODY, "0x0", "0x2"],
  ["eth_getStorageAt", NOBODY, "0x0", "0x1"],
  ["trace_block", "0x2"],
  ["trace_block", "0x4"],
  ["trace_block", "0x5"],
  ["trace_filter", { fromBlock: "0x0", toBlock: "latest", fromAddress: [CAROL] }],
  ["eth_getProof", NOBODY, ["0x0"], "latest"],
];

describe("a state file", () => {
  it("is made in turns with other work, however large the state is", async () => {
    const node = await aNode();
    const clock = stepClock();
    const looksOfDump = async (): Promise<number> => {
      const before = clock.now;
      await node.dumpState();
      return clock.now - before;
    };
    const ofSmall = await looksOfDump();
    const storage = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, slot) => [wordText(slot), wordText(slot + 1)]),
    );
    const accounts = { [NOBODY]: { nonce: 0, balance: "0x0", code: "0x", storage } };
    await node.loadState(new TextEncoder().encode(JSON.stringify({ accounts })));
    // 2,700 nodes; after 64 of them it looks at the clock, which says whether the turn is over.
    expect((await looksOfDump()) - ofSmall).toBeGreaterThan(30);
  });

  it("brings a whole chain into a node that began with another genesis", async () => {
    const node = await aLivelyNode();
    const other = await aNode({ hardfork: "london", timestamp: NOW - 5_000 });
    await other.mine({ blocks: 9 });
    await other.loadState(await node.dumpState());
    for (const [method, ...params] of QUESTIONS) {
      expect([method, await ask(other, method, ...params)]).toEqual([method, await ask(node, method, ...params)]);
    }
    for (const one of [node, other]) await one.mine();
    expect(other.head.hash).toEqual(node.head.hash);
    expect(await other.dumpState()).toEqual(await node.dumpState());
  });

  it("takes the old chain's blocks off and announces it", async () => {
    const file = await (await aNode({ hardfork: "london", timestamp: NOW - 1 })).dumpState();
    const node = await aNode({ hardfork: "london" });
    const hash = await send(node, { to: BOB });
    const left: number[] = [];
    node.onHeadChange(({ removed, added }) => {
      left.push(removed.length, added.length);
    });
    await node.loadState(file);
    expect(left).toEqual([2, 1]);
    expect(await ask(node, "eth_getTransactionReceipt", hash)).toBeNull();
    expect(await ask(node, "txpool_status")).toEqual({ pending: "0x0", queued: "0x0" });
  });

  it("of nothing but the first block takes the blocks behind it off, and that one stays", async () => {
    const node = await aNode();
    const file = await node.dumpState();
    const { hash } = node.head;
    await node.mine({ blocks: 2 });
    await node.loadState(file);
    expect([node.head.hash, node.getBlock(0n)?.hash, node.getBlock(1n)]).toEqual([hash, hash, undefined]);
  });

  it("is taken into a data folder of the same chain, and is there after a reopen", async () => {
    const options = { hardfork: "london", dataDir: await aFolder(), timestamp: NOW };
    const node = await aLivelyNode();
    const folder = await aNode(options);
    await folder.loadState(await node.dumpState());
    await folder.close();
    const reopened = await aNode(options);
    expect([reopened.head.hash, reopened.time.now]).toEqual([node.head.hash, node.time.now]);
    expect(await ask(reopened, "eth_getBalance", NOBODY)).toBe("0x63");
  });

  it("is refused by a data folder of another chain, which stays as it is", async () => {
    const file = await (await aNode({ timestamp: NOW - 1 })).dumpState();
    const node = await aNode({ dataDir: await aFolder() });
    await node.mine();
    await expect(node.loadState(file)).rejects.toMatchObject({ code: "STATE_FILE_MISMATCH" });
    expect(node.head.header.number).toBe(1n);
  });

  it.each([
    ["hardforks", { hardfork: "berlin" }, "The file holds the state of a chain with other hardforks."],
    ["chain id", { hardfork: "london", chainId: 5 }, "The file holds the state of chain 31337, this node's is 5."],
  ])("is refused by a node with another %s", async (_what, options, message) => {
    const file = await (await aNode({ hardfork: "london" })).dumpState();
    await expect((await aNode(options)).loadState(file)).rejects.toThrow(message);
  });

  it("of a chain with a hardfork seconds after its first block names the time that this block needs", async () => {
    const later = { hardforkAt: { amsterdam: 1_000 }, timestamp: NOW };
    const file = await (await aNode(later)).dumpState();
    const refusing = await aNode({ ...later, timestamp: NOW + 1 });
    await expect(refusing.loadState(file)).rejects.toThrow(
      `If a hardfork begins seconds after the first block, give its timestamp too: ${NOW}.`,
    );
    const node = await aNode(later);
    await node.loadState(file);
  });

  it("is refused when a byte of a block was changed, and nothing is changed then", async () => {
    const node = await aLivelyNode();
    const plain = gunzipSync(await node.dumpState());
    // The last topic of the log in the receipts of block 2.
    const at = plain.indexOf(Buffer.from("abcd", "hex"));
    plain[at] = 0xac;
    const other = await aNode({ hardfork: "london" });
    await other.mine();
    await expect(other.loadState(new Uint8Array(gzipSync(plain)))).rejects.toMatchObject({
      code: "STATE_FILE_INVALID",
    });
    expect(other.head.header.number).toBe(1n);
  });

  it.each([
    ["no file at all", new Uint8Array([1, 2, 3]), "neither a state file of this node nor JSON"],
    ["half a gzip", new Uint8Array([0x1f, 0x8b, 8, 0]), "cannot be unzipped"],
    [
      "other JSON",
      new TextEncoder().encode('{"accounts":{"0x00":{}}}'),
      "JSON, but not Anvil's: file.accounts.0x00.nonce: expected a whole number from 0, got nothing.",
    ],
    ["a list", new TextEncoder().encode("[]"), "JSON, but not Anvil's: file: expected an object, got []."],
  ])("says of %s what is wrong with it", async (_what, bytes, message) => {
    await expect((await aNode()).loadState(bytes)).rejects.toThrow(message);
  });

  it.each([
    ["UNPACKED_TOO_LARGE", () => gzipSync(Buffer.alloc(70_000, " ")), { stateFileBytes: 2 ** 16 }],
    ["UNPACKED_TOO_LARGE", () => Buffer.alloc(2_000, " "), { stateFileBytes: 1_000 }],
    ["JSON_TOO_DEEP", () => gzipSync(Buffer.alloc(2 ** 20, "[")), {}],
    [
      "JSON_TOO_MANY_VALUES",
      () => gzipSync(Buffer.from(`{"accounts":[${"[],".repeat(2_000)}[]]}`)),
      { stateFileValues: 1_000 },
    ],
    ["TOO_MANY_ITEMS", ownFileOf, { stateFileValues: 50 }],
  ])("that goes beyond a limit is refused with %s, and the node goes on as it was", async (code, file, limits) => {
    const node = await aNode({ hardfork: "london", limits });
    await node.mine();
    const before = await ask(node, "anvil_nodeInfo");
    await expect(node.loadState(new Uint8Array(await file()))).rejects.toMatchObject({ code, rpcCode: -32005 });
    expect(await ask(node, "anvil_nodeInfo")).toEqual(before);
    await node.mine();
  });

  it("travels as DATA through the methods of all three modes", async () => {
    const node = await aLivelyNode();
    for (const mode of ["anvil", "hardhat", "ganache"]) {
      const file = await ask<string>(node, `${mode}_dumpState`);
      const other = await aNode({ hardfork: "london" });
      expect(await ask(other, `${mode}_loadState`, file)).toBe(true);
      expect(other.head.hash).toEqual(node.head.hash);
    }
  });
});

async function ownFileOf(): Promise<Uint8Array> {
  return (await aLivelyNode()).dumpState();
}

describe("Anvil's state file", () => {
  const text = readFileSync(new URL("../../../fixtures/anvil-state/state.json", import.meta.url), "utf8");
  const state = JSON.parse(text) as { accounts: Json; blocks: unknown[]; transactions: { block_hash: string }[] };
  const bytes = new TextEncoder().encode(text);
  const anvils = ["0x0000000000000000000000000000000000000abc"] as const;

  it("brings its blocks, with Anvil's own hashes, transactions, receipts and logs", async () => {
    const node = await aNode({ hardfork: "cancun" });
    await node.loadState(bytes);
    expect(node.head.header.number).toBe(4n);
    for (const { block_hash: hash } of state.transactions) {
      const block = await ask<{ transactions: unknown[] } | null>(node, "eth_getBlockByHash", hash, true);
      expect(block?.transactions).toHaveLength(1);
    }
    const types = await Promise.all(
      [1, 2, 3, 4].map(async (number) => {
        const [receipt] = await ask<Json[]>(node, "eth_getBlockReceipts", `0x${number}`);
        return [receipt?.type, receipt?.from];
      }),
    );
    expect(types).toEqual([
      ["0x0", ALICE],
      ["0x1", ALICE],
      ["0x2", ALICE],
      ["0x2", anvils[0]],
    ]);
    expect(await ask(node, "eth_getLogs", { fromBlock: "0x0" })).toMatchObject([{ blockNumber: "0x3", data: "0x00" }]);
  });

  it("may have members that are not read, whatever is in them", async () => {
    const foreign = `{"historical_states":[${'[[{"]":"}"}]],'.repeat(100_000)}{}],${text.slice(1)}`;
    const node = await aNode({ hardfork: "cancun", limits: { stateFileValues: 60_000 } });
    await node.loadState(new TextEncoder().encode(foreign));
    expect(node.head.header.number).toBe(4n);
  });

  const wide = `0x1${"0".repeat(16)}`;
  it.each<readonly [path: string, value: unknown, expected: string]>([
    ["blocks.0.header.timestamp", wide, "a whole number below 2^64"],
    ["blocks.0.header.gasLimit", wide, "a whole number below 2^64"],
    ["blocks.0.header.excessBlobGas", wide, "a whole number below 2^64"],
    ["blocks.0.header.nonce", "0x00", "DATA of 8 bytes"],
    ["blocks.0.header.miner", "0x0102", "DATA of 20 bytes"],
    ["blocks.0.header.logsBloom", "0x", "DATA of 256 bytes"],
    ["transactions.0.receipt.cumulativeGasUsed", wide, "a whole number below 2^64"],
    ["transactions.0.receipt.type", "0x102", "a type from 0 to 4"],
    ["transactions.0.receipt.logs", [{ address: "0x01", topics: [], data: "0x" }], "DATA of 20 bytes"],
    ["transactions.0.info.contract_address", "0x01", "DATA of 20 bytes"],
    ["accounts.0x0000000000000000000000000000000000000abc.nonce", wide, "a whole number below 2^64"],
  ])("is refused with %s as %s, which no block or account can hold", async (path, value, expected) => {
    const changed = JSON.parse(text) as Json;
    const names = path.split(".");
    const last = names.pop() as string;
    const place = names.reduce((at, name) => at[name] as Json, changed);
    expect(place).toHaveProperty([last]);
    place[last] = value;
    const node = await aNode({ hardfork: "cancun" });
    const loading = node.loadState(new TextEncoder().encode(JSON.stringify(changed)));
    await expect(loading).rejects.toMatchObject({ code: "STATE_FILE_INVALID" });
    await expect(loading).rejects.toThrow(`expected ${expected}, got`);
    expect(node.head.header.number).toBe(0n);
  });

  it("brings the state as it is at the head, edits included, to be mined on", async () => {
    const node = await aNode({ hardfork: "cancun" });
    await node.loadState(bytes);
    expect(await ask(node, "eth_getStorageAt", anvils[0], "0x0", "latest")).toMatch(/7$/);
    expect(await ask(node, "eth_getTransactionCount", ALICE)).toBe("0x3");
    await send(node, { to: BOB, value: "0x1" });
    expect(await ask(node, "trace_block", "latest")).toMatchObject([{ action: { from: ALICE } }]);
  });

  it("says of older states that they are not in it, and does not go back to them", async () => {
    const node = await aNode({ hardfork: "cancun" });
    await node.loadState(bytes);
    const missing = { cause: { code: "STATE_NOT_AVAILABLE" } };
    await expect(ask(node, "eth_getBalance", ALICE, "0x2")).rejects.toMatchObject(missing);
    await expect(ask(node, "trace_block", "0x4")).rejects.toMatchObject(missing);
    await expect(node.rollback(1)).rejects.toMatchObject({ code: "STATE_NOT_AVAILABLE" });
    await node.mine();
    await node.rollback(1);
  });

  it("leaves branches of its chain without older states too", async () => {
    const node = await aNode({ hardfork: "cancun" });
    await node.loadState(bytes);
    const branch = await node.branch();
    await expect(branch.rollback(1)).rejects.toMatchObject({ code: "STATE_NOT_AVAILABLE" });
    expect(branch.head.header.number).toBe(4n);
    await branch.close();
  });

  it("is an edit of the state where it holds accounts only", async () => {
    const node = await aNode({ hardfork: "cancun" });
    await node.mine();
    const accounts = JSON.stringify({ accounts: state.accounts });
    await node.loadState(new TextEncoder().encode(accounts));
    expect(node.head.header.number).toBe(1n);
    expect(await ask(node, "eth_getStorageAt", anvils[0], "0x0", "latest")).toMatch(/7$/);
  });

  it("with merge, writes its accounts into the present state, and takes no block", async () => {
    const node = await aNode({ hardfork: "prague" });
    await send(node, { from: ALICE, to: BOB, value: "0x1" });
    await ask(node, "anvil_setStorageAt", NOBODY, "0x1", wordText(7));
    await ask(node, "anvil_setNonce", CAROL, "0x64");
    const { hash } = node.head;
    const file = {
      ...JSON.parse(readFileSync(new URL("../../../fixtures/anvil-state/state.json", import.meta.url), "utf8")),
      accounts: {
        [NOBODY]: { nonce: 3, balance: "0x5", code: "0x6001", storage: { "0x2": "0x8" } },
        [CAROL]: { nonce: 2, balance: "0x9", code: "0x", storage: {} },
      },
    };
    const data = `0x${Buffer.from(JSON.stringify(file)).toString("hex")}`;
    for (const method of ["anvil_loadState", "hardhat_loadState"]) {
      expect(await ask(node, method, data, true)).toBe(true);
      expect(node.head.hash).toEqual(hash);
      expect(await ask(node, "eth_getBalance", NOBODY, "latest")).toBe("0x5");
      expect(await ask(node, "eth_getCode", NOBODY, "latest")).toBe("0x6001");
      expect(await ask(node, "eth_getStorageAt", NOBODY, "0x1", "latest")).toBe(wordText(7));
      expect(await ask(node, "eth_getStorageAt", NOBODY, "0x2", "latest")).toBe(wordText(8));
      // Anvil's file has the smaller nonce.
      expect(await ask(node, "eth_getTransactionCount", CAROL, "latest")).toBe("0x64");
      expect(await ask(node, "eth_getTransactionCount", ALICE, "latest")).toBe("0x1");
    }
    await node.mine();
    expect(await ask(node, "eth_getBalance", CAROL, "latest")).toBe("0x9");
  });

  it("is read with all slots of an account that has many, and names one that is wrong", async () => {
    const slots = Array.from({ length: 600 }, (_, slot): [string, string] => [wordText(slot), wordText(slot + 1)]);
    const fileOf = (entries: readonly [string, string][]): Buffer => {
      const storage = Object.fromEntries(entries);
      return Buffer.from(JSON.stringify({ accounts: { [NOBODY]: { nonce: 0, balance: "0x5", code: "0x", storage } } }));
    };
    const node = await aNode({ hardfork: "prague" });
    await node.loadState(fileOf(slots));
    for (const slot of [0, 299, 599]) {
      expect(await ask(node, "eth_getStorageAt", NOBODY, wordText(slot), "latest")).toBe(wordText(slot + 1));
    }
    expect(await ask(node, "eth_getStorageAt", NOBODY, wordText(600), "latest")).toBe(wordText(0));
    await expect(node.loadState(fileOf([...slots, ["0x999", "5"]]))).rejects.toThrow(
      new RegExp(`accounts\\.${NOBODY}\\.storage\\.0x999`),
    );
  });

  it("with merge, adds to a fork as well", async () => {
    const origin = await aNode({ hardfork: "prague" });
    await origin.mine();
    const fork = await aNode({ fork: { provider: origin.provider, cache: false } });
    await fork.loadState(
      Buffer.from(
        JSON.stringify({ block: null, accounts: { [NOBODY]: { nonce: 0, balance: "0x5", code: "0x", storage: {} } } }),
      ),
      { merge: true },
    );
    expect(await ask(fork, "eth_getBalance", NOBODY, "latest")).toBe("0x5");
    expect(await ask(fork, "eth_getBalance", BOB, "latest")).toBe(await ask(origin, "eth_getBalance", BOB, "latest"));
  });

  it("adds many slots to an account of a fork, which a revert takes back", async () => {
    const origin = await aNode({ hardfork: "prague" });
    await origin.setCode(decodeData(NOBODY), Uint8Array.of(0));
    await origin.setStorageAt(decodeData(NOBODY), decodeData(wordText(0)), decodeData(wordText(9)));
    await origin.mine();
    const fork = await aNode({ fork: { provider: origin.provider, cache: false } });
    const snapshot = await fork.snapshot();
    const storage = Object.fromEntries(Array.from({ length: 600 }, (_, slot) => [wordText(slot), wordText(slot + 1)]));
    const accounts = { [NOBODY]: { nonce: 0, balance: "0x5", code: "0x", storage } };
    await fork.loadState(Buffer.from(JSON.stringify({ accounts })), { merge: true });
    await fork.mine();
    const slotsNow = (): Promise<unknown> =>
      Promise.all([0, 299, 599].map((slot) => ask(fork, "eth_getStorageAt", NOBODY, wordText(slot), "latest")));
    expect(await slotsNow()).toEqual([1, 300, 600].map(wordText));
    await fork.revert(snapshot);
    expect(await slotsNow()).toEqual([9, 0, 0].map(wordText));
  });

  it("with merge, is refused where it is a whole chain of this node, or damaged", async () => {
    const node = await aNode({ hardfork: "prague" });
    const { hash } = node.head;
    await expect(node.loadState(await node.dumpState(), { merge: true })).rejects.toMatchObject({
      code: "STATE_FILE_INVALID",
      message: expect.stringContaining("cannot be merged"),
    });
    await expect(node.loadState(new Uint8Array([1, 2]), { merge: true })).rejects.toMatchObject({
      code: "STATE_FILE_INVALID",
    });
    await expect(ask(node, "anvil_loadState", "0x7b7d", "yes")).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("expected true or false"),
    });
    expect(node.head.hash).toEqual(hash);
  });

  it("is refused by a node with other hardforks", async () => {
    await expect((await aNode({ hardfork: "osaka" })).loadState(bytes)).rejects.toThrow(
      "Block 0 has no requestsHash, which osaka demands.",
    );
  });
});
