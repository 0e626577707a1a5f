import { gzipSync } from "node:zlib";
import { RLP } from "@ethereumjs/rlp";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { ChainWriter } from "../../../src/chain/chain-writer.ts";
import { importChain } from "../../../src/chain/files/import-chain.ts";
import { encodeBlock } from "../../../src/chainspec/header/block.ts";
import { type Header, headerToList } from "../../../src/chainspec/header/header.ts";
import { SignerThread } from "../../../src/chainspec/signer-thread.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { ALICE, aNode, BOB, CAROL, openNode } from "../../support/a-node.ts";
import { send } from "../../support/contracts.ts";
import { sweep } from "../../support/seed.ts";

type Bytes = Uint8Array;
const joined = (parts: readonly Bytes[]): Bytes => new Uint8Array(Buffer.concat(parts));

interface ChainFile {
  readonly blocks: Bytes[];
  readonly head: string;
  /** The node that made it. No test changes it. */
  readonly source: HindcastNode;
}

const files = new Map<string, Promise<ChainFile>>();
afterAll(async () => {
  for (const { source } of await Promise.all(files.values())) await source.close();
});

/** A chain of five blocks, the third and fourth with a transaction: made once for each hardfork. */
function aFile(hardfork = "osaka"): Promise<ChainFile> {
  const file = files.get(hardfork) ?? makeFile(hardfork);
  files.set(hardfork, file);
  return file;
}

async function makeFile(hardfork: string): Promise<ChainFile> {
  const source = await openNode({ hardfork });
  await source.mine({ blocks: 2 });
  await send(source, { to: BOB, value: "0x1" });
  await send(source, { to: CAROL, value: "0x2" });
  await source.mine();
  return { blocks: [...source.exportChain()], head: encodeData(source.head.hash), source };
}

afterEach(() => vi.restoreAllMocks());

const headOf = (node: HindcastNode): string => encodeData(node.head.hash);

describe("importChain()", () => {
  it.each(
    sweep(["frontier", "byzantium", "london", "paris", "cancun", "osaka"], (hardfork) =>
      ["frontier", "london", "osaka"].includes(hardfork),
    ),
  )("takes what exportChain() gave, and ends in the same head (%s)", async (hardfork) => {
    const { blocks, head } = await aFile(hardfork);
    const node = await aNode({ hardfork });
    expect(await node.importChain(joined(blocks))).toEqual({ imported: 5, known: 0 });
    expect(headOf(node)).toBe(head);
  });

  it("takes a gzipped file", async () => {
    const { blocks, head } = await aFile();
    const node = await aNode();
    expect(await node.importChain(new Uint8Array(gzipSync(joined(blocks))))).toEqual({ imported: 5, known: 0 });
    expect(headOf(node)).toBe(head);
  });

  it("counts blocks that are known, the genesis block among them, and goes on after them", async () => {
    const { blocks, head, source } = await aFile();
    const node = await aNode();
    await node.importChain(joined(blocks.slice(0, 3)));
    const genesis = encodeBlock(source.getBlock(0n) ?? source.head);
    expect(await node.importChain(joined([genesis, ...blocks]))).toEqual({ imported: 2, known: 4 });
    expect(headOf(node)).toBe(head);
  });

  it("tells of its progress after each block", async () => {
    const { blocks } = await aFile();
    const node = await aNode();
    const seen: unknown[] = [];
    await node.importChain(joined(blocks), { onProgress: (progress) => seen.push(progress) });
    const totalBytes = joined(blocks).length;
    const bytes = blocks.map((_, index) => joined(blocks.slice(0, index + 1)).length);
    expect(seen).toEqual(bytes.map((end, index) => ({ blocks: index + 1, bytes: end, totalBytes })));
  });

  it("takes branches as they come in a file, and ends on the heaviest", async () => {
    const hardfork = "byzantium";
    const { blocks, head } = await aFile(hardfork);
    const other = await aNode({ hardfork, coinbase: BOB });
    await other.importChain(joined(blocks.slice(0, 2)));
    await other.mine({ blocks: 2 });
    const side = [...other.exportChain()].slice(2);
    const node = await aNode({ hardfork });
    // Blocks 1 to 3, another 3 and 4, which is heavier for a while, then the first branch's 4 and 5.
    const file = joined([...blocks.slice(0, 3), ...side, ...blocks.slice(3)]);
    expect(await node.importChain(file)).toEqual({ imported: 7, known: 0 });
    expect(headOf(node)).toBe(head);
    expect(node.getBlock(other.head.hash)?.header.number).toBe(4n);
    expect(await node.importChain(file)).toEqual({ imported: 0, known: 7 });
  });

  it("stops between two blocks when it is aborted, and keeps what it has", async () => {
    const { blocks } = await aFile();
    const node = await aNode();
    const abort = new AbortController();
    const importing = node.importChain(joined(blocks), {
      signal: abort.signal,
      onProgress: ({ blocks: count }) => {
        if (count === 2) abort.abort();
      },
    });
    await expect(importing).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
    expect(node.head.header.number).toBe(2n);
    expect(await node.importChain(joined(blocks))).toEqual({ imported: 3, known: 2 });
  });

  it("refuses a bad block by number and rule; what came before it stays, what comes after is not looked at", async () => {
    const { blocks, source } = await aFile();
    const node = await aNode();
    const bad = withHeader(source, 3n, { gasUsed: 5n });
    const importing = node.importChain(joined([...blocks.slice(0, 2), bad, ...blocks.slice(3)]));
    await expect(importing).rejects.toMatchObject({
      code: "BLOCK_REJECTED",
      message: "Block 3 is not valid: gasUsed 5 is not 21000.",
    });
    expect(node.head.header.number).toBe(2n);
    // The node is as able as before.
    expect(await node.importChain(joined(blocks))).toEqual({ imported: 3, known: 2 });
  });

  it.each([
    [
      "a file that ends within a block",
      (blocks: Bytes[]) => joined(blocks).subarray(0, -10),
      4n,
      /after 4 blocks, at byte \d+/,
    ],
    [
      "a file that goes on with something else",
      (blocks: Bytes[]) => joined([...blocks, Uint8Array.of(1, 2)]),
      5n,
      /after 5 blocks/,
    ],
    [
      "a file that is something else",
      () => new TextEncoder().encode("not a chain"),
      0n,
      /The file is not a complete list of blocks/,
    ],
    [
      "a list that is no block",
      (blocks: Bytes[]) => joined([...blocks.slice(0, 2), RLP.encode([Uint8Array.of(1)])]),
      2n,
      /Malformed block: .+ It is at byte \d{3,} of the file, after 2 blocks\. Check the file; it must be block RLP/,
    ],
    [
      "a block whose parent is unknown",
      (blocks: Bytes[]) => joined(blocks.slice(1)),
      0n,
      /Block 2 is not valid: its parent is unknown/,
    ],
    ["truncated gzip", (blocks: Bytes[]) => new Uint8Array(gzipSync(joined(blocks))).subarray(0, -20), 0n, /gzip/],
  ])("refuses %s", async (_what, fileOf, head, message) => {
    const { blocks } = await aFile();
    const node = await aNode();
    const importing = node.importChain(fileOf(blocks));
    await expect(importing).rejects.toMatchObject({ code: "BLOCK_REJECTED" });
    await expect(node.importChain(fileOf(blocks))).rejects.toThrow(message);
    expect(node.head.header.number).toBe(head);
  });

  describe("with its signers recovered ahead on a thread", () => {
    /** A node, and importing into its chain with the thread, however short the file. */
    async function anEarlyNode(options?: Parameters<typeof aNode>[0]) {
      const open = vi.spyOn(ChainWriter, "open");
      const node = await aNode(options);
      const writer = (await open.mock.results.at(-1)?.value) as ChainWriter;
      return { node, importAhead: (file: Bytes) => importChain(writer, file, { leastBytesForThread: 0 }) };
    }

    it.each(["frontier", "london", "osaka"])("ends in the same head (%s)", async (hardfork) => {
      const { blocks, head } = await aFile(hardfork);
      const recover = vi.spyOn(SignerThread.prototype, "recover");
      const { node, importAhead } = await anEarlyNode({ hardfork });
      expect(await importAhead(joined(blocks))).toEqual({ imported: 5, known: 0 });
      expect(headOf(node)).toBe(head);
      // Nothing is left to be recovered for one that is known.
      await importAhead(joined(blocks));
      expect(recover.mock.calls.map(([transactions]) => transactions.length)).toEqual([1, 1]);
    });

    it("follows a merge within the file", async () => {
      const genesis = {
        config: { chainId: 31_337, londonBlock: 0, terminalTotalDifficulty: "0x60000" },
        difficulty: "0x20000",
        alloc: { [ALICE]: { balance: "0xffffffffffffffffff" } },
      };
      const source = await aNode({ genesis, mining: "auto" });
      for (let count = 0; count < 4; count++) await send(source, { to: BOB, value: "0x1" });
      expect(source.head.header.difficulty).toBe(0n);
      const { node, importAhead } = await anEarlyNode({ genesis });
      await importAhead(joined([...source.exportChain()]));
      expect(headOf(node)).toBe(headOf(source));
    });

    it("names a bad block, a bad transaction and a torn end in their turn, as without", async () => {
      const { blocks, source } = await aFile();
      const third = source.getBlock(3n) ?? source.head;
      const [, transactions] = RLP.decode(encodeBlock(third)) as [unknown, Uint8Array[]];
      const forged = RLP.encode([
        headerToList(third.header),
        [transactions[0]?.subarray(0, -1), ...transactions.slice(1)],
        [],
        [],
      ] as never);
      for (const bad of [withHeader(source, 3n, { gasUsed: 5n }), forged, blocks[2]?.subarray(0, -1)]) {
        const file = joined([...blocks.slice(0, 2), bad ?? new Uint8Array()]);
        const [plain, { node: early, importAhead }] = [await aNode(), await anEarlyNode()];
        const failure = await plain.importChain(file).catch((error: Error) => error);
        expect(failure).toMatchObject({ code: "BLOCK_REJECTED" });
        await expect(importAhead(file)).rejects.toThrow((failure as Error).message);
        expect(headOf(early)).toBe(headOf(plain));
        expect(early.head.header.number).toBe(2n);
      }
    });

    it("recovers them itself where the thread fails", async () => {
      const { blocks, head } = await aFile();
      vi.spyOn(SignerThread.prototype, "recover").mockRejectedValue(new Error("no thread"));
      const { node, importAhead } = await anEarlyNode();
      await importAhead(joined(blocks));
      expect(headOf(node)).toBe(head);
    });
  });

  it("of nothing imports nothing", async () => {
    const node = await aNode();
    expect(await node.importChain(new Uint8Array())).toEqual({ imported: 0, known: 0 });
  });

  it("refuses a file with the genesis block of another chain, and names both", async () => {
    const other = await aNode({ chainId: 5, balance: 1n });
    const node = await aNode();
    const importing = node.importChain(encodeBlock(other.head));
    await expect(importing).rejects.toThrow(
      `The file begins with the genesis block of another chain. Its hash is ${headOf(other)}, this chain's is ${headOf(node)}.`,
    );
  });

  it("refuses the genesis block of another chain in the middle of a file, too", async () => {
    const { blocks } = await aFile();
    const other = await aNode({ balance: 1n });
    const node = await aNode();
    const importing = node.importChain(joined([...blocks.slice(0, 2), encodeBlock(other.head), ...blocks.slice(2)]));
    await expect(importing).rejects.toThrow(/genesis block of another chain/);
    expect(node.head.header.number).toBe(2n);
  });
});

/** Block `number` of a node with other header members; its body is as it was. */
function withHeader(source: HindcastNode, number: bigint, changes: Partial<Header>): Bytes {
  const block = source.getBlock(number) ?? source.head;
  return encodeBlock({ ...block, header: { ...block.header, ...changes } });
}

it("importBlock() takes its block however late it comes to its turn", async () => {
  const { blocks } = await aFile();
  const node = await aNode();
  let now = performance.now();
  // As in a process that waits for seconds between any two steps.
  vi.spyOn(performance, "now").mockImplementation(() => (now += 2_000));
  for (const block of blocks) await node.importBlock(block);
  expect(node.head.header.number).toBe(BigInt(blocks.length));
});

describe("a block is refused for", () => {
  const word = new Uint8Array(32).fill(7);

  it.each<[string, Partial<Header>, RegExp]>([
    ["its number", { number: 4n }, /number is not the parent's plus one/],
    [
      "a timestamp not after its parent's",
      { timestamp: 1_700_000_002n },
      /timestamp 1700000002 is not after the parent's/,
    ],
    ["long extra data", { extraData: new Uint8Array(33) }, /extraData has 33 bytes, over 32/],
    [
      "a gas limit that jumps",
      { gasLimit: 31_000_000n },
      /gasLimit 31000000 differs from the parent's 30000000 by 29296 or more/,
    ],
    ["more gas used than its limit", { gasUsed: 40_000_000n }, /gasUsed 40000000 exceeds gasLimit/],
    ["a difficulty after the Merge", { difficulty: 1n }, /difficulty 1 is not 0 after the Merge/],
    ["a nonce after the Merge", { nonce: new Uint8Array(8).fill(1) }, /nonce is not zero after the Merge/],
    ["its base fee", { baseFeePerGas: 5n }, /baseFeePerGas 5 is not \d+/],
    ["its excess blob gas", { excessBlobGas: 5n }, /excessBlobGas 5 is not 0/],
    ["its blob gas", { blobGasUsed: 131_072n }, /blobGasUsed 131072 is not that of its 0 blobs/],
    ["too much blob gas", { blobGasUsed: 131_072n * 10n }, /blobGasUsed 1310720 exceeds 1179648/],
    ["its transactions", { transactionsRoot: word }, /transactionsRoot does not match its transactions/],
    ["uncles after the Merge", { unclesHash: word }, /there are uncles after the Merge/],
    ["its withdrawals", { withdrawalsRoot: word }, /withdrawalsRoot does not match its withdrawals/],
    ["a missing member", { requestsHash: undefined }, /requestsHash is missing in osaka/],
    ["its receipts", { receiptsRoot: word }, /receiptsRoot does not match its receipts/],
    ["its bloom", { logsBloom: new Uint8Array(256).fill(1) }, /logsBloom does not match its logs/],
    ["its state", { stateRoot: word }, /stateRoot 0x0707\w+ is not 0x\w{64}/],
    ["its requests", { requestsHash: word }, /requestsHash does not match its requests/],
  ])("%s", async (_what, changes, rule) => {
    const { blocks, source } = await aFile();
    const node = await aNode();
    await node.importChain(joined(blocks.slice(0, 2)));
    const root = node.head.header.stateRoot;
    const message = await node.importBlock(withHeader(source, 3n, changes)).catch((error: Error) => error.message);
    expect(message).toMatch(rule);
    expect(message).toMatch(/^Block \d+ is not valid: /);
    expect(node.head.header.stateRoot).toEqual(root);
    await node.importBlock(blocks[2] ?? new Uint8Array());
  });

  it.each<[string, Partial<Header>, RegExp]>([
    ["its difficulty", { difficulty: 200_000n }, /difficulty 200000 is not 131264/],
    ["its uncles", { unclesHash: word }, /sha3Uncles does not match its uncles/],
    ["a base fee before London", { baseFeePerGas: 7n }, /baseFeePerGas is not allowed in byzantium/],
  ])("%s (byzantium)", async (_what, changes, rule) => {
    const { blocks, source } = await aFile("byzantium");
    const node = await aNode({ hardfork: "byzantium" });
    await node.importChain(joined(blocks.slice(0, 2)));
    await expect(node.importBlock(withHeader(source, 3n, changes))).rejects.toThrow(rule);
  });

  it("a transaction that may not stand in it, which is named by its position", async () => {
    const { source } = await aFile();
    const node = await aNode();
    await node.importChain(joined([...source.exportChain({ to: 2n })]));
    // Block 4 holds nonce 1: on block 2 that is one too high.
    const [parent, fourth] = [source.getBlock(3n) ?? source.head, source.getBlock(4n) ?? source.head];
    const header = { ...parent.header, transactionsRoot: fourth.header.transactionsRoot };
    const block = encodeBlock({ ...fourth, header });
    await expect(node.importBlock(block)).rejects.toThrow(/^Block 3 is not valid: transaction 0: nonce too high/);
  });
});
