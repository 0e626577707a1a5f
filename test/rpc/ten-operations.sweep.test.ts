/** The ten operations on every hardfork that a development chain can have, on a history that is the same on all. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HARDFORKS } from "../../src/chainspec/hardforks/hardforks.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import {
  ALICE,
  addressText,
  BOB,
  CAROL,
  DAVE,
  type Json,
  NOBODY,
  openNode,
  quantity,
  type ServedNode,
  serve,
  wordText,
} from "../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../support/contracts.ts";
import { SELECTED_HARDFORKS } from "../support/evm.ts";
import { sweep } from "../support/seed.ts";

const ETHER = 10n ** 18n;
const GAS_PRICE = quantity(2_000_000_000);
const MINER = addressText(0xaa);
const SIDE_MINER = addressText(0xbb);
const UNKNOWN = `0x${"12".repeat(32)}`;

/** Ether that a block earns, by hardfork; none from the Merge on, and no uncles either. */
const REWARDS: Readonly<Record<string, bigint>> = {
  ...{ chainstart: 5n, homestead: 5n, tangerineWhistle: 5n, spuriousDragon: 5n },
  ...{ byzantium: 3n, constantinople: 2n, petersburg: 2n, istanbul: 2n, muirGlacier: 2n, berlin: 2n },
  ...{ london: 2n, arrowGlacier: 2n, grayGlacier: 2n },
};

it("the table knows every hardfork before the Merge", () => {
  expect(Object.keys(REWARDS)).toEqual(HARDFORKS.slice(0, HARDFORKS.indexOf("paris")));
});

describe.each(sweep(HARDFORKS, (hardfork) => SELECTED_HARDFORKS.has(hardfork)))(
  "the ten operations (%s)",
  (hardfork) => {
    const reward = (REWARDS[hardfork] ?? 0n) * ETHER;
    const isMerged = reward === 0n;
    let served: ServedNode;
    let emitter: Hex;
    let logged: Hex;
    let transfer: Hex;
    let blockHash: Hex;
    let side: Hex | undefined;

    const ask = <T = Json>(method: string, ...params: unknown[]): Promise<T> => served.plain.ask<T>(method, ...params);

    // Block 1 deploys, 2 is empty, 3 logs, 4 moves 7 wei and before the Merge includes an uncle of height 3.
    beforeAll(async () => {
      served = await serve(await openNode({ hardfork, coinbase: MINER }));
      const { node } = served;
      emitter = await deploy(node, EMITTER);
      await node.mine();
      logged = await send(node, { to: emitter, data: logCall([0xa, 0xb], "0x1234"), gasPrice: GAS_PRICE });
      node.setMiningMode("manual");
      transfer = await send(node, { from: BOB, to: CAROL, value: "0x7", gas: "0x5208", gasPrice: GAS_PRICE });
      const sides = isMerged ? [] : [await node.mineSideBlock({ coinbase: decodeData(SIDE_MINER) })];
      side = sides[0] === undefined ? undefined : encodeData(sides[0].hash);
      await node.mine({ uncles: sides.map(({ header }) => header) });
      blockHash = encodeData(node.head.hash);
    });
    afterAll(() => served.node.close());

    const place = () => ({ blockHash, blockNumber: 4 });
    const transferTrace = () => ({
      action: { callType: "call", from: BOB, to: CAROL, gas: "0x0", input: "0x", value: "0x7" },
      result: { gasUsed: "0x0", output: "0x" },
      subtraces: 0,
      traceAddress: [],
      type: "call",
      transactionHash: transfer,
      transactionPosition: 0,
      ...place(),
    });
    const rewardTrace = (rewardType: string, author: string, value: bigint) => ({
      action: { author, rewardType, value: quantity(value) },
      result: null,
      subtraces: 0,
      traceAddress: [],
      type: "reward",
      transactionHash: null,
      transactionPosition: null,
      ...place(),
    });
    const blockTraces = () => [
      transferTrace(),
      ...(isMerged
        ? []
        : [rewardTrace("block", MINER, reward + reward / 32n), rewardTrace("uncle", SIDE_MINER, (reward * 7n) / 8n)]),
    ];

    it("eth_getUncleByBlockNumberAndIndex, eth_getUncleByBlockHashAndIndex", async () => {
      const byNumber = await ask("eth_getUncleByBlockNumberAndIndex", "0x4", "0x0");
      expect(await ask("eth_getUncleByBlockHashAndIndex", blockHash, "0x0")).toEqual(byNumber);
      expect(await ask("eth_getUncleByBlockNumberAndIndex", "0x4", "0x1")).toBeNull();
      if (isMerged) expect(byNumber).toBeNull();
      else
        expect(byNumber).toMatchObject({ number: "0x3", hash: side, miner: SIDE_MINER, transactions: [], uncles: [] });
      expect(await ask("eth_getBalance", SIDE_MINER, "0x4")).toBe(quantity((reward * 7n) / 8n));
    });

    it("eth_getTransactionByHash, …ByBlockNumberAndIndex, …ByBlockHashAndIndex", async () => {
      const tx = await ask("eth_getTransactionByHash", transfer);
      expect(tx).toMatchObject({
        ...{ hash: transfer, from: BOB, to: CAROL, value: "0x7", nonce: "0x0", gas: "0x5208", gasPrice: GAS_PRICE },
        ...{ type: "0x0", input: "0x", blockHash, blockNumber: "0x4", transactionIndex: "0x0" },
      });
      expect(await ask("eth_getTransactionByBlockNumberAndIndex", "0x4", "0x0")).toEqual(tx);
      expect(await ask("eth_getTransactionByBlockHashAndIndex", blockHash, "0x0")).toEqual(tx);
      expect(await ask("eth_getTransactionByHash", UNKNOWN)).toBeNull();
      expect(await ask("eth_getTransactionByBlockNumberAndIndex", "0x4", "0x1")).toBeNull();
      expect(await ask("eth_getTransactionByBlockHashAndIndex", UNKNOWN, "0x0")).toBeNull();
    });

    it("eth_getLogs", async () => {
      const { hash, timestamp } = await ask("eth_getBlockByNumber", "0x3", false);
      const log = {
        ...{ address: emitter, topics: [wordText(0xa), wordText(0xb)], data: "0x1234", removed: false },
        ...{ blockHash: hash, blockNumber: "0x3", blockTimestamp: timestamp },
        ...{ transactionHash: logged, transactionIndex: "0x0", logIndex: "0x0" },
      };
      const all = { fromBlock: "earliest", toBlock: "latest" };
      expect(await ask("eth_getLogs", { ...all, address: emitter, topics: [null, wordText(0xb)] })).toEqual([log]);
      expect(await ask("eth_getLogs", { blockHash: hash })).toEqual([log]);
      expect(await ask("eth_getLogs", { ...all, topics: [wordText(0xb)] })).toEqual([]);
    });

    it("trace_block, trace_transaction", async () => {
      expect(await ask("trace_block", "0x4")).toEqual(blockTraces());
      expect(await ask("trace_block", blockHash)).toEqual(blockTraces());
      expect(await ask("trace_transaction", transfer)).toEqual([transferTrace()]);
      const [creation] = await ask<Json[]>("trace_block", "0x1");
      expect(creation).toMatchObject({ type: "create", action: { from: ALICE }, result: { address: emitter } });
    });

    it("trace_filter", async () => {
      const blocks = await Promise.all(
        ["0x1", "0x2", "0x3", "0x4"].map((number) => ask<Json[]>("trace_block", number)),
      );
      expect(await ask("trace_filter", { fromBlock: "0x1", toBlock: "latest" })).toEqual(blocks.flat());
      expect(blocks.map(({ length }) => length)).toEqual(isMerged ? [1, 0, 1, 1] : [2, 1, 2, 3]);
      expect(await ask("trace_filter", { fromBlock: "0x1", toAddress: [CAROL] })).toEqual([transferTrace()]);
      const second = await ask("trace_filter", { fromBlock: "0x1", fromAddress: [ALICE, BOB], after: 1, count: 1 });
      expect(second).toMatchObject([{ action: { from: ALICE, to: emitter }, transactionHash: logged }]);
    });

    it("trace_callMany", async () => {
      const calls = [
        [{ from: ALICE, to: NOBODY, value: "0x5" }, ["trace"]],
        [{ from: NOBODY, to: DAVE, value: "0x5" }, ["trace", "stateDiff"]],
        [{ from: NOBODY, to: emitter, data: logCall([1]), gas: "0x30000" }, ["trace", "vmTrace"]],
      ];
      const answers = await ask<Json[]>("trace_callMany", calls, "latest");
      expect(answers).toMatchObject([
        { output: "0x", trace: [{ type: "call", action: { from: ALICE, to: NOBODY, value: "0x5" } }], stateDiff: null },
        {
          trace: [{ action: { from: NOBODY, to: DAVE, value: "0x5" } }],
          stateDiff: {
            [DAVE]: { balance: { "*": { from: quantity(10_000n * ETHER), to: quantity(10_000n * ETHER + 5n) } } },
          },
        },
        { trace: [{ action: { from: NOBODY, to: emitter } }], vmTrace: { code: encodeData(EMITTER) } },
      ]);
      expect(answers.every(({ trace }) => (trace as Json[]).every(({ error }) => error === undefined))).toBe(true);
    });
  },
);
