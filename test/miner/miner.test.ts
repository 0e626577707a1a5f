import { describe, expect, it } from "vitest";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, aNode, BOB, NOW } from "../support/a-node.ts";
import { receiptOf, send } from "../support/contracts.ts";

const ETHER = 10n ** 18n;
const MINER = addressText(0xaa);

async function balance(node: Awaited<ReturnType<typeof aNode>>, address: `0x${string}`): Promise<bigint> {
  return BigInt(await node.provider.request({ method: "eth_getBalance", params: [address] }));
}

describe("mine()", () => {
  it("makes one block with the pool's transactions, in nonce order and best tip first", async () => {
    const node = await aNode({ mining: "manual" });
    const tip = (gwei: number) => ({
      maxPriorityFeePerGas: `0x${(gwei * 1e9).toString(16)}`,
      maxFeePerGas: "0x2540be400",
    });
    const first = await send(node, { to: BOB, value: "0x1", ...tip(1) });
    const second = await send(node, { to: BOB, value: "0x2", ...tip(9) });
    const bobs = await send(node, { from: BOB, to: ALICE, value: "0x3", ...tip(5) });
    const [block] = await node.mine();
    // ALICE's better-paid second cannot overtake her first.
    expect(block?.transactions.map(({ hash }) => encodeData(hash))).toEqual([bobs, first, second]);
  });

  it("makes as many blocks as asked, all in one write, each a second after its parent", async () => {
    const node = await aNode({ mining: "manual" });
    const changes: number[] = [];
    node.onHeadChange(({ added }) => {
      changes.push(added.length);
    });
    const blocks = await node.mine({ blocks: 5 });
    expect(blocks.map(({ header }) => [header.number, header.timestamp])).toEqual(
      [1n, 2n, 3n, 4n, 5n].map((number) => [number, BigInt(NOW) + number]),
    );
    expect(changes).toEqual([5]);
  });

  it("moves on from the head after time travel, also where blocks made in one second have run ahead of the clock", async () => {
    const node = await aNode({ mining: "manual" });
    await node.mine({ blocks: 100 });
    expect(await node.provider.request({ method: "evm_increaseTime", params: [60] })).toBe(160);
    const [block] = await node.mine();
    expect(block?.header.timestamp).toBe(BigInt(NOW) + 160n);
    expect(await node.provider.request({ method: "evm_increaseTime", params: [5] })).toBe(165);
  });

  it("takes a timestamp for the first block and a distance for the others", async () => {
    const node = await aNode();
    const blocks = await node.mine({ blocks: 3, timestamp: 2_000_000_000n, interval: 12n });
    expect(blocks.map(({ header }) => header.timestamp)).toEqual([2_000_000_000n, 2_000_000_012n, 2_000_000_024n]);
  });

  it("refuses a timestamp that is not after the head's, and says which is", async () => {
    const node = await aNode();
    await expect(node.mine({ timestamp: BigInt(NOW) })).rejects.toThrow(
      `Timestamp ${NOW} is not after the parent's ${NOW}. Give at least ${NOW + 1}.`,
    );
    expect(node.head.header.number).toBe(0n);
  });

  it("puts given transactions in the first block instead of the pool's", async () => {
    const node = await aNode({ mining: "manual" });
    await send(node, { to: BOB });
    const [block] = await node.mine({ transactions: [] });
    expect(block?.transactions).toEqual([]);
    expect((await node.mine())[0]?.transactions).toHaveLength(1);
  });

  it("gives two chains with the same clock and history the same hashes", async () => {
    const hashes = [];
    for (let round = 0; round < 2; round++) {
      const node = await aNode();
      await send(node, { to: BOB, value: "0x5" });
      await node.mine({ blocks: 3 });
      hashes.push(encodeData(node.head.hash));
    }
    expect(hashes[0]).toBe(hashes[1]);
  });

  it("leaves what does not fit in the block for the next one", async () => {
    const node = await aNode({ mining: "manual", gasLimit: 100_000 });
    for (let count = 0; count < 3; count++) await send(node, { to: BOB, gas: "0xea60" });
    const blocks = await node.mine({ blocks: 3 });
    expect(blocks.map(({ transactions }) => transactions.length)).toEqual([2, 1, 0]);
  });
});

describe("mineSideBlock()", () => {
  it("leaves the head where it is and is found by hash", async () => {
    const node = await aNode({ hardfork: "london" });
    await node.mine({ blocks: 2 });
    const head = encodeData(node.head.hash);
    const side = await node.mineSideBlock();
    expect(encodeData(node.head.hash)).toBe(head);
    expect(node.getBlock(side.hash)?.header.number).toBe(2n);
    expect(side.hash).not.toEqual(node.head.hash);
  });

  it("makes a block of its own also where the canonical one would come out alike, and where asked twice", async () => {
    const node = await aNode({ hardfork: "petersburg" });
    await node.mine({ blocks: 2 });
    const sides = [await node.mineSideBlock(), await node.mineSideBlock()];
    const hashes = [node.head, ...sides].map(({ hash }) => encodeData(hash));
    expect(new Set(hashes).size).toBe(3);
    const [block] = await node.mine({ uncles: sides.map(({ header }) => header) });
    expect(block?.uncles).toHaveLength(2);
  });

  it("rejects where there is no parent to follow", async () => {
    const node = await aNode({ hardfork: "london" });
    await expect(node.mineSideBlock()).rejects.toMatchObject({ code: "BLOCK_NOT_FOUND" });
    await expect(node.mineSideBlock({ parent: new Uint8Array(32) })).rejects.toMatchObject({ code: "BLOCK_NOT_FOUND" });
  });
});

describe("uncles", () => {
  it.each([
    ["homestead", 5n],
    ["byzantium", 3n],
    ["constantinople", 2n],
  ])("are paid by distance, and their includer 1/32 more for each (%s)", async (hardfork, base) => {
    const node = await aNode({ hardfork, coinbase: MINER });
    await node.mine({ blocks: 4 });
    const near = await node.mineSideBlock({ coinbase: decodeData(addressText(1)) });
    const far = await node.mineSideBlock({
      coinbase: decodeData(addressText(2)),
      parent: node.getBlock(1n)?.hash ?? new Uint8Array(),
    });
    const before = await balance(node, MINER);
    await node.mine({ uncles: [near.header, far.header] });
    expect((await balance(node, MINER)) - before).toBe(base * ETHER + 2n * ((base * ETHER) / 32n));
    // Block 5 includes an uncle of number 4 and one of number 2.
    expect(await balance(node, addressText(1))).toBe((base * ETHER * 7n) / 8n);
    expect(await balance(node, addressText(2))).toBe((base * ETHER * 5n) / 8n);
  });

  it.each([
    ["three of them", "it has 3 uncles, at most 2 are allowed"],
    ["the same twice", "uncle 1 is included twice"],
    ["one that an ancestor already includes", "uncle 0 is included twice"],
    ["an ancestor", "uncle 0 is an ancestor"],
    ["a sibling of the block", "uncle 0 is a sibling, its parent is the block's own"],
    ["one of the seventh generation", "uncle 0 has no ancestor of the last 7 generations as parent"],
    ["one with a wrong difficulty", "uncle 0 is not a valid header"],
  ])("that are %s are refused", async (what, rule) => {
    const node = await aNode({ hardfork: "petersburg" });
    await node.mine({ blocks: 8 });
    const hashOf = (number: bigint): Uint8Array => node.getBlock(number)?.hash ?? new Uint8Array();
    const [first, second, third] = [await node.mineSideBlock(), await node.mineSideBlock(), await node.mineSideBlock()];
    const headers = async () => {
      switch (what) {
        case "three of them":
          return [first, second, third];
        case "the same twice":
          return [first, first];
        case "one that an ancestor already includes":
          await node.mine({ uncles: [first.header] });
          return [first];
        case "an ancestor":
          return [node.getBlock(7n) ?? first];
        case "a sibling of the block":
          return [await node.mineSideBlock({ parent: node.head.hash })];
        case "one of the seventh generation":
          return [await node.mineSideBlock({ parent: hashOf(1n) })];
        default:
          return [{ header: { ...first.header, difficulty: first.header.difficulty + 1n } }];
      }
    };
    const uncles = (await headers()).map(({ header }) => header);
    const before = node.head.header.number;
    await expect(node.mine({ uncles })).rejects.toThrow(rule);
    expect(node.head.header.number).toBe(before);
    // The refusal leaves the node able to mine.
    expect(await node.mine()).toHaveLength(1);
  });

  it("of the sixth generation are taken", async () => {
    const node = await aNode({ hardfork: "petersburg" });
    await node.mine({ blocks: 8 });
    const side = await node.mineSideBlock({ parent: node.getBlock(2n)?.hash ?? new Uint8Array() });
    expect((await node.mine({ uncles: [side.header] }))[0]?.uncles).toHaveLength(1);
  });

  it("are refused after the Merge, with what to do instead", async () => {
    const node = await aNode();
    await node.mine({ blocks: 2 });
    await expect(node.mine({ uncles: [node.head.header] })).rejects.toThrow(
      "A block of osaka cannot have uncles: they ended with the Merge. Start the chain with a hardfork before paris",
    );
    await expect(node.mineSideBlock()).rejects.toThrow(
      "A side block of osaka could not become an uncle: they ended with the Merge. Start the chain with",
    );
  });
});

describe("blocks", () => {
  it("follow the base fee rule: a full block raises the next one's by an eighth", async () => {
    const node = await aNode({ mining: "manual", gasLimit: 42_000 });
    for (let count = 0; count < 2; count++) await send(node, { to: BOB, gas: "0x5208" });
    const blocks = await node.mine({ blocks: 2 });
    expect(blocks.map(({ header }) => header.baseFeePerGas)).toEqual([875_000_000n, 984_375_000n]);
  });

  it("credit tips to the coinbase that the options name and burn the base fee", async () => {
    const node = await aNode({ coinbase: MINER });
    const hash = await send(node, { to: BOB, maxPriorityFeePerGas: "0x3", maxFeePerGas: "0x77359400" });
    expect(await balance(node, MINER)).toBe(3n * 21_000n);
    expect((await receiptOf(node, hash)).effectiveGasPrice).toBe("0x342770c3");
  });
});
