import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import {
  ALICE,
  addressText,
  aServedNode,
  BOB,
  CAROL,
  type Json,
  openNode,
  type ServedNode,
  serve,
} from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { deploy, REVERTER, send } from "../../support/contracts.ts";

const MINER = addressText(0xaa);
const UNCLE_MINER = addressText(0xbb);

/** 1: deploys `dying`. 2: ALICE → BOB. 3: BOB → CAROL. 4: ALICE → `dying`, which pays CAROL. 5: a failed creation by BOB. 6: an uncle. */
describe("trace_filter", () => {
  let served: ServedNode;
  let dying: Hex;
  let everything: Json[];

  beforeAll(async () => {
    served = await serve(await openNode({ hardfork: "london", coinbase: MINER }));
    const { node, plain } = served;
    dying = await deploy(node, assemble(`${CAROL} SELFDESTRUCT`));
    await send(node, { to: BOB, value: "0x1" });
    await send(node, { from: BOB, to: CAROL, value: "0x2" });
    await send(node, { to: dying, value: "0x3", gas: "0x186a0" });
    await send(node, { from: BOB, data: "0x60006000fd", gas: "0x186a0" });
    const side = await node.mineSideBlock({ coinbase: decodeData(UNCLE_MINER) });
    await node.mine({ uncles: [side.header] });
    everything = await plain.ask<Json[]>("trace_filter", {});
  });
  afterAll(() => served.node.close());

  const find = (filter: Json): Promise<Json[]> => served.plain.ask("trace_filter", filter);
  const outline = (traces: readonly Json[]): string[] =>
    traces.map(({ blockNumber, type }) => `${blockNumber} ${type}`);

  it("gives by default every trace from genesis to the head, in block order, each block's rewards last", async () => {
    expect(outline(everything)).toEqual([
      "1 create",
      "1 reward",
      "2 call",
      "2 reward",
      "3 call",
      "3 reward",
      "4 call",
      "4 suicide",
      "4 reward",
      "5 create",
      "5 reward",
      "6 reward",
      "6 reward",
    ]);
    expect(await served.parity.ask("trace_filter", {})).toEqual(everything);
  });

  it("is the concatenation of trace_block over the range", async () => {
    const numbers = ["0x2", "0x3", "0x4"];
    const blocks = await Promise.all(numbers.map((number) => served.plain.ask<Json[]>("trace_block", number)));
    expect(await find({ fromBlock: "0x2", toBlock: "0x4" })).toEqual(blocks.flat());
  });

  it.each([
    ["the sender of calls and creations", { fromAddress: [BOB] }, ["3 call", "5 create"]],
    ["the receiver of calls", { toAddress: [BOB] }, ["2 call"]],
    ["the receiver of rewards", { toAddress: [UNCLE_MINER] }, ["6 reward"]],
    ["receivers of calls and of what died", { toAddress: [CAROL] }, ["3 call", "4 suicide"]],
    ["several senders", { fromAddress: [ALICE, BOB] }, ["1 create", "2 call", "3 call", "4 call", "5 create"]],
    ["a sender or a receiver", { fromAddress: [BOB], toAddress: [BOB] }, ["2 call", "3 call", "5 create"]],
    ["either by name", { fromAddress: [BOB], toAddress: [BOB], mode: "union" }, ["2 call", "3 call", "5 create"]],
    ["both a sender and a receiver", { fromAddress: [BOB], toAddress: [CAROL], mode: "intersection" }, ["3 call"]],
    ["one list in intersection mode", { fromAddress: [BOB], mode: "intersection" }, ["3 call", "5 create"]],
    ["nobody", { fromAddress: [addressText(1)] }, []],
    [
      "empty lists, which are anybody, and a range",
      { fromAddress: [], toAddress: [], toBlock: "0x1" },
      ["1 create", "1 reward"],
    ],
  ])("selects by %s", async (_what, filter, expected) => {
    expect(outline(await find(filter))).toEqual(expected);
  });

  it("matches a creation by the address it made, a reverted one by the one it would have made", async () => {
    expect(outline(await find({ toAddress: [dying] }))).toEqual(["1 create", "4 call"]);
    expect(outline(await find({ fromAddress: [dying] }))).toEqual(["4 suicide"]);
    const [failed = {}] = await find({ fromBlock: "0x5", count: 1 });
    expect(failed.error).toBe("Reverted");
    const { address } = failed.result as Json;
    expect(outline(await find({ toAddress: [address] }))).toEqual(["5 create"]);
  });

  it("pages through matches, not blocks or transactions", async () => {
    const length = everything.length;
    expect(await find({ after: 3, count: 2 })).toEqual(everything.slice(3, 5));
    expect(await find({ after: "0x3", count: "0x2" })).toEqual(everything.slice(3, 5));
    expect(await find({ after: 8 })).toEqual(everything.slice(8));
    expect(await find({ count: 4 })).toEqual(everything.slice(0, 4));
    expect(await find({ after: length })).toEqual([]);
    expect(await find({ after: length - 1 })).toEqual(everything.slice(-1));
    expect(await find({ count: 0 })).toEqual([]);
    expect(await find({ after: 0, count: 1000 })).toEqual(everything);
    expect(outline(await find({ toAddress: [MINER], after: 1, count: 2 }))).toEqual(["2 reward", "3 reward"]);
  });

  it("takes tags: pending reads as latest", async () => {
    expect(outline(await find({ fromBlock: "latest", toBlock: "latest" }))).toEqual(["6 reward", "6 reward"]);
    expect(outline(await find({ fromBlock: "pending", toBlock: "pending" }))).toEqual(["6 reward", "6 reward"]);
    expect(await find({ fromBlock: "earliest", toBlock: "pending" })).toEqual(everything);
    expect(await find({ fromBlock: "safe", toBlock: "finalized" })).toEqual([]);
    expect(await find({ fromBlock: null, toBlock: null, after: null, count: null })).toEqual(everything);
  });

  it("ends at the head where the range goes beyond it", async () => {
    expect(outline(await find({ fromBlock: "0x6", toBlock: "0x99" }))).toEqual(["6 reward", "6 reward"]);
    expect(await find({ fromBlock: "0x7", toBlock: "0x99" })).toEqual([]);
    expect(await find({ fromBlock: "0x7" })).toEqual([]);
    expect(await find({ fromBlock: "0x99", toBlock: "latest" })).toEqual([]);
  });

  it.each([
    ["a range that runs backwards", { fromBlock: "0x3", toBlock: "0x2" }, "fromBlock cannot be greater than toBlock"],
    ["one beyond the head that does", { fromBlock: "0x99", toBlock: "0x98" }, "fromBlock cannot be greater than"],
    [
      "tags that run backwards",
      { fromBlock: "latest", toBlock: "earliest" },
      "fromBlock cannot be greater than toBlock",
    ],
    ["an unknown member", { fromBlok: "0x1" }, 'params[0]: unknown member "fromBlok"'],
    ["an unknown mode", { mode: "both" }, 'params[0].mode: expected "union" or "intersection", got "both"'],
    ["an address that is no list", { fromAddress: BOB }, "params[0].fromAddress: expected an array of addresses"],
    [
      "a short address",
      { toAddress: ["0x12"] },
      'params[0].toAddress[0]: expected an address ("0x" and 40 hex digits, here 2)',
    ],
    ["a negative count", { count: -1 }, "params[0].count: expected an integer"],
    ["a fraction", { after: 1.5 }, "params[0].after: expected an integer"],
  ])("refuses %s with -32602", async (_what, filter, message) => {
    const failure = await served.plain.failure("trace_filter", filter);
    expect(failure.message).toContain(message);
    expect(failure.code).toBe(-32602);
  });

  it("shows a reverted call among the others", async () => {
    const { node, plain } = await aServedNode();
    const reverter = await deploy(node, REVERTER);
    await send(node, { to: reverter, gas: "0x186a0" });
    const found = await plain.ask<Json[]>("trace_filter", { toAddress: [reverter], fromBlock: "0x2" });
    expect(found.map(({ error }) => error)).toEqual(["Reverted"]);
  });
});
