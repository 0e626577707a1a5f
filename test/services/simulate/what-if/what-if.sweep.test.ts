import { toFunctionSelector } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import type { Hex } from "../../../../src/primitives/bytes/hex.ts";
import { decodeData, encodeData } from "../../../../src/primitives/bytes/hex.ts";
import {
  ALICE,
  aNode,
  BOB,
  CAROL,
  DAVE,
  NOBODY,
  openNode,
  quantity,
  serve,
  wordText,
} from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { deploy, send } from "../../../support/contracts.ts";
import { pairs } from "../../../support/seed.ts";

/** Adds the call's value to slot 0 and logs the sum. */
const TILL = assemble("CALLVALUE 0 SLOAD ADD DUP1 0 SSTORE 0 MSTORE 32 0 LOG0 STOP");
/** Adds twice the call's value, and logs twice. */
const DOUBLE_TILL = assemble("CALLVALUE 2 MUL 0 SLOAD ADD DUP1 0 SSTORE 0 MSTORE 32 0 LOG0 32 0 LOG0 STOP");
/** Reverts without data. */
const CLOSED = assemble("0 0 REVERT");

const pay = (node: HindcastNode, to: Hex, value: number, from: Hex = BOB): Promise<Hex> =>
  send(node, { from, to, value: `0x${value.toString(16)}`, gas: "0x186a0" });

/** Three payments of 5, 7 and 11 wei into a till, each in a block of its own. */
async function aTill(node: HindcastNode) {
  const till = await deploy(node, TILL);
  const payments: Hex[] = [];
  for (const value of [5, 7, 11]) payments.push(await pay(node, till, value));
  const last = node.head.header.number;
  return { till, payments, blocks: [last - 2n, last] as const };
}

const SLOT = wordText(0);

describe.each(pairs(["wasm", "ethereumjs"] as const, ["our chain", "a fork"] as const))(
  "on %s, %s",
  (engine, place) => {
    let origin: HindcastNode;
    let node: HindcastNode;
    let made: Awaited<ReturnType<typeof aTill>>;
    beforeAll(async () => {
      origin = await openNode({ engine });
      made = await aTill(origin);
      node = place === "our chain" ? origin : await openNode({ engine, fork: { url: (await serve(origin)).url } });
    });
    afterAll(async () => {
      await node.close();
      await origin.close();
    });

    it("finds no difference where nothing is changed", async () => {
      const { blocks } = made;
      const { transactions, totals, balances } = await node.replay({ blocks });
      expect({ transactions, balances }).toEqual({ transactions: [], balances: [] });
      expect(totals).toMatchObject({ blocks: 3, transactions: 3, different: 0, logs: [3, 3], differentLogs: [0, 0] });
    });

    it("runs a transaction with other code on the state that it had", async () => {
      const { till, payments } = made;
      const answer = await node.replay({ transaction: payments[1] as Hex, code: { [till]: DOUBLE_TILL } });
      const [compared] = answer.transactions;
      // 5 + 7 as recorded; 5 + 2 * 7 otherwise.
      expect(compared?.storage).toEqual([
        { address: decodeData(till), slot: decodeData(SLOT), values: [12n, 19n], variables: [] },
      ]);
      expect(compared?.logs.map((logs) => logs.map(({ data }) => encodeData(data)))).toEqual([
        [wordText(12)],
        [wordText(19), wordText(19)],
      ]);
    });

    it("lets the changed state flow on from block to block", async () => {
      const { till, blocks } = made;
      const { transactions, totals } = await node.replay({ blocks, code: { [till]: encodeData(DOUBLE_TILL) } });
      expect(transactions.map(({ storage }) => storage.map(({ values }) => values))).toEqual([
        [[5n, 10n]],
        [[12n, 24n]],
        [[23n, 46n]],
      ]);
      expect(totals).toMatchObject({ different: 3, logs: [3, 6], differentLogs: [3, 6] });
    });

    it("gives slots other values before the first transaction", async () => {
      const { till, blocks } = made;
      const { transactions } = await node.replay({ blocks, storage: { [till]: { [SLOT]: 100n } } });
      expect(transactions.map(({ storage }) => storage[0]?.values)).toEqual([
        [5n, 105n],
        [12n, 112n],
        [23n, 123n],
      ]);
    });

    it("reports another status, and the balances without the payments that failed", async () => {
      const { till, blocks } = made;
      const { transactions, totals, balances } = await node.replay({ blocks, code: { [till]: CLOSED } });
      expect(transactions.map(({ runs }) => runs.map((run) => run?.status))).toEqual(
        [1, 2, 3].map(() => ["succeeded", "reverted"]),
      );
      expect(totals).toMatchObject({ otherStatus: 3, refused: 0, logs: [3, 0] });
      const tillBalance = balances.find(({ address }) => encodeData(address) === till);
      expect(tillBalance?.wei).toBe(-23n);
    });

    it("gives a dropped transaction's nonce up, so that the later ones still fit", async () => {
      const { payments, blocks } = made;
      const { transactions, totals } = await node.replay({ blocks, transactions: { drop: [payments[0] as Hex] } });
      expect(transactions.map(({ change, runs }) => [change, runs[1]?.status])).toEqual([
        ["dropped", undefined],
        ["none", "succeeded"],
        ["none", "succeeded"],
      ]);
      expect(transactions.map(({ storage }) => storage[0]?.values)).toEqual([
        [5n, 0n],
        [12n, 7n],
        [23n, 18n],
      ]);
      expect(totals.refused).toBe(0);
    });

    it("inserts calls before, after and at the end of a block, which take no nonce", async () => {
      const { till, payments, blocks } = made;
      const call = (value: bigint) => ({ from: decodeData(BOB), to: decodeData(till), value });
      const insert = [
        { before: payments[0] as Hex, call: call(100n) },
        { after: payments[0] as Hex, call: call(200n) },
        { block: blocks[1], call: call(400n) },
      ];
      const { transactions } = await node.replay({ blocks, transactions: { insert } });
      expect(transactions.map(({ change, storage }) => [change, storage[0]?.values])).toEqual([
        ["inserted", [0n, 100n]],
        ["none", [5n, 105n]],
        ["inserted", [5n, 305n]],
        ["none", [12n, 312n]],
        ["none", [23n, 323n]],
        ["inserted", [23n, 723n]],
      ]);
      expect(transactions.every(({ runs }) => runs[1]?.status === "succeeded")).toBe(true);
    });

    it("replaces a call by a creation", async () => {
      const { payments, blocks } = made;
      // Returns one byte of code: STOP.
      const call = { data: decodeData("0x600160005ff3"), value: 0n };
      const replace = [{ transaction: payments[0] as Hex, call, creates: true }];
      const { transactions } = await node.replay({ blocks, transactions: { replace } });
      expect(transactions[0]).toMatchObject({ change: "replaced", runs: [{}, { status: "succeeded" }] });
      expect(transactions[0]?.storage[0]?.values[1]).toBe(0n);
      const params = [
        {
          blocks: [quantity(blocks[0]), quantity(blocks[1])],
          transactions: {
            replace: [{ transaction: payments[0], call: { input: "0x600160005ff3", value: "0x0" }, creates: true }],
          },
        },
      ];
      const answer = await node.provider.request({ method: "hindcast_replay", params } as never);
      expect(answer).toMatchObject({
        transactions: [{ change: "replaced", runs: [{}, { status: "succeeded" }] }, {}, {}],
      });
    });

    it("replaces members of a transaction, also its sender", async () => {
      const { payments, blocks } = made;
      const replace = [
        { transaction: payments[0] as Hex, call: { value: 50n } },
        { transaction: payments[1] as Hex, call: { from: decodeData(CAROL) } },
      ];
      const { transactions } = await node.replay({ blocks, transactions: { replace } });
      expect(transactions.map(({ change, runs }) => [change, runs[1]?.status])).toEqual([
        ["replaced", "succeeded"],
        ["replaced", "succeeded"],
        ["none", "succeeded"],
      ]);
      expect(transactions.map(({ storage }) => storage[0]?.values)).toEqual([
        [5n, 50n],
        [12n, 57n],
        [23n, 68n],
      ]);
      const paid = transactions[1]?.balances.find(({ address }) => encodeData(address) === CAROL);
      expect(paid?.changes[0]).toBe(0n);
      expect((paid?.changes[1] ?? 0n) < -7n).toBe(true);
    });

    it("answers the same over JSON-RPC", async () => {
      const { till, payments } = made;
      const transaction = payments[1] as Hex;
      const code = { [till]: encodeData(DOUBLE_TILL) };
      const answer = await node.provider.request({ method: "hindcast_replay", params: [{ transaction, code }] });
      expect(answer).toEqual(JSON.parse(JSON.stringify(await node.replay({ transaction, code }))));
      expect(answer.transactions[0]?.storage[0]?.values).toEqual(["0xc", "0x13"]);
    });
  },
);

it("refuses transactions that no longer fit, with the reason, and goes on", async () => {
  const node = await aNode();
  const till = await deploy(node, TILL);
  await node.setBalance(DAVE, 0n);
  const gift = await send(node, { from: ALICE, to: DAVE, value: "0xde0b6b3a7640000" });
  await pay(node, till, 5, DAVE);
  await pay(node, till, 7, BOB);
  const last = node.head.header.number;
  const { transactions, totals } = await node.replay({ blocks: [last - 2n, last], transactions: { drop: [gift] } });
  expect(transactions.map(({ runs }) => runs[1]?.status)).toEqual([undefined, "refused", "succeeded"]);
  expect(transactions[1]?.runs[1]?.reason).toMatch(/insufficient funds/);
  expect(totals).toMatchObject({ transactions: 3, refused: 1 });
});

it("names a custom error whose ABI is known, and no other", async () => {
  const node = await aNode();
  const till = await deploy(node, TILL);
  const transaction = await pay(node, till, 5);
  const reverts = (error: string): Hex =>
    encodeData(assemble(`${toFunctionSelector(error)} 224 SHL 0 MSTORE 5 4 MSTORE 36 0 REVERT`));
  const reasonOf = async (error: string): Promise<string | undefined> => {
    const { transactions } = await node.replay({ transaction, code: { [till]: reverts(error) } });
    return transactions[0]?.runs[1]?.reason;
  };
  node.abi.add([{ type: "error", name: "TooMuch", inputs: [{ type: "uint256", name: "asked" }] }]);
  expect(await reasonOf("TooMuch(uint256)")).toBe("execution reverted: TooMuch(5)");
  expect(await reasonOf("TooLittle(uint256)")).toBe("execution reverted");
});

it("makes edits between the blocks of the range in both histories", async () => {
  const node = await aNode();
  const till = await deploy(node, TILL);
  await pay(node, till, 5);
  await node.setStorageAt(till as Hex, SLOT, wordText(1_000));
  await pay(node, till, 7);
  const last = node.head.header.number;
  // A changed transaction that touches nothing of the till.
  const insert = [{ block: last - 1n, call: { from: decodeData(BOB), to: decodeData(NOBODY), value: 1n } }];
  const { transactions } = await node.replay({ blocks: [last - 1n, last], transactions: { insert } });
  expect(transactions.map(({ change }) => change)).toEqual(["inserted"]);
});

it("yields every block in order, with the sums so far, and ends when the consumer does", async () => {
  const node = await aNode();
  const { till, blocks } = await aTill(node);
  const seen: unknown[] = [];
  for await (const { number, transactions, totals } of node.eachReplayedBlock({ blocks, code: { [till]: CLOSED } })) {
    seen.push([number, transactions.length, totals.otherStatus]);
    if (number === blocks[0] + 1n) break;
  }
  expect(seen).toEqual([
    [blocks[0], 1, 1],
    [blocks[0] + 1n, 1, 2],
  ]);
});

it("ends at an abort", async () => {
  const node = await aNode();
  const { blocks } = await aTill(node);
  const signal = AbortSignal.abort();
  await expect(node.replay({ blocks }, { signal })).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
});

it("lists as many transactions as asked, and counts the others", async () => {
  const node = await aNode();
  const { till, blocks } = await aTill(node);
  const { transactions, omitted, totals } = await node.replay({ blocks, code: { [till]: CLOSED } }, { limit: 2 });
  expect([transactions.length, omitted, totals.different]).toEqual([2, 1, 3]);
});

describe("bad input", () => {
  let node: HindcastNode;
  let made: Awaited<ReturnType<typeof aTill>>;
  beforeAll(async () => {
    node = await openNode({ limits: { traceFilterBlocks: 3 } });
    made = await aTill(node);
  });
  afterAll(() => node.close());

  const unknown = `0x${"12".repeat(32)}` as const;
  type Request = Parameters<HindcastNode["replay"]>[0];
  const cases: readonly [name: string, request: () => Request, code: string, words: RegExp][] = [
    ["an unknown transaction", () => ({ transaction: unknown }), "TRANSACTION_NOT_FOUND", /not found/],
    ["neither transaction nor blocks", () => ({}), "INVALID_PARAMS", /either a transaction or blocks/],
    [
      "both transaction and blocks",
      () => ({ transaction: made.payments[0] as Hex, blocks: made.blocks }),
      "INVALID_PARAMS",
      /either a transaction or blocks/,
    ],
    ["a range that runs backwards", () => ({ blocks: [3n, 2n] }), "INVALID_PARAMS", /backwards/],
    ["a range that is too long", () => ({ blocks: [1n, 4n] }), "INVALID_PARAMS", /4 blocks, and the limit is 3/],
    ["the first block", () => ({ blocks: [0n, 1n] }), "GENESIS_NOT_TRACEABLE", /genesis/],
    ["a block beyond the head", () => ({ blocks: [1n, 99n] }), "HEADER_NOT_FOUND", /not found/],
    [
      "code that is no artifact",
      () => ({ blocks: made.blocks, code: { [made.till]: { abi: [] } } }),
      "INVALID_PARAMS",
      /no deployed code/,
    ],
    [
      "code that is no bytecode",
      () => ({ blocks: made.blocks, code: { [made.till]: "0x1" } }),
      "INVALID_PARAMS",
      /bytecode/,
    ],
    [
      "code at a precompile",
      () => ({ blocks: made.blocks, code: { [`0x${"0".repeat(39)}1`]: "0x00" } }),
      "INVALID_PARAMS",
      /precompile/,
    ],
    [
      "one address in two spellings",
      () => ({ blocks: made.blocks, code: { [made.till]: "0x00", [`0x${made.till.slice(2).toUpperCase()}`]: "0x01" } }),
      "INVALID_PARAMS",
      /twice/,
    ],
    [
      "a transaction that is dropped and replaced",
      () => {
        const [transaction = unknown] = made.payments;
        const changes = { drop: [transaction], replace: [{ transaction, call: {} }] };
        return { blocks: made.blocks, transactions: changes };
      },
      "INVALID_PARAMS",
      /twice/,
    ],
    [
      "a transaction that is replaced by a creation with a recipient",
      () => {
        const [transaction = unknown] = made.payments;
        const replace = [{ transaction, call: { to: decodeData(CAROL) }, creates: true }];
        return { blocks: made.blocks, transactions: { replace } };
      },
      "INVALID_PARAMS",
      /creation with a recipient/,
    ],
    [
      "a dropped transaction outside of the range",
      () => ({ blocks: [made.blocks[1], made.blocks[1]], transactions: { drop: [made.payments[0] as Hex] } }),
      "INVALID_PARAMS",
      /not in the part/,
    ],
    [
      "an inserted transaction without a place",
      () => ({ blocks: made.blocks, transactions: { insert: [{ call: {} }] } }),
      "INVALID_PARAMS",
      /place/,
    ],
    ["a misspelled member", () => ({ block: 1n }) as unknown as Request, "INVALID_PARAMS", /block/],
  ];
  it.each(cases)("is refused: %s", async (_name, request, code, words) => {
    const failure = node.replay(request());
    await expect(failure).rejects.toMatchObject({ code });
    await expect(failure).rejects.toThrow(words);
  });
});
