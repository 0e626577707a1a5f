/** eth_callMany and debug_traceCallMany: bundles of calls, each a block. The values are worked out by hand. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../../../../src/primitives/hash/hash.ts";
import {
  accountRangeText,
  encodeAccountRange,
  encodeStorageRange,
  storageRangeText,
} from "../../../../src/rpc/encode/state-range.ts";
import {
  ALICE,
  addressText,
  aServedNode,
  BOB,
  CAROL,
  NOBODY,
  NOW,
  openNode,
  quantity,
  type ServedNode,
  serve,
  wordText,
} from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { COUNTER, deploy, REVERTER, send } from "../../../support/contracts.ts";
import { saying } from "../../../support/saying.ts";
import { textOf } from "../../../support/texts.ts";

/** Returns number, timestamp, the hash of block 1 and the caller's balance. */
const WORLD = assemble(
  "NUMBER 0 MSTORE TIMESTAMP 32 MSTORE 1 BLOCKHASH 64 MSTORE CALLER BALANCE 96 MSTORE 128 0 RETURN",
);

describe("eth_callMany and debug_traceCallMany", () => {
  let served: ServedNode;
  let counter: Hex;
  let reverter: Hex;
  let world: Hex;

  beforeAll(async () => {
    served = await serve(await openNode());
    counter = await deploy(served.node, COUNTER);
    reverter = await deploy(served.node, REVERTER);
    world = await deploy(served.node, WORLD);
  });
  afterAll(() => served.node.close());

  const callMany = <T = { value: Hex }[][]>(...params: unknown[]): Promise<T> =>
    served.plain.ask("eth_callMany", ...params);
  const add = () => ({ from: ALICE, to: counter });

  it("run calls one on top of the other, through all bundles, and keep nothing", async () => {
    const bundles = [{ transactions: [add(), add()] }, { transactions: [add()] }];
    expect(await callMany(bundles)).toEqual([
      [{ value: wordText(1) }, { value: wordText(2) }],
      [{ value: wordText(3) }],
    ]);
    expect(await served.plain.ask("eth_getStorageAt", counter, "0x0", "latest")).toBe(wordText(0));
    const traces = await served.plain.ask<{ output: Hex; gasUsed: Hex }[][]>(
      "debug_traceCallMany",
      bundles,
      {},
      {
        tracer: "callTracer",
      },
    );
    expect(traces.map((bundle) => bundle.map(({ output }) => output))).toEqual([
      [wordText(1), wordText(2)],
      [wordText(3)],
    ]);
    // 21,000; a cold SLOAD of 2,100; the second changes a slot that is 1, for 2,900; pushes and words of memory.
    const rest = 3 + 3 + 3 + 3 + 3 + 3 + 6 + 3 + 3;
    expect(BigInt(traces[0]?.[0]?.gasUsed ?? 0)).toBe(BigInt(21_000 + 2_100 + 20_000 + rest));
    expect(BigInt(traces[0]?.[1]?.gasUsed ?? 0)).toBe(BigInt(21_000 + 2_100 + 2_900 + rest));
  });

  it("give each bundle a block of its own, a number and twelve seconds on", async () => {
    const look = { transactions: [{ from: ALICE, to: world }] };
    const words = (value: Hex): bigint[] =>
      [0, 1, 2].map((index) => BigInt(`0x${value.slice(2 + 64 * index, 66 + 64 * index)}`));
    const block = await served.plain.ask<{ timestamp: Hex; number: Hex }>("eth_getBlockByNumber", "latest", false);
    const first = await served.plain.ask<{ hash: Hex }>("eth_getBlockByNumber", "0x1", false);
    const seen = (await callMany([look, look, look])).map(([call]) => words(call?.value ?? "0x"));
    expect(seen).toEqual(
      [0n, 1n, 2n].map((more) => [3n + more, BigInt(block.timestamp) + 12n * more, BigInt(first.hash)]),
    );
    const moved = { ...look, blockOverride: { number: quantity(77), time: quantity(NOW + 1_000) } };
    const [, overridden] = await callMany([look, moved]);
    expect(words(overridden?.[0]?.value ?? "0x").slice(0, 2)).toEqual([77n, BigInt(NOW + 1_000)]);
  });

  it("start on the state of a block, or before one of its transactions", async () => {
    const { node, plain } = await aServedNode({ mining: "manual" });
    const contract = "0x00000000000000000000000000000000000000cc";
    await node.setCode(decodeData(contract), COUNTER);
    for (let call = 0; call < 3; call++) await send(node, { to: contract, gas: quantity(100_000) });
    await node.mine();
    const next = async (context: object) => {
      const bundles = [{ transactions: [{ from: BOB, to: contract }] }];
      const [[outcome]] = await plain.ask<[[{ value: Hex }]]>("eth_callMany", bundles, context);
      const [[trace]] = await plain.ask<[[{ output: Hex }]]>("debug_traceCallMany", bundles, context, {
        tracer: "callTracer",
      });
      expect(trace.output).toBe(outcome.value);
      return Number(outcome.value);
    };
    expect(await next({ blockNumber: "0x1" })).toBe(4);
    expect(await next({ blockNumber: "0x1", transactionIndex: -1 })).toBe(4);
    for (const index of [0, 1, 2, 3])
      expect(await next({ blockNumber: "0x1", transactionIndex: index })).toBe(index + 1);
    const failure = await plain.failure("eth_callMany", [{ transactions: [] }], {
      blockNumber: "0x1",
      transactionIndex: 4,
    });
    expect(failure.message).toMatch(/^transaction index 4 out of range for block 1/);
    expect(failure.code).toBe(-32602);
  });

  it("tell a failure as its own text, and go on", async () => {
    const calls = [
      { from: ALICE, to: reverter, data: "0xdead" },
      { from: ALICE, data: encodeData(assemble("INVALID")) },
      add(),
    ];
    expect(await callMany([{ transactions: calls }])).toEqual([
      [
        { error: expect.stringMatching(/^execution reverted/) },
        { error: expect.stringMatching(/^invalid opcode: INVALID/) },
        { value: wordText(1) },
      ],
    ]);
  });

  it("take state overrides, and let one call spend what another brought", async () => {
    const pays = [
      { from: CAROL, to: NOBODY, value: "0x5" },
      { from: NOBODY, to: BOB, value: "0x5" },
    ];
    expect(await callMany([{ transactions: pays }])).toEqual([[{ value: "0x" }, { value: "0x" }]]);
    const overrides = {
      [addressText(0x99)]: { balance: "0x7", code: encodeData(assemble("SELFBALANCE 0 MSTORE 32 0 RETURN")) },
    };
    const bundles = [{ transactions: [{ from: ALICE, to: addressText(0x99), value: "0x2" }] }];
    expect(await callMany(bundles, {}, overrides)).toEqual([[{ value: wordText(9) }]]);
    const [[trace]] = await served.plain.ask<[[{ output: Hex }]]>(
      "debug_traceCallMany",
      bundles,
      {},
      {
        tracer: "callTracer",
        stateOverrides: overrides,
      },
    );
    expect(trace.output).toBe(wordText(9));
  });

  it("refuse what cannot start, what is empty and what is unknown", async () => {
    const poor = [{ transactions: [add(), { from: NOBODY, to: BOB, value: "0x1" }] }];
    expect((await served.plain.failure("eth_callMany", poor)).message).toMatch(
      /insufficient funds for gas \* price \+ value/,
    );
    const traced = await served.plain.failure("debug_traceCallMany", poor);
    expect(traced.message).toMatch(/^tracing failed: insufficient funds for gas \* price \+ value/);
    expect(traced.code).toBe(-32000);
    const unknown = { eth_callMany: "header not found", debug_traceCallMany: "block #153 not found" };
    for (const [method, message] of Object.entries(unknown)) {
      expect(await served.plain.failure(method, [])).toMatchObject({
        code: -32602,
        message: saying("bundles are empty."),
      });
      const failure = await served.plain.failure(method, [{ transactions: [] }], { blockNumber: "0x99" });
      expect(failure).toMatchObject({ code: -32000, message: saying(message) });
    }
  });
});

describe("ranges of states whose keys nobody knows", () => {
  const hash = new Uint8Array(32).fill(0xab);

  it("show a slot under the hash of its key, with null for the key, and null behind the last", () => {
    const slots = [{ hash, slot: undefined, value: Uint8Array.of(7) }];
    const storage = { [encodeData(hash)]: { key: null, value: wordText(7) } };
    const range = { slots, next: hash };
    expect(encodeStorageRange(range)).toEqual({ storage, nextKey: encodeData(hash) });
    expect(textOf(storageRangeText(range))).toBe(JSON.stringify(encodeStorageRange(range)));
    expect(encodeStorageRange({ slots, next: undefined })).toEqual({ storage, nextKey: null });
  });

  it("name an account by the hash of its address", () => {
    const account = { nonce: 3n, balance: 12n, storageRoot: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH };
    const listed = { hash, address: undefined, account, code: undefined, slots: undefined };
    const range = { stateRoot: EMPTY_TRIE_ROOT, accounts: [listed], next: hash };
    expect(textOf(accountRangeText(range))).toBe(JSON.stringify(encodeAccountRange(range)));
    expect(encodeAccountRange(range)).toEqual({
      root: encodeData(EMPTY_TRIE_ROOT).slice(2),
      accounts: {
        [`pre(${encodeData(hash)})`]: {
          balance: "12",
          nonce: 3,
          root: encodeData(EMPTY_TRIE_ROOT),
          codeHash: encodeData(EMPTY_CODE_HASH),
          key: encodeData(hash),
        },
      },
      next: Buffer.from(hash).toString("base64"),
    });
  });
});
