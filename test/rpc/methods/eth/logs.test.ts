import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../../../src/primitives/bytes/hex.ts";
import {
  addressText,
  type Json,
  NOW,
  openNode,
  quantity,
  type ServedNode,
  serve,
  wordText,
} from "../../../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../../../support/contracts.ts";
import { saying } from "../../../support/saying.ts";

const A = wordText(0xa);
const B = wordText(0xb);
const C = wordText(0xc);

/** Blocks 1 and 2 deploy two emitters; 3 and 4 hold a log each; 5 holds three in two transactions; 6 is empty. */
describe("eth_getLogs", () => {
  let served: ServedNode;
  let first: Hex;
  let second: Hex;
  let txHashes: Hex[];
  let blockHash: string;

  beforeAll(async () => {
    served = await serve(await openNode());
    const { node, plain } = served;
    first = await deploy(node, EMITTER);
    second = await deploy(node, EMITTER);
    const one = await send(node, { to: first, data: logCall([0xa], "0x1234") });
    const two = await send(node, { to: second, data: logCall([0xb, 0xa]) });
    node.setMiningMode("manual");
    const gas = "0x186a0";
    const three = await send(node, { to: first, data: logCall([]), gas });
    const four = await send(node, { to: second, data: logCall([0xa, 0xb, 0xc, 0xd], `0x${"ff".repeat(40)}`), gas });
    await node.mine({ blocks: 2 });
    txHashes = [one, two, three, four];
    blockHash = (await plain.ask<Json>("eth_getBlockByNumber", "0x5", false)).hash as string;
  });
  afterAll(() => served.node.close());

  const find = (filter: Json): Promise<Json[]> => served.plain.ask("eth_getLogs", filter);
  const all = (filter: Json = {}): Promise<Json[]> => find({ fromBlock: "earliest", toBlock: "latest", ...filter });
  const places = (logs: readonly Json[]): unknown[] =>
    logs.map((log) => [Number(log.blockNumber), Number(log.logIndex)]);

  it("gives logs in chain order with every member of the document", async () => {
    const logs = await all();
    const block = { blockHash, blockNumber: "0x5", blockTimestamp: quantity(NOW + 5), removed: false };
    expect(places(logs)).toEqual([
      [3, 0],
      [4, 0],
      [5, 0],
      [5, 1],
    ]);
    expect(logs[0]).toMatchObject({ address: first, topics: [A], data: "0x1234", transactionHash: txHashes[0] });
    expect(logs[2]).toEqual({
      ...block,
      address: first,
      topics: [],
      data: "0x",
      logIndex: "0x0",
      transactionIndex: "0x0",
      transactionHash: txHashes[2],
    });
    expect(logs[3]).toEqual({
      ...block,
      address: second,
      topics: [A, B, C, wordText(0xd)],
      data: `0x${"ff".repeat(40)}`,
      logIndex: "0x1",
      transactionIndex: "0x1",
      transactionHash: txHashes[3],
    });
    expect(await served.parity.ask("eth_getLogs", { fromBlock: "0x0" })).toEqual(logs);
  });

  it("looks in the latest block unless told otherwise", async () => {
    expect(await find({})).toEqual([]);
    expect(await find({ fromBlock: null, toBlock: null, address: null, topics: null })).toEqual([]);
    expect(places(await find({ fromBlock: "0x5" }))).toEqual([
      [5, 0],
      [5, 1],
    ]);
    expect((await served.plain.failure("eth_getLogs", { toBlock: "0x3" })).message).toEqual(
      saying("invalid block range params"),
    );
  });

  it("takes numbers and tags as bounds, both included", async () => {
    expect(places(await find({ fromBlock: "0x3", toBlock: "0x4" }))).toEqual([
      [3, 0],
      [4, 0],
    ]);
    expect(places(await find({ fromBlock: "earliest", toBlock: "0x3" }))).toEqual([[3, 0]]);
    expect(places(await find({ fromBlock: "0x6", toBlock: "latest" }))).toEqual([]);
    // A chain that mines has nothing safe or finalized in its first blocks but the genesis block.
    expect(places(await find({ fromBlock: "safe", toBlock: "0x4" }))).toEqual([
      [3, 0],
      [4, 0],
    ]);
    expect(places(await find({ fromBlock: "0x0", toBlock: "finalized" }))).toEqual([]);
  });

  it.each([
    [
      "one address",
      () => ({ address: first }),
      [
        [3, 0],
        [5, 0],
      ],
    ],
    [
      "an address in capitals",
      () => ({ address: first.toUpperCase().replace("0X", "0x") }),
      [
        [3, 0],
        [5, 0],
      ],
    ],
    [
      "a list of addresses",
      () => ({ address: [second, first] }),
      [
        [3, 0],
        [4, 0],
        [5, 0],
        [5, 1],
      ],
    ],
    [
      "an empty list, which is any address",
      () => ({ address: [] }),
      [
        [3, 0],
        [4, 0],
        [5, 0],
        [5, 1],
      ],
    ],
    ["an unknown address", () => ({ address: addressText(9) }), []],
    ["an address and a topic", () => ({ address: second, topics: [A] }), [[5, 1]]],
  ])("selects by %s", async (_what, filter, expected) => {
    expect(places(await all(filter()))).toEqual(expected);
  });

  it.each([
    [
      "the first topic",
      [A],
      [
        [3, 0],
        [5, 1],
      ],
    ],
    ["the second alone, after null for any", [null, A], [[4, 0]]],
    [
      "null for any, which still asks for that many topics",
      [null],
      [
        [3, 0],
        [4, 0],
        [5, 1],
      ],
    ],
    ["two positions", [A, B], [[5, 1]]],
    ["positions in the other order, which is another question", [B, A], [[4, 0]]],
    [
      "alternatives at a position",
      [[A, B]],
      [
        [3, 0],
        [4, 0],
        [5, 1],
      ],
    ],
    [
      "alternatives at two positions",
      [
        [A, B],
        [A, B],
      ],
      [
        [4, 0],
        [5, 1],
      ],
    ],
    ["an empty list of alternatives, which is any", [[], B], [[5, 1]]],
    [
      "null among the alternatives, which is any",
      [[null, C]],
      [
        [3, 0],
        [4, 0],
        [5, 1],
      ],
    ],
    ["four positions", [A, B, C, [wordText(0xd), A]], [[5, 1]]],
    [
      "no position, which is every log",
      [],
      [
        [3, 0],
        [4, 0],
        [5, 0],
        [5, 1],
      ],
    ],
    ["a topic nobody used", [wordText(0xee)], []],
  ])("selects by topics: %s", async (_what, topics, expected) => {
    expect(places(await all({ topics }))).toEqual(expected);
  });

  it("takes the names of members without regard to case, and ignores those that are like none, as geth does", async () => {
    const { plain } = served;
    const ofBlock = await find({ blockHash, topics: [A] });
    const rest = await find({ fromBlock: "0x4", toBlock: "0x5", address: second });
    expect(rest.length).toBeGreaterThan(0);
    for (const method of ["eth_getLogs", "eth_newFilter"]) {
      const logsOf = async (filter: Json): Promise<unknown> => {
        const answer = await plain.ask<string>(method, filter);
        return method === "eth_getLogs" ? answer : plain.ask("eth_getFilterLogs", answer);
      };
      expect(await logsOf({ blockhash: blockHash, Topics: [A], limit: 1 })).toEqual(ofBlock);
      expect(await logsOf({ FROMBLOCK: "0x4", toblock: "0x5", Address: second })).toEqual(rest);
    }
  });

  it("of one block by its hash is the same as from and to that block", async () => {
    expect(await find({ blockHash })).toEqual(await find({ fromBlock: "0x5", toBlock: "0x5" }));
    expect(places(await find({ blockHash, address: second }))).toEqual([[5, 1]]);
    expect(places(await find({ blockHash, topics: [B] }))).toEqual([]);
  });

  it.each([
    ["blockHash with fromBlock", { blockHash: wordText(1), fromBlock: "0x1" }, /cannot specify both blockHash and/],
    ["blockHash with toBlock", { blockHash: wordText(1), toBlock: "latest" }, /cannot specify both blockHash and/],
    [
      "a range that runs backwards",
      { fromBlock: "0x5", toBlock: "0x4" },
      /^invalid block range params\. fromBlock is \d, toBlock is \d\./,
    ],
    [
      "tags that run backwards",
      { fromBlock: "latest", toBlock: "earliest" },
      /^invalid block range params\. fromBlock is \d, toBlock is \d\./,
    ],
    [
      "an end beyond the head",
      { fromBlock: "0x1", toBlock: "0x7" },
      /^block range extends beyond current head block\. fromBlock is \d, toBlock is \d, the head is block \d\./,
    ],
    [
      "both beyond the head",
      { fromBlock: "0x9", toBlock: "0x9" },
      /^block range extends beyond current head block\. fromBlock is \d, toBlock is \d, the head is block \d\./,
    ],
    ["five topics", { topics: [null, null, null, null, null] }, /params\[0\]\.topics: expected at most 4 topic/],
    [
      "a short topic",
      { topics: [A, [B, "0x12"]] },
      /params\[0\]\.topics\[1\]\[1\]: expected DATA of 32 bytes \("0x" and 64 hex digits, here 2\), got "0x12"/,
    ],
    [
      "a short address",
      { address: ["0x12"] },
      /params\[0\]\.address\[0\]: expected an address \("0x" and 40 hex digits, here 2\) .*, got "0x12"/,
    ],
    ["a misspelled member", { blokHash: A }, /^params\[0\]: unknown member "blokHash"\. Did you mean blockHash\?$/],
    ["a plural", { addresses: [] }, /^params\[0\]: unknown member "addresses"\. Did you mean address\?$/],
    ["a singular", { topic: [A] }, /^params\[0\]: unknown member "topic"\. Did you mean topics\?$/],
    ["a bad value under a name in another case", { blockhash: "0x12" }, /^params\[0\]\.blockhash: expected .*"0x12"/],
    ["two names that contradict", { fromBlock: "0x1", fromblock: "0x2" }, /^params\[0\]\.fromblock: expected the same/],
    ["topics that are no list", { topics: A }, /params\[0\]\.topics: expected an array of topics/],
    [
      "a number as bound",
      { fromBlock: 5 },
      /params\[0\]\.fromBlock: expected a block number such as "0x5" or one of "earliest"/,
    ],
  ])("refuses %s with -32602", async (_what, filter, message) => {
    const failure = await served.plain.failure("eth_getLogs", filter);
    expect(failure.message).toMatch(message);
    expect(failure.code).toBe(-32602);
  });

  it("refuses an unknown block hash as geth does", async () => {
    const failure = await served.plain.failure("eth_getLogs", { blockHash: wordText(1) });
    expect([failure.code, failure.message]).toEqual([-32000, "unknown block"]);
  });
});

describe("pending logs", () => {
  let served: ServedNode;
  let emitter: Hex;

  beforeAll(async () => {
    served = await serve(await openNode());
    emitter = await deploy(served.node, EMITTER);
    await send(served.node, { to: emitter, data: logCall([0xa]) });
    served.node.setMiningMode("manual");
    await send(served.node, { to: emitter, data: logCall([0xb], "0x77"), gas: "0x186a0" });
  });
  afterAll(() => served.node.close());

  const pendingLog = {
    topics: [B],
    data: "0x77",
    removed: false,
    logIndex: null,
    transactionIndex: null,
    transactionHash: null,
    blockHash: null,
    blockNumber: null,
    blockTimestamp: null,
  };

  it("have no place in the chain, and come when toBlock is pending", async () => {
    for (const { ask } of [served.plain, served.parity]) {
      expect(await ask("eth_getLogs", { fromBlock: "pending", toBlock: "pending" })).toEqual([
        { ...pendingLog, address: emitter },
      ]);
    }
  });

  it("follow the mined ones of the range", async () => {
    const logs = await served.plain.ask<Json[]>("eth_getLogs", { fromBlock: "earliest", toBlock: "pending" });
    expect(logs.map(({ topics, blockNumber }) => [topics, blockNumber])).toEqual([
      [[A], "0x2"],
      [[B], null],
    ]);
  });

  it("are selected by address and topics like others", async () => {
    const filter = { fromBlock: "pending", toBlock: "pending" };
    expect(await served.plain.ask("eth_getLogs", { ...filter, topics: [A] })).toEqual([]);
    expect(await served.plain.ask("eth_getLogs", { ...filter, address: addressText(9) })).toEqual([]);
    expect(await served.plain.ask("eth_getLogs", { ...filter, topics: [[A, B]], address: [emitter] })).toHaveLength(1);
  });

  it("stay away from every other range", async () => {
    const filters = [{ fromBlock: "earliest" }, { fromBlock: "0x0", toBlock: "latest" }];
    for (const filter of filters) {
      const logs = await served.plain.ask<Json[]>("eth_getLogs", filter);
      expect(logs.map(({ topics, blockNumber }) => [topics, blockNumber])).toEqual([[[A], "0x2"]]);
    }
    const { hash } = await served.plain.ask<{ hash: string }>("eth_getBlockByNumber", "latest", false);
    const latest = await served.plain.ask<Json[]>("eth_getLogs", {});
    expect(latest.map(({ blockHash }) => blockHash)).toEqual([hash]);
    const failure = await served.plain.failure("eth_getLogs", { fromBlock: "pending", toBlock: "latest" });
    expect([failure.code, failure.message]).toEqual([-32602, saying("invalid block range params")]);
  });
});

describe("a log's removal", () => {
  it("shows as removed in the block that left, and nowhere else", async () => {
    const served = await serve(await openNode());
    const { node, plain } = served;
    const emitter = await deploy(node, EMITTER);
    await send(node, { to: emitter, data: logCall([0xa]) });
    const { hash: blockHash } = await plain.ask<Json>("eth_getBlockByNumber", "latest", false);
    const [before] = await plain.ask<Json[]>("eth_getLogs", { blockHash });
    expect(before?.removed).toBe(false);
    await node.reorg({ depth: 1 });
    expect(await plain.ask("eth_getLogs", { fromBlock: "earliest", toBlock: "latest" })).toEqual([]);
    expect(await plain.ask("eth_getLogs", { blockHash })).toEqual([{ ...before, removed: true }]);
    await node.close();
  });
});
