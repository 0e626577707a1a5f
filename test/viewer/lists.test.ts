/** What the page makes of the node's answers before it draws them. */
import { describe, expect, it } from "vitest";
import { lanesOf } from "../../src/viewer/chain/lanes.ts";
import { mergeBlocks } from "../../src/viewer/chain/merge-blocks.ts";
import type { Call, ListedBlock } from "../../src/viewer/rpc/types.ts";
import { draftText, EMPTY_DRAFT, paramsOf, readDraft } from "../../src/viewer/simulate/draft.ts";
import { flameBoxes } from "../../src/viewer/transaction/flame/boxes.ts";
import { nodesOfCalls, nodesOfFunctions } from "../../src/viewer/transaction/flame/nodes.ts";
import type { WholeTransaction } from "../../src/viewer/transaction/load.ts";
import { treeRows } from "../../src/viewer/transaction/tree/rows.ts";

const block = (number: number, name: string, parent: string, isCanonical = true): ListedBlock => ({
  number: `0x${number.toString(16)}`,
  hash: `0x${name}`,
  parentHash: `0x${parent}`,
  isCanonical,
  timestamp: "0x0",
  miner: "0x00",
  gasUsed: "0x0",
  gasLimit: "0x1",
  baseFeePerGas: null,
  transactionCount: 0,
  uncles: [],
});

describe("blocks", () => {
  it("that leave the chain are marked; those that the node forgets stay, too", () => {
    const first = mergeBlocks([block(2, "b2", "a1"), block(1, "a1", "00")], undefined);
    expect(first.map(({ hasLeft, isNew }) => hasLeft || isNew)).toEqual([false, false]);
    const listed = [block(2, "c2", "a1"), block(2, "b2", "a1", false), block(1, "a1", "00")];
    const after = mergeBlocks(listed, first);
    expect(after.map(({ hash, hasLeft, isNew }) => [hash, hasLeft, isNew])).toEqual([
      ["0xc2", false, true],
      ["0xb2", true, false],
      ["0xa1", false, false],
    ]);
    const replaced = mergeBlocks([block(2, "d2", "a1"), block(1, "a1", "00")], after);
    expect(replaced.map(({ hash, isCanonical }) => [hash, isCanonical])).toEqual([
      ["0xd2", true],
      ["0xc2", false],
      ["0xb2", false],
      ["0xa1", true],
    ]);
  });

  it("above a head that went back are not shown, nor those of a chain that has none of the listed", () => {
    const shown = mergeBlocks([block(2, "b2", "a1"), block(1, "a1", "00")], undefined);
    expect(mergeBlocks([block(1, "a1", "00")], shown).map(({ hash }) => hash)).toEqual(["0xa1"]);
    const other = mergeBlocks([block(3, "f3", "f2"), block(2, "f2", "f1")], shown);
    expect(other.map(({ hash, isNew }) => [hash, isNew])).toEqual([
      ["0xf3", false],
      ["0xf2", false],
    ]);
  });

  it("beside the chain from the beginning have not left it", () => {
    const [, beside] = mergeBlocks([block(1, "a1", "00"), block(1, "b1", "00", false)], undefined);
    expect(beside?.hasLeft).toBe(false);
  });

  it("take a lane for each branch, which keeps it", () => {
    const blocks = mergeBlocks(
      [
        block(3, "a3", "a2"),
        block(3, "c3", "c2", false),
        block(2, "a2", "a1"),
        block(2, "b2", "a1", false),
        block(2, "c2", "a1", false),
        block(1, "a1", "00"),
      ],
      undefined,
    );
    const lanes = lanesOf(blocks);
    expect(["0xa1", "0xa2", "0xa3"].map((hash) => lanes.get(hash))).toEqual([0, 0, 0]);
    expect(new Set([lanes.get("0xb2"), lanes.get("0xc2")])).toEqual(new Set([1, 2]));
    expect(lanes.get("0xc3")).toBe(lanes.get("0xc2"));
  });
});

const call = (index: number, parent: number, depth: number, gas: number, more: Partial<Call> = {}): Call => ({
  index,
  parent,
  depth,
  kind: "call",
  from: "0x01",
  to: "0x02",
  account: "0x02",
  value: "0x0",
  gas: "0x0",
  gasUsed: `0x${gas.toString(16)}`,
  contract: "C",
  function: `f${index}`,
  arguments: "()",
  result: "",
  failure: null,
  printed: null,
  input: "0x",
  inputLength: 0,
  output: "0x",
  outputLength: 0,
  isPrecompile: false,
  steps: [index * 10, index * 10 + 5],
  selfDestruct: null,
  logs: [],
  ...more,
});

describe("calls", () => {
  const log = (position: number) => ({ address: "0x02", text: "E()", topics: [], data: "0x", position }) as const;
  const calls = [
    call(0, -1, 0, 100, { logs: [log(0), log(1), log(2)], result: "1" }),
    call(1, 0, 1, 30),
    call(2, 0, 1, 50),
  ];
  const change = (step: number, index = 0) =>
    ({
      what: "storage",
      call: index,
      step,
      account: "0x02",
      slot: "0x00",
      before: "0x00",
      after: "0x01",
      isUndone: false,
    }) as const;
  const whole = {
    calls,
    changes: [change(3), change(12, 1), change(17), change(40)],
    isUndone: [false, false, false],
  } as unknown as WholeTransaction;

  it("stand in their order among what happened around them", () => {
    expect(treeRows(whole, new Set()).map(({ id }) => id)).toEqual([
      "c0",
      "s0-0",
      "e0-0",
      "c1",
      "s1-0",
      "s0-1",
      "e0-1",
      "c2",
      "s0-2",
      "e0-2",
      "r0",
    ]);
  });

  it("show nothing below a folded one", () => {
    expect(treeRows(whole, new Set([0])).map(({ id }) => id)).toEqual(["c0"]);
  });

  it("take the width that their gas has", () => {
    const nodes = nodesOfCalls(calls);
    const boxes = flameBoxes(nodes, 0);
    expect(boxes.map(({ left, width, row, own }) => [left, width, row, own])).toEqual([
      [0, 1, 0, 20],
      [0, 0.3, 1, 30],
      [0.3, 0.5, 1, 50],
    ]);
    expect(flameBoxes(nodes, 2).map(({ node: { index }, width }) => [index, width])).toEqual([[2, 1]]);
  });
});

it("a profile's samples with the same callers become one box, in the order in which they began", () => {
  const profile = {
    gasUsed: 90,
    gasRefund: 10,
    stateGasUsed: 0,
    functions: [],
    lines: [],
    speedscope: {
      shared: { frames: [{ name: "f" }, { name: "g" }] },
      profiles: [{ samples: [[0], [0, 1], [1], [0]], weights: [40, 30, 20, 10] }],
    },
  };
  expect(nodesOfFunctions(profile).map(({ parent, name, gas }) => [parent, name, gas])).toEqual([
    [-1, "transaction, 90 gas after refunds", 100],
    [0, "f", 80],
    [1, "g", 30],
    [0, "g", 20],
  ]);
});

describe("a draft", () => {
  const draft = {
    calls: [{ from: "0x01", to: "", value: "1.5", data: "0x60", gas: "" }],
    block: "7",
    overrides: '{"0x01":{"balance":"0x1"}}',
  };

  it("comes back from its link", () => expect(readDraft(draftText(draft))).toEqual(draft));

  it("is the empty one where a link holds none", () => {
    for (const text of [null, "", "%%%", btoa("null"), btoa("[]"), btoa("{}")])
      expect(readDraft(text)).toEqual(EMPTY_DRAFT);
  });

  it("makes the params of trace_callMany", () => {
    expect(paramsOf(draft)).toEqual([
      [[{ from: "0x01", value: "0x14d1120d7b160000", data: "0x60" }, ["trace", "stateDiff"]]],
      "0x7",
      { "0x01": { balance: "0x1" } },
    ]);
  });
});
