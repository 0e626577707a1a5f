import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ALICE,
  aServedNode,
  BOB,
  type Json,
  NOW,
  openNode,
  quantity,
  type ServedNode,
  serve,
} from "../../../support/a-node.ts";
import { blockHashOf } from "../../../support/block-json.ts";
import { send } from "../../../support/contracts.ts";

const HEADER = [
  ["number", "hash", "parentHash", "nonce", "sha3Uncles", "logsBloom", "transactionsRoot", "stateRoot"],
  ["receiptsRoot", "miner", "difficulty", "extraData", "gasLimit", "gasUsed", "timestamp", "mixHash"],
].flat();
const BLOCK = [...HEADER, "size", "uncles", "transactions"];
const SHANGHAI = ["withdrawalsRoot", "withdrawals"];
const CANCUN = ["blobGasUsed", "excessBlobGas", "parentBeaconBlockRoot"];
const MORE: Readonly<Record<string, readonly string[]>> = {
  frontier: [],
  london: ["baseFeePerGas"],
  paris: ["baseFeePerGas"],
  shanghai: ["baseFeePerGas", ...SHANGHAI],
  cancun: ["baseFeePerGas", ...SHANGHAI, ...CANCUN],
  osaka: ["baseFeePerGas", ...SHANGHAI, ...CANCUN, "requestsHash"],
};

const sorted = (names: readonly string[]): string[] => [...names].sort();

describe.each(Object.keys(MORE))("a block (%s)", (hardfork) => {
  let served: ServedNode;
  let block: Json;

  beforeAll(async () => {
    served = await serve(await openNode({ hardfork }));
    await send(served.node, { to: BOB, value: "0x1" });
    block = await served.plain.ask<Json>("eth_getBlockByNumber", "0x1", false);
  });
  afterAll(() => served.node.close());

  it("has exactly the members of its hardfork, without a total difficulty at the plain address", () => {
    expect(sorted(Object.keys(block))).toEqual(sorted([...BLOCK, ...(MORE[hardfork] ?? [])]));
  });

  it("has the same members and a total difficulty at the path form", async () => {
    const wide = await served.parity.ask<Json>("eth_getBlockByNumber", "0x1", false);
    const difficulty = hardfork === "frontier" || hardfork === "london" ? 131_072n : 0n;
    const total = difficulty + BigInt(block.difficulty as string);
    expect(wide).toEqual({ ...block, totalDifficulty: quantity(total) });
  });

  it("has members that make its hash", () => {
    expect(blockHashOf(block)).toBe(block.hash);
  });

  it("is the same by number, tag and hash, with hashes or whole transactions", async () => {
    const { ask } = served.plain;
    const whole = await ask<Json>("eth_getBlockByNumber", "latest", true);
    expect(await ask("eth_getBlockByHash", block.hash, false)).toEqual(block);
    expect(await ask("eth_getBlockByHash", block.hash, true)).toEqual(whole);
    const [tx] = whole.transactions as Json[];
    expect(block.transactions).toEqual([tx?.hash]);
    expect(tx).toEqual(await ask("eth_getTransactionByHash", tx?.hash));
    expect({ ...whole, transactions: [] }).toEqual({ ...block, transactions: [] });
  });
});

describe("the pending block", () => {
  it("hides number, hash, nonce and bloom at the path form, and only hash and nonce at the plain address", async () => {
    const { node, plain, parity } = await aServedNode({ mining: "manual" });
    await node.mine();
    const hash = await send(node, { to: BOB, value: "0x1" });
    const wide = await parity.ask<Json>("eth_getBlockByNumber", "pending", false);
    const narrow = await plain.ask<Json>("eth_getBlockByNumber", "pending", false);
    expect(wide).toMatchObject({ number: null, hash: null, nonce: null, logsBloom: null, totalDifficulty: "0x0" });
    expect(wide.miner).toBe(`0x${"00".repeat(20)}`);
    expect(wide.transactions).toEqual([hash]);
    expect(narrow).toMatchObject({ number: "0x2", hash: null, nonce: null, gasUsed: "0x5208" });
    expect(narrow.logsBloom).toMatch(/^0x0{512}$/);
    expect(narrow.parentHash).toBe((await plain.ask<Json>("eth_getBlockByNumber", "latest", false)).hash);
  });

  it("is what is mined next", async () => {
    const { node, plain } = await aServedNode({ mining: "manual" });
    await send(node, { to: BOB, value: "0x1" });
    await send(node, { from: BOB, to: ALICE, value: "0x2" });
    const { hash: _hash, nonce: _nonce, ...pending } = await plain.ask<Json>("eth_getBlockByNumber", "pending", false);
    const balance = await plain.ask("eth_getBalance", BOB, "pending");
    await node.mine();
    expect(await plain.ask<Json>("eth_getBlockByNumber", "latest", false)).toMatchObject(pending);
    expect(await plain.ask("eth_getBalance", BOB, "latest")).toBe(balance);
  });

  it("is empty and on the head when nothing waits", async () => {
    const { plain } = await aServedNode();
    expect(await plain.ask("eth_getBlockByNumber", "pending", true)).toMatchObject({ number: "0x1", transactions: [] });
  });

  it("changes with what is sent, edited and mined", async () => {
    const { node, plain } = await aServedNode({ mining: "manual" });
    const roots = new Set<unknown>();
    const look = async (): Promise<void> => {
      roots.add((await plain.ask<Json>("eth_getBlockByNumber", "pending", false)).stateRoot);
    };
    await look();
    await send(node, { to: BOB, value: "0x1" });
    await look();
    await node.setBalance(new Uint8Array(20).fill(9), 5n);
    await look();
    await node.mine();
    await send(node, { to: BOB, value: "0x1" });
    await look();
    expect(roots.size).toBe(4);
  });
});

describe("tags", () => {
  it("safe and finalized follow the head of a mining chain at 32 and 64 blocks, and begin at genesis", async () => {
    const { node, plain } = await aServedNode();
    const numberAt = async (tag: string) => (await plain.ask<Json>("eth_getBlockByNumber", tag, false)).number;
    await node.mine({ blocks: 31 });
    expect([await numberAt("safe"), await numberAt("finalized")]).toEqual(["0x0", "0x0"]);
    await node.mine({ blocks: 39 });
    expect([await numberAt("safe"), await numberAt("finalized")]).toEqual(["0x26", "0x6"]);
    expect([await numberAt("earliest"), await numberAt("latest"), await numberAt("pending")]).toEqual([
      "0x0",
      "0x46",
      "0x47",
    ]);
  });

  it("safe and finalized follow at the distance that the option sets", async () => {
    const { node, plain } = await aServedNode({ slotsInAnEpoch: 2 });
    await node.mine({ blocks: 10 });
    expect(await plain.ask("eth_getBlockByNumber", "safe", false)).toMatchObject({ number: "0x8" });
    expect(await plain.ask("eth_getBlockByNumber", "finalized", false)).toMatchObject({ number: "0x6" });
  });

  it("are understood by state lookups, also as hashes and EIP-1898 objects", async () => {
    const { node, plain } = await aServedNode();
    const start = quantity(10_000n * 10n ** 18n);
    await send(node, { to: BOB, value: "0x64" });
    const after = quantity(10_000n * 10n ** 18n + 100n);
    const { hash } = await plain.ask<Json>("eth_getBlockByNumber", "0x1", false);
    const expected: readonly (readonly [unknown, string])[] = [
      ["earliest", start],
      ["0x0", start],
      ["finalized", start],
      ["safe", start],
      ["latest", after],
      ["pending", after],
      [hash, after],
      [{ blockHash: hash }, after],
      [{ blockHash: hash, requireCanonical: true }, after],
      [{ blockNumber: "0x0" }, start],
      [null, after],
    ];
    for (const [id, balance] of expected) expect(await plain.ask("eth_getBalance", BOB, id)).toBe(balance);
    expect(await plain.ask("eth_getBalance", BOB)).toBe(after);
    const unknown = await plain.failure("eth_getBalance", BOB, "0x2");
    expect([unknown.code, unknown.message]).toEqual([-32000, "header not found"]);
  });
});

it("unknown blocks are null", async () => {
  const { plain } = await aServedNode();
  expect(await plain.ask("eth_getBlockByNumber", "0x1", false)).toBeNull();
  expect(await plain.ask("eth_getBlockByNumber", "0xffffffffffffffff", false)).toBeNull();
  expect(await plain.ask("eth_getBlockByHash", `0x${"12".repeat(32)}`, true)).toBeNull();
});

it("the first block of a development chain has the timestamp of the clock, or of the option", async () => {
  const { node, plain } = await aServedNode({ timestamp: 1_234_567_890 });
  expect(await plain.ask("eth_getBlockByNumber", "0x0", false)).toMatchObject({ timestamp: quantity(1_234_567_890) });
  // Time goes on from there.
  expect((await node.mine())[0]?.header.timestamp).toBe(1_234_567_891n);
  const other = await aServedNode();
  expect(await other.plain.ask("eth_getBlockByNumber", "0x0", false)).toMatchObject({ timestamp: quantity(NOW) });
});
