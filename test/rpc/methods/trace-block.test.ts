import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeData } from "../../../src/primitives/bytes/hex.ts";
import {
  addressText,
  aServedNode,
  BOB,
  type Json,
  openNode,
  quantity,
  type ServedNode,
  serve,
} from "../../support/a-node.ts";
import { assemble, calling } from "../../support/assembler.ts";
import { deploy, ECHO, send } from "../../support/contracts.ts";

const ETHER = 10n ** 18n;
const MINER = addressText(0xaa);

describe.each([
  ["frontier", 5n],
  ["byzantium", 3n],
  ["petersburg", 2n],
  ["london", 2n],
])("trace_block with uncles (%s)", (hardfork, base) => {
  let served: ServedNode;
  let hash: string;
  let place: Json;

  beforeAll(async () => {
    served = await serve(await openNode({ hardfork, coinbase: MINER, mining: "manual" }));
    const { node, plain } = served;
    await node.mine({ blocks: 4 });
    const near = await node.mineSideBlock({ coinbase: decodeData(addressText(1)) });
    const parent = node.getBlock(2n)?.hash ?? new Uint8Array();
    const far = await node.mineSideBlock({ parent, coinbase: decodeData(addressText(2)) });
    hash = await send(node, { to: BOB, value: "0x1" });
    await node.mine({ uncles: [far.header, near.header] });
    const block = await plain.ask<Json>("eth_getBlockByNumber", "latest", false);
    place = { blockHash: block.hash, blockNumber: 5, transactionHash: null, transactionPosition: null };
  });
  afterAll(() => served.node.close());

  const reward = (rewardType: string, author: string, value: bigint): Json => ({
    action: { author, rewardType, value: quantity(value) },
    result: null,
    subtraces: 0,
    traceAddress: [],
    type: "reward",
    ...place,
  });

  it("lists the transactions' traces, then the block's reward, then one for each uncle in their order", async () => {
    const transfer = await served.plain.ask<Json[]>("trace_transaction", hash);
    expect(await served.plain.ask("trace_block", "0x5")).toEqual([
      ...transfer,
      reward("block", MINER, base * ETHER + 2n * ((base * ETHER) / 32n)),
      reward("uncle", addressText(2), (base * ETHER * 6n) / 8n),
      reward("uncle", addressText(1), (base * ETHER * 7n) / 8n),
    ]);
  });

  it("is the same by number, tag and hash, at both address forms", async () => {
    const traces = await served.plain.ask("trace_block", "0x5");
    expect(await served.plain.ask("trace_block", "latest")).toEqual(traces);
    expect(await served.plain.ask("trace_block", place.blockHash)).toEqual(traces);
    expect(await served.parity.ask("trace_block", "0x5")).toEqual(traces);
  });

  it("has one reward for an empty block without uncles, and none for genesis", async () => {
    const traces = await served.plain.ask<Json[]>("trace_block", "0x1");
    expect(traces.map(({ action }) => action)).toEqual([
      { author: MINER, rewardType: "block", value: quantity(base * ETHER) },
    ]);
    expect(await served.plain.ask("trace_block", "earliest")).toEqual([]);
  });
});

describe("trace_block after the Merge", () => {
  it("has no rewards, no system calls and no withdrawals", async () => {
    const { node, plain } = await aServedNode();
    await node.mine();
    expect(await plain.ask("trace_block", "0x1")).toEqual([]);
    await send(node, { to: BOB });
    const traces = await plain.ask<Json[]>("trace_block", "0x2");
    expect(traces.map(({ type }) => type)).toEqual(["call"]);
  });

  it("is null for an unknown and for the pending block", async () => {
    const { node, plain } = await aServedNode({ mining: "manual" });
    await send(node, { to: BOB });
    expect(await plain.ask("trace_block", "0x1")).toBeNull();
    expect(await plain.ask("trace_block", "pending")).toBeNull();
    expect(await plain.ask("trace_block", `0x${"12".repeat(32)}`)).toBeNull();
  });

  it("is the concatenation of its transactions' traces, each run on what those before it left", async () => {
    const { node, plain } = await aServedNode();
    const echo = await deploy(node, ECHO);
    // Writes what it finds and one more, so that the order of transactions shows in its gas.
    const code = assemble(`0 SLOAD 1 ADD 0 SSTORE ${calling("CALL", decodeData(echo))} STOP`);
    const counter = await deploy(node, code);
    node.setMiningMode("manual");
    const hashes: string[] = [];
    for (let count = 0; count < 3; count++) hashes.push(await send(node, { to: counter, gas: "0x186a0" }));
    await node.mine();
    const each = await Promise.all(hashes.map((hash) => plain.ask<Json[]>("trace_transaction", hash)));
    expect(await plain.ask("trace_block", "latest")).toEqual(each.flat());
    const gasUsed = each.map(([root = {}]) => (root.result as Json).gasUsed);
    expect(gasUsed[0]).not.toBe(gasUsed[1]);
    expect(gasUsed[1]).toBe(gasUsed[2]);
  });

  it("runs on the state that the block really started from, edits between blocks included", async () => {
    const { node, plain } = await aServedNode();
    const poor = addressText(0x99);
    await node.setBalance(decodeData(poor), 100n * ETHER);
    node.impersonate(decodeData(poor));
    await send(node, { from: poor, to: BOB, value: quantity(ETHER) });
    await node.setBalance(decodeData(poor), 0n);
    await node.mine();
    const [trace] = await plain.ask<Json[]>("trace_block", "0x1");
    expect(trace).toMatchObject({
      action: { from: poor, to: BOB, value: quantity(ETHER) },
      result: { gasUsed: "0x0" },
    });
  });
});
