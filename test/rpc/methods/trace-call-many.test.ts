import { getCreateAddress } from "ethers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeData, encodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import {
  ALICE,
  addressText,
  aServedNode,
  BOB,
  CAROL,
  type Json,
  NOBODY,
  openNode,
  quantity,
  type ServedNode,
  serve,
  wordText,
} from "../../support/a-node.ts";
import { assemble, deploying } from "../../support/assembler.ts";
import { COUNTER, deploy, LOOP, place, REVERTER, send } from "../../support/contracts.ts";
import { slowIt } from "../../support/slow-suite.ts";
import { stepClock } from "../../support/stepping-clock.ts";

const ETHER = 10n ** 18n;
const START = 10_000n * ETHER;
const ALL = ["trace", "vmTrace", "stateDiff"];

interface Entry {
  readonly output: string;
  readonly trace: (Json & { readonly action: Json; readonly result?: Json })[];
  readonly vmTrace: Json | null;
  readonly stateDiff: Readonly<Record<string, Json>> | null;
}

const NOTHING: Entry = { output: "", trace: [], vmTrace: null, stateDiff: null };

describe("trace_callMany", () => {
  let served: ServedNode;
  let counter: Hex;
  let reverter: Hex;

  beforeAll(async () => {
    served = await serve(await openNode());
    counter = await deploy(served.node, COUNTER);
    reverter = await deploy(served.node, REVERTER);
  });
  afterAll(() => served.node.close());

  const run = (calls: readonly unknown[], ...block: unknown[]): Promise<Entry[]> =>
    served.plain.ask("trace_callMany", calls, ...block);

  it("answers the document's form of call with one entry for each, in order", async () => {
    const calls = [
      [{ from: ALICE, to: BOB, value: "0x1" }, ["trace"]],
      [{ from: BOB, to: CAROL, value: "0x2" }, ["trace"]],
    ];
    const expected = [
      [ALICE, BOB, "0x1"],
      [BOB, CAROL, "0x2"],
    ].map(([from, to, value]) => ({
      output: "0x",
      stateDiff: null,
      trace: [
        {
          action: { callType: "call", from, gas: quantity(30_000_000 - 21_000), input: "0x", to, value },
          result: { gasUsed: "0x0", output: "0x" },
          subtraces: 0,
          traceAddress: [],
          type: "call",
        },
      ],
      vmTrace: null,
    }));
    expect(await run(calls, "latest")).toEqual(expected);
    expect(await run(calls)).toEqual(expected);
    expect(await served.parity.ask("trace_callMany", calls, "latest")).toEqual(expected);
  });

  it("runs call n on top of those before it", async () => {
    const call = [{ from: ALICE, to: counter }, []];
    const outputs = (await run([call, call, call])).map(({ output }) => output);
    expect(outputs).toEqual([1, 2, 3].map(wordText));
    expect(await served.plain.ask("eth_getStorageAt", counter, "0x0", "latest")).toBe(wordText(0));
  });

  it("lets a call spend what an earlier one brought, and fails as a whole where nothing came", async () => {
    const pays = [{ from: ALICE, to: NOBODY, value: "0x5" }, ["stateDiff"]];
    const spends = [{ from: NOBODY, to: BOB, value: "0x5" }, ["stateDiff"]];
    const [, second] = await run([pays, spends]);
    expect(second?.stateDiff?.[BOB]?.balance).toEqual({
      "*": { from: quantity(START), to: quantity(START + 5n) },
    });
    const failure = await served.plain.failure("trace_callMany", [spends, pays]);
    expect(failure.code).toBe(-32015);
    expect(failure.message).toMatch(/^call 0: insufficient funds for gas \* price \+ value/);
  });

  it("gives each entry its own types, and null or nothing for what it did not ask for", async () => {
    const call = { from: ALICE, to: counter };
    const types = [[], ["trace"], ["vmTrace"], ["stateDiff"], ALL, ["trace", "trace"]];
    const entries = await run(types.map((wanted) => [call, wanted]));
    for (const [index, entry] of entries.entries()) {
      const wanted = types[index] ?? [];
      expect(Object.keys(entry).sort()).toEqual(["output", "stateDiff", "trace", "vmTrace"]);
      expect(entry.trace).toHaveLength(wanted.includes("trace") ? 1 : 0);
      expect(entry.vmTrace === null).toBe(!wanted.includes("vmTrace"));
      expect(entry.stateDiff === null).toBe(!wanted.includes("stateDiff"));
      expect(entry.output).toBe(wordText(index + 1));
    }
  });

  it("shows of a state change what differs from just before the entry, and bumps the sender's nonce", async () => {
    const call = [{ from: BOB, to: counter }, ["stateDiff"]];
    const [first, second] = await run([call, call]);
    const slot = (from: number, to: number): Json => ({
      [wordText(0)]: { "*": { from: wordText(from), to: wordText(to) } },
    });
    const nonce = (from: number): Json => ({ "*": { from: quantity(from), to: quantity(from + 1) } });
    const unchanged = { balance: "=", code: "=" };
    expect(first?.stateDiff).toEqual({
      [BOB]: { ...unchanged, nonce: nonce(0), storage: {} },
      [counter]: { ...unchanged, nonce: "=", storage: slot(0, 1) },
    });
    expect(second?.stateDiff).toEqual({
      [BOB]: { ...unchanged, nonce: nonce(1), storage: {} },
      [counter]: { ...unchanged, nonce: "=", storage: slot(1, 2) },
    });
  });

  it("shows a created account with plus signs, and of a failed call only its sender", async () => {
    const [created, failed] = await run([
      [{ from: ALICE, data: encodeData(deploying(COUNTER)) }, ["stateDiff", "trace"]],
      [{ from: ALICE, to: reverter, data: "0xdead", value: "0x0" }, ["stateDiff", "trace"]],
    ]);
    const address = getCreateAddress({ from: ALICE, nonce: 2 }).toLowerCase();
    expect(created?.trace[0]).toMatchObject({ type: "create", result: { address } });
    expect(created?.output).toBe(encodeData(COUNTER));
    expect(created?.stateDiff?.[address]).toEqual({
      balance: { "+": "0x0" },
      code: { "+": encodeData(COUNTER) },
      nonce: { "+": "0x1" },
      storage: {},
    });
    expect(failed?.output).toBe("0xdead");
    expect(failed?.trace[0]).toMatchObject({ error: "Reverted", result: { output: "0xdead" } });
    expect(Object.keys(failed?.stateDiff ?? {})).toEqual([ALICE]);
  });

  it("gives a vmTrace of every operation", async () => {
    const [entry = NOTHING] = await run([[{ from: ALICE, to: counter, gas: quantity(121_000) }, ["vmTrace"]]]);
    const { code, ops } = entry.vmTrace as unknown as { code: string; ops: Json[] };
    expect(code).toBe(encodeData(COUNTER));
    expect(ops.map(({ pc }) => pc)).toEqual([0, 2, 3, 5, 6, 7, 9, 10, 12, 13, 15, 17]);
    expect(ops[1]).toMatchObject({ cost: 2100, ex: { used: 100_000 - 3 - 2100, push: ["0x0"] }, sub: null });
    expect(ops[6]).toMatchObject({ cost: 20_000, ex: { store: { key: "0x0", val: "0x1" } } });
  });

  it("charges a price that the call states, and shows the fee", async () => {
    const price = 2_000_000_000n;
    const [free, paid] = await run([
      [{ from: BOB, to: CAROL }, ["stateDiff"]],
      [{ from: BOB, to: CAROL, gasPrice: quantity(price), gas: quantity(21_000) }, ["stateDiff"]],
    ]);
    expect(free?.stateDiff?.[BOB]?.balance).toBe("=");
    expect(paid?.stateDiff?.[BOB]?.balance).toEqual({
      "*": { from: quantity(START), to: quantity(START - price * 21_000n) },
    });
  });

  it.each([
    [
      "too little gas",
      { from: ALICE, to: BOB, gas: "0x5207" },
      /^call 0: intrinsic gas too low: have 20999, want 21000\. Raise gas/,
    ],
    ["more than the sender has", { from: NOBODY, to: BOB, value: "0x1" }, /^call 0: insufficient funds for gas/],
    [
      "a fee cap below the base fee",
      { from: ALICE, to: BOB, maxFeePerGas: "0x1" },
      /^call 0: max fee per gas less than/,
    ],
  ])("fails as a whole for %s (-32015)", async (_what, call, message) => {
    const failure = await served.plain.failure("trace_callMany", [[call, ["trace"]]]);
    expect(failure.message).toMatch(message);
    expect(failure.code).toBe(-32015);
  });

  it("names the entry that could not start", async () => {
    const good = [{ from: ALICE, to: BOB }, []];
    const failure = await served.plain.failure("trace_callMany", [good, good, [{ from: NOBODY, value: "0x1" }, []]]);
    expect(failure.message).toMatch(/^call 2: /);
  });

  it("an exceptional end is a result, not an error", async () => {
    const invalid = encodeData(assemble("INVALID"));
    const [entry] = await run([[{ from: ALICE, data: invalid, gas: quantity(100_000) }, ALL]]);
    expect(entry).toMatchObject({ output: "0x", trace: [{ error: "Bad instruction", result: null }] });
  });

  it.each([
    ["an unknown trace type", [[{ from: ALICE }, ["traces"]]], "unknown trace type: traces. It is params[0][0][1][0]."],
    ["an entry that is no pair", [[{ from: ALICE }]], "params[0][0]"],
    ["a call that is no object", [["0x1", ["trace"]]], "params[0][0][0]: "],
    ["types that are no list", [[{ from: ALICE }, "trace"]], "params[0][0][1]: expected an array of trace types"],
    ["a bad member", [[{ from: ALICE, value: "0x01" }, []]], "params[0][0][0].value: expected a QUANTITY"],
    ["no list at all", { from: ALICE }, "params[0]: expected an array of [call, types] pairs"],
  ])("refuses %s with -32602", async (_what, calls, message) => {
    const failure = await served.plain.failure("trace_callMany", calls, "latest");
    expect(failure.message).toContain(message);
    expect(failure.code).toBe(-32602);
  });

  it("refuses an unknown block, by number and hash", async () => {
    for (const block of ["0x99", wordText(1)]) {
      const failure = await served.plain.failure("trace_callMany", [], block);
      expect(failure.code).toBe(-32001);
      expect(failure.message).toContain(`block not found: ${block}`);
    }
  });

  it("of nothing is nothing", async () => {
    expect(await run([])).toEqual([]);
  });
});

describe("trace_callMany's block", () => {
  it("gives the state after it and its own header", async () => {
    const { node, plain } = await aServedNode();
    const context = await deploy(
      node,
      assemble("NUMBER 0 MSTORE TIMESTAMP 32 MSTORE CALLER BALANCE 64 MSTORE 96 0 RETURN"),
    );
    await send(node, { to: BOB, value: "0x7" });
    const ask = async (block: unknown): Promise<bigint[]> => {
      const calls = [[{ from: BOB, to: context }, []]];
      const [entry] = await plain.ask<Entry[]>("trace_callMany", calls, block);
      return [0, 1, 2].map((word) => BigInt(`0x${entry?.output.slice(2 + 64 * word, 66 + 64 * word)}`));
    };
    const time = async (number: string): Promise<bigint> =>
      BigInt((await plain.ask<Json>("eth_getBlockByNumber", number, false)).timestamp as string);
    expect(await ask("0x1")).toEqual([1n, await time("0x1"), START]);
    expect(await ask("latest")).toEqual([2n, await time("0x2"), START + 7n]);
  });

  it("pending is the state and header of the block to come", async () => {
    const { node, plain } = await aServedNode();
    const number = await deploy(node, assemble("NUMBER 0 MSTORE CALLER BALANCE 32 MSTORE 64 0 RETURN"));
    node.setMiningMode("manual");
    await send(node, { to: CAROL, value: "0x9" });
    const [entry] = await plain.ask<Entry[]>("trace_callMany", [[{ from: CAROL, to: number }, []]], "pending");
    expect(entry?.output).toBe(wordText(2) + wordText(START + 9n).slice(2));
  });

  it("may have been edited after it was mined: calls at an old block see the edit that the next one saw", async () => {
    const { node, plain } = await aServedNode();
    const poor = addressText(0x99);
    await node.mine();
    await node.setBalance(decodeData(poor), 5n);
    await node.mine();
    const call = [[{ from: poor, to: BOB, value: "0x5" }, ["trace"]]];
    expect(await plain.ask<Entry[]>("trace_callMany", call, "0x1")).toHaveLength(1);
    expect((await plain.failure("trace_callMany", call, "0x0")).code).toBe(-32015);
  });
});

describe("limits", () => {
  it("default gas is the block's gas limit, but not above callGasLimit", async () => {
    const { plain } = await aServedNode({ gasLimit: 100_000_000 });
    const gasOf = async (call: Json): Promise<bigint> => {
      const [entry] = await plain.ask<Entry[]>("trace_callMany", [[{ from: ALICE, to: BOB, ...call }, ["trace"]]]);
      return BigInt(entry?.trace[0]?.action.gas as string) + 21_000n;
    };
    expect(await gasOf({})).toBe(50_000_000n);
    expect(await gasOf({ gas: quantity(90_000_000) })).toBe(50_000_000n);
    // No transaction could have so much on this hardfork (EIP-7825), but a simulation may.
    expect(await gasOf({ gas: quantity(40_000_000) })).toBe(40_000_000n);
  });

  slowIt("a request whose calls together run too long ends with an error that says so", async () => {
    const { node, plain } = await aServedNode({ limits: { traceTimeoutMs: 200 } });
    const loop = await place(node, LOOP);
    // Each call looks at the clock once at least.
    stepClock();
    const call = [{ from: ALICE, to: loop, gas: quantity(1_000_000) }, []];
    expect(await plain.ask("trace_callMany", [call])).toHaveLength(1);
    const failure = await plain.failure("trace_callMany", Array(1_000).fill(call));
    expect(failure.code).toBe(-32005);
    expect(failure.message).toContain("The execution took longer than its limit of 200 ms.");
  });
});
