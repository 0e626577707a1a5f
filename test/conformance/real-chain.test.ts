/** Literal values on real blocks. Hashes, difficulties and sizes were read from chain.rlp by other means than this node. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { type Client, type Json, openNode, quantity, type ServedNode, serve } from "../support/a-node.ts";
import { hasRealChain, realBlocks, realChain, realGenesis, realHead, whereItIs } from "./real-chain.ts";

const ETHER = 10n ** 18n;
const NOBODY = `0x${"00".repeat(20)}`;
const NO_BLOOM = `0x${"00".repeat(256)}`;

const BLOCK_3 = "0xb8a651cb280e169015aef5235a141cb2d905058d1ff9bba788b7ad2c729c9837";
const UNCLE_OF_3 = {
  number: "0x2",
  hash: "0xcab48fb1cd7699dde0792164545f50ed725d38080c929a7391a2f34647e68310",
  parentHash: "0x80e911b62f552f563a2544dfef5eb39ec8863d9082c998ca6b657f76e19de38e",
  nonce: "0x0000000000000000",
  sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
  logsBloom: NO_BLOOM,
  transactionsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  stateRoot: `0x${"00".repeat(32)}`,
  receiptsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  miner: NOBODY,
  difficulty: "0x20000",
  // The genesis block, block 1 and the uncle: three times 131,072.
  totalDifficulty: "0x60000",
  extraData: "0x68697665636861696e20756e636c652030",
  size: "0x20d",
  gasLimit: "0x5f5e100",
  gasUsed: "0x0",
  timestamp: "0x1e",
  uncles: [],
  mixHash: `0x${"00".repeat(32)}`,
  transactions: [],
};

describe.skipIf(!hasRealChain)(`the real chain ${whereItIs}`, () => {
  let served: ServedNode;

  beforeAll(async () => {
    served = await serve(await openNode({ genesis: realGenesis() }));
    expect(await served.node.importChain(realChain())).toEqual({ imported: 54, known: 0 });
  });
  afterAll(() => served.node.close());

  it("ends in the block that hive names as head, safe and finalized", async () => {
    const { ask } = served.plain;
    const head = realHead();
    expect(head.headBlockHash).toBe("0xd226371d0b1551adb03fb52b71f08e3e11247fe9b1af994768af8cdaa8e7dcd7");
    const hashAt = async (tag: string) => (await ask<Json>("eth_getBlockByNumber", tag, false)).hash;
    expect(await hashAt("latest")).toBe(head.headBlockHash);
    expect(await hashAt("safe")).toBe(head.safeBlockHash);
    expect(await hashAt("finalized")).toBe(head.finalizedBlockHash);
    expect(await ask("eth_blockNumber")).toBe("0x36");
  });

  it("has an uncle in block 3, looked up by number and by hash", async () => {
    for (const { ask } of [served.plain, served.parity]) {
      expect(await ask("eth_getUncleByBlockNumberAndIndex", "0x3", "0x0")).toEqual(UNCLE_OF_3);
      expect(await ask("eth_getUncleByBlockHashAndIndex", BLOCK_3, "0x0")).toEqual(UNCLE_OF_3);
      expect(await ask("eth_getUncleByBlockNumberAndIndex", "0x3", "0x1")).toBeNull();
    }
  });

  it("has an uncle in block 34, of London: the base fee is none of the twenty members, but counts in its size", async () => {
    const uncle = await served.plain.ask<Json>("eth_getUncleByBlockNumberAndIndex", "0x22", "0x0");
    expect(Object.keys(uncle)).toHaveLength(20);
    expect(uncle).toMatchObject({
      number: "0x21",
      hash: "0x791d86427cd09cbb5897393b7f522a490d797a7efce699995ba2005811255bcf",
      difficulty: quantity(131_840),
      size: quantity(533),
    });
  });

  it.each([
    ["1, of Homestead and without uncles", 1, "block", 5n * ETHER, undefined],
    ["4, of Tangerine Whistle", 4, "block and uncle", (5n * ETHER * 33n) / 32n, (5n * ETHER * 7n) / 8n],
    ["9, of Byzantium", 9, "block and uncle", (3n * ETHER * 33n) / 32n, (3n * ETHER * 7n) / 8n],
    ["12, of Constantinople", 12, "block and uncle", (2n * ETHER * 33n) / 32n, (2n * ETHER * 7n) / 8n],
    ["34, of Gray Glacier", 34, "block and uncle", (2n * ETHER * 33n) / 32n, (2n * ETHER * 7n) / 8n],
    ["36, the first after the Merge", 36, "nobody", undefined, undefined],
  ])("rewards in block %s", async (_what, number, _who, block, uncle) => {
    const traces = await served.plain.ask<Json[]>("trace_block", quantity(number));
    const rewards = traces.filter(({ type }) => type === "reward").map(({ action }) => action);
    const reward = (rewardType: string, value: bigint | undefined): Json[] =>
      value === undefined ? [] : [{ author: NOBODY, rewardType, value: quantity(value) }];
    expect(rewards).toEqual([...reward("block", block), ...reward("uncle", uncle)]);
  });

  it("has rewards with the members of the document and nulls for the transaction", async () => {
    const traces = await served.plain.ask<Json[]>("trace_block", "0x3");
    const place = { blockHash: BLOCK_3, blockNumber: 3, transactionHash: null, transactionPosition: null };
    const rest = { result: null, subtraces: 0, traceAddress: [], type: "reward", ...place };
    expect(traces.slice(-2)).toEqual([
      { ...rest, action: { author: NOBODY, rewardType: "block", value: "0x478eae0e571ba000" } },
      { ...rest, action: { author: NOBODY, rewardType: "uncle", value: "0x3cb71f51fc558000" } },
    ]);
  });

  it("has 249 transactions, every one traced under its hash and none with a reward", async () => {
    let count = 0;
    for (let number = 0; number <= 54; number++) {
      const { transactions } = await served.plain.ask<Json>("eth_getBlockByNumber", quantity(number), false);
      const traces = await served.plain.ask<Json[]>("trace_block", quantity(number));
      const traced = new Set(traces.map(({ transactionHash }) => transactionHash).filter((hash) => hash !== null));
      expect([...traced]).toEqual(transactions);
      count += (transactions as string[]).length;
    }
    expect(count).toBe(249);
  });

  it("is the same chain after it was exported and imported again", async () => {
    const other = await openNode({ genesis: realGenesis() });
    const bytes = Buffer.concat([...served.node.exportChain()]);
    expect(bytes.equals(Buffer.from(realChain()))).toBe(true);
    await other.close();
  });
});

describe.skipIf(!hasRealChain)(`a heavier branch on the real chain ${whereItIs}`, () => {
  let served: ServedNode;
  let before: Snapshot;
  let after: Snapshot;

  interface Snapshot {
    readonly block: Json;
    readonly log: Json;
    readonly byHash: Json;
    readonly byPosition: unknown;
    readonly receipt: unknown;
    readonly trace: unknown;
    readonly logs: Json[];
  }

  const number = quantity(10);

  async function look({ ask }: Client, log: Json): Promise<Snapshot> {
    return {
      block: await ask<Json>("eth_getBlockByNumber", number, false),
      log,
      byHash: await ask<Json>("eth_getTransactionByHash", log.transactionHash),
      byPosition: await ask("eth_getTransactionByBlockNumberAndIndex", number, log.transactionIndex),
      receipt: await ask("eth_getTransactionReceipt", log.transactionHash),
      trace: await ask("trace_transaction", log.transactionHash),
      logs: await ask<Json[]>("eth_getLogs", { fromBlock: number, toBlock: "latest" }),
    };
  }

  beforeAll(async () => {
    const blocks = realBlocks();
    const join = (from: number, to: number): Uint8Array => new Uint8Array(Buffer.concat(blocks.slice(from, to)));
    served = await serve(await openNode({ genesis: realGenesis() }));
    await served.node.importChain(join(0, 12));
    // Another miner goes on from block 8, faster and without transactions.
    const miner = await openNode({ genesis: realGenesis(), clock: () => 81 });
    await miner.importChain(join(0, 8));
    const branch = await miner.mine({ blocks: 5 });
    const [log] = await served.plain.ask<Json[]>("eth_getLogs", { fromBlock: number, toBlock: number });
    before = await look(served.plain, log ?? {});
    await served.node.importChain(new Uint8Array(Buffer.concat([...miner.exportChain({ from: 9n })])));
    expect(encodeData(served.node.head.hash)).toBe(encodeData(branch.at(-1)?.hash ?? new Uint8Array()));
    after = await look(served.plain, log ?? {});
    await miner.close();
  });
  afterAll(() => served.node.close());

  it("takes the place of the blocks from 9 on, which stay known by their hashes", async () => {
    expect(before.block.hash).toBe("0xf69b05b90b7e50c0b5b9b74d2d63a983dee56dffbbd68a530f026f263d76810c");
    expect(after.block.hash).not.toBe(before.block.hash);
    const { ask } = served.plain;
    expect(await ask("eth_getBlockByHash", before.block.hash, false)).toEqual(before.block);
    expect(await ask("eth_getUncleByBlockHashAndIndex", before.block.hash, "0x0")).toMatchObject({ number: "0x9" });
    expect(await ask("eth_getUncleByBlockNumberAndIndex", number, "0x0")).toBeNull();
  });

  it("leaves a transaction without place, receipt and trace; it waits for a block again", () => {
    expect(before.byHash).toMatchObject({ blockHash: before.block.hash, blockNumber: number });
    expect(before.byPosition).toEqual(before.byHash);
    expect(before.receipt).not.toBeNull();
    expect(before.trace).not.toBeNull();
    expect(after).toMatchObject({ byPosition: null, receipt: null, trace: null });
    const nowhere = { blockHash: null, blockNumber: null, blockTimestamp: null, transactionIndex: null };
    expect(after.byHash).toEqual({ ...before.byHash, ...nowhere });
  });

  it("removes its logs: they show in their own block alone, and there as removed", async () => {
    expect(before.logs.length).toBeGreaterThan(0);
    expect(before.log.removed).toBe(false);
    expect(after.logs).toEqual([]);
    const old = await served.plain.ask<Json[]>("eth_getLogs", { blockHash: before.block.hash });
    expect(old[0]).toEqual({ ...before.log, removed: true });
    expect(old.every(({ removed }) => removed === true)).toBe(true);
  });
});
