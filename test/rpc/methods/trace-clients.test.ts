/**
 * What the option `traceClient` changes: for each point on which the clients disagree, the answer in the manner of each.
 * All nodes have the same chain.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import { TRACE_CLIENTS, type TraceClient } from "../../../src/services/simulate/trace/client.ts";
import {
  ALICE,
  addressText,
  BOB,
  CAROL,
  NOBODY,
  openNode,
  quantity,
  RpcFailure,
  type ServedNode,
  serve,
  wordText,
} from "../../support/a-node.ts";
import { assemble, calling, deploying, fromHex, storing } from "../../support/assembler.ts";
import { receiptOf, send } from "../../support/contracts.ts";

const at = (number: number): Hex => addressText(number);
const precompile = (number: number) => fromHex(wordText(number).slice(26));

/** Contracts by address. */
const CODES: Readonly<Record<Hex, string>> = {
  [at(0xa1)]: `${storing(fromHex("deadbeef"))} 4 0 REVERT`,
  [at(0xa2)]: "ADD",
  [at(0xa3)]: calling("CALL", fromHex(BOB), 1n),
  [at(0xa4)]: calling("DELEGATECALL", precompile(2)),
  [at(0xa5)]: calling("CALL", precompile(4), 1n),
  [at(0xa6)]: `${NOBODY} SELFDESTRUCT`,
  [at(0xa7)]: "0xabcd 0 MSTORE 64 MLOAD 0x2a 0 SSTORE",
  [at(0xa8)]: "NUMBER 0 MSTORE 32 0 RETURN",
  [at(0xa9)]: `${calling("CALL", fromHex(at(0xa1)))} ${calling("CALL", fromHex(at(0xa6)))}`,
  [at(0xaa)]: `0 0 0 0 CREATE2 0 0 0 0 CREATE2`,
  [at(0xab)]: "1 0 0 RETURNDATACOPY",
  [at(0xac)]: "1 POP INVALID",
  [at(0xad)]: `${NOBODY} SELFDESTRUCT`,
  [at(0xae)]: calling("CALL", fromHex(BOB)),
};

/** Position of the CALL in {@link calling}: after five pushes of a byte, one of an address, and GAS. */
const CALL_AT = 5 * 2 + 21 + 1;

interface Facts {
  readonly served: ServedNode;
  /** Of the call of 0xa9, which calls 0xa1 and 0xa6. */
  readonly relay: Hex;
  readonly creation: Hex;
  /** Raw bytes of a transaction whose nonce is used. */
  readonly used: Hex;
}

async function aChain(client: TraceClient): Promise<Facts> {
  const served = await serve(await openNode({ hardfork: "london", traceClient: client, mining: "manual" }));
  const { node, plain } = served;
  for (const [address, code] of Object.entries(CODES)) {
    await plain.ask("hardhat_setCode", address, encodeData(assemble(code)));
  }
  await plain.ask("hardhat_setBalance", at(0xa5), "0xa");
  await plain.ask("hardhat_setBalance", at(0xad), "0x4");
  const relay = await send(node, { to: at(0xa9), gas: quantity(200_000) });
  await node.mine();
  const creation = await send(node, { data: encodeData(deploying(assemble("STOP"))), gas: quantity(200_000) });
  await node.mine();
  const used = await plain.ask<Hex>("eth_getRawTransactionByHash", relay);
  await receiptOf(node, creation);
  await send(node, { from: CAROL, to: BOB, value: "0x1" });
  return { served, relay, creation, used };
}

const chains = new Map<TraceClient, Facts>();
beforeAll(async () => {
  for (const client of TRACE_CLIENTS) chains.set(client, await aChain(client));
});
afterAll(() => Promise.all([...chains.values()].map(({ served }) => served.node.close())));

// biome-ignore lint/suspicious/noExplicitAny: answers of four shapes are looked into by name; a wrong name fails its row
type Answer = any;

const ask = ({ served }: Facts, method: string, ...params: unknown[]): Promise<Answer> =>
  served.plain.ask(method, ...params);
const call = (facts: Facts, to: Hex | undefined, type: string, more: object = {}): Promise<Answer> =>
  ask(facts, "trace_call", { from: ALICE, to, gas: quantity(1_000_000), ...more }, [type]);
const traced = async (facts: Facts, to: Hex | undefined, more: object = {}): Promise<Answer[]> =>
  (await call(facts, to, "trace", more)).trace;
const operations = async (facts: Facts, to: Hex): Promise<Answer[]> => (await call(facts, to, "vmTrace")).vmTrace.ops;
const differences = async (facts: Facts, to: Hex | undefined, more: object = {}): Promise<Answer> =>
  (await call(facts, to, "stateDiff", more)).stateDiff;
/** The result, or the error's code and text. */
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) =>
    error instanceof RpcFailure ? [error.code, error.message] : Promise.reject(error),
  );
/** Kind of `result`: a value, null, or absent. */
const resultOf = (trace: Answer): unknown => ("result" in trace ? trace.result : "absent");

interface Row {
  readonly point: string;
  readonly look: (facts: Facts) => Promise<unknown>;
  /** Clients that agree with ours are left out. */
  readonly answers: { readonly hindcast: unknown } & Partial<Record<TraceClient, unknown>>;
}

const ROWS: readonly Row[] = [
  {
    point: "gas of the outermost call: without intrinsic gas",
    look: async (facts) => (await traced(facts, BOB))[0].action.gas,
    answers: { hindcast: quantity(979_000) },
  },
  {
    point: "result of a revert",
    look: async (facts) => resultOf((await traced(facts, at(0xa1)))[0]),
    answers: { hindcast: { gasUsed: "0x12", output: "0xdeadbeef" }, openethereum: "absent" },
  },
  {
    point: "result of another failure",
    look: async (facts) => resultOf((await traced(facts, at(0xa2)))[0]),
    answers: { hindcast: null, openethereum: "absent" },
  },
  {
    point: "creationMethod",
    look: async (facts) => (await ask(facts, "trace_transaction", facts.creation))[0].action.creationMethod ?? "absent",
    answers: { hindcast: "create", openethereum: "absent" },
  },
  {
    point: "wording of errors",
    look: async (facts) => [
      (await traced(facts, at(0xa1)))[0].error,
      (await traced(facts, at(0xa2)))[0].error,
      (await traced(facts, at(0xab)))[0].error,
      (await traced(facts, at(0xac)))[0].error,
    ],
    answers: {
      hindcast: ["Reverted", "Stack underflow", "Out of bounds", "Bad instruction"],
      reth: ["Reverted", "StackUnderflow", "OutOfOffset", "Bad instruction"],
      erigon: ["Reverted", "stack underflow (0 <=> 2)", "return data out of bounds", "invalid opcode: INVALID"],
    },
  },
  {
    point: "a call that never starts",
    look: async (facts) => (await traced(facts, at(0xa3))).slice(1).map(({ error }) => error),
    answers: { hindcast: [], reth: ["Insufficient balance for transfer"] },
  },
  {
    point: "a precompile that is delegated to",
    look: async (facts) => (await traced(facts, at(0xa4))).slice(1).map(({ action }) => action.callType),
    answers: { hindcast: ["delegatecall"], reth: [], erigon: [] },
  },
  {
    point: "a precompile that is sent value",
    look: async (facts) => (await traced(facts, at(0xa5))).slice(1).map(({ action }) => action.value),
    answers: { hindcast: ["0x1"] },
  },
  {
    point: "code that is too large, and a collision",
    look: async (facts) => {
      const large = { data: encodeData(assemble("24577 0 RETURN")), gas: quantity(8_000_000) };
      return [
        (await traced(facts, undefined, large))[0].error,
        (await traced(facts, at(0xaa))).map(({ error }) => error ?? null),
      ];
    },
    answers: {
      hindcast: ["Out of gas", [null, null, "Out of gas"]],
      reth: ["CreateContractSizeLimit", [null, null, "CreateCollision"]],
      erigon: ["max code size exceeded", [null, null, "contract address collision"]],
    },
  },
  {
    point: "members of a reward that name a transaction",
    look: async (facts) => {
      const reward = (await ask(facts, "trace_block", "0x1")).at(-1);
      return [
        reward.type,
        "transactionHash" in reward ? reward.transactionHash : "absent",
        "transactionPosition" in reward,
      ];
    },
    answers: { hindcast: ["reward", null, true], erigon: ["reward", "absent", false] },
  },
  {
    point: "a filter with both address lists",
    look: async (facts) => {
      const both = { fromAddress: [ALICE], toAddress: [at(0xa1)], fromBlock: "0x1" };
      const count = (filter: object) => ask(facts, "trace_filter", filter).then((list: unknown[]) => list.length);
      return [await count(both), await outcome(count({ ...both, mode: "intersection" }))];
    },
    answers: {
      hindcast: [3, 0],
      openethereum: [0, [-32602, 'params[0]: unknown member "mode".']],
    },
  },
  {
    point: "fromBlock of a filter that names none",
    look: async (facts) =>
      (await ask(facts, "trace_filter", {})).map((trace: Answer) => `${trace.blockNumber} ${trace.type}`),
    answers: {
      hindcast: ["1 call", "1 call", "1 call", "1 suicide", "1 reward", "2 create", "2 reward"],
      openethereum: ["2 create", "2 reward"],
    },
  },
  {
    point: "a filter that runs backwards",
    look: (facts) => outcome(ask(facts, "trace_filter", { fromBlock: "0x2", toBlock: "0x1" })),
    answers: { hindcast: [-32602, expect.stringMatching(/fromBlock cannot be greater/)], openethereum: [] },
  },
  {
    point: "a filter beyond the head",
    look: (facts) => outcome(ask(facts, "trace_filter", { fromBlock: "0x99", toBlock: "0x9a" })),
    answers: { hindcast: [], openethereum: null, reth: [-32001, expect.stringMatching(/^block not found: 0x9a/)] },
  },
  {
    point: "the path of trace_get",
    look: async (facts) => [
      (await ask(facts, "trace_get", facts.relay, ["0x0"])).traceAddress,
      (await ask(facts, "trace_get", facts.relay, ["0x1"])).traceAddress,
      (await ask(facts, "trace_get", facts.relay, ["0x1", "0x0"]))?.type ?? null,
      (await ask(facts, "trace_get", facts.relay, []))?.traceAddress ?? null,
    ],
    answers: { hindcast: [[0], [1], "suicide", []], reth: [[], [0], null, null] },
  },
  {
    point: "an unknown block in trace_block",
    look: (facts) => outcome(ask(facts, "trace_block", "0x99")),
    answers: { hindcast: null, reth: [-32001, expect.stringMatching(/^block not found: 0x99/)] },
  },
  {
    point: "the block of a trace_callMany that names none",
    look: async (facts) => {
      const number = (await ask(facts, "trace_callMany", [[{ from: ALICE, to: at(0xa8) }, []]]))[0].output;
      const named = (await ask(facts, "trace_callMany", [[{ from: ALICE, to: at(0xa8) }, []]], "latest"))[0].output;
      return [BigInt(number), BigInt(named)];
    },
    answers: { hindcast: [2n, 2n], reth: [3n, 2n] },
  },
  {
    point: "transactionHash of trace_replayTransaction",
    look: async (facts) =>
      (await ask(facts, "trace_replayTransaction", facts.relay, [])).transactionHash === facts.relay,
    answers: { hindcast: true, openethereum: false, reth: false },
  },
  {
    point: "an account that is funded for the first time",
    look: async (facts) => (await differences(facts, NOBODY, { value: "0x3" }))[NOBODY],
    answers: {
      hindcast: { balance: { "+": "0x3" }, code: { "+": "0x" }, nonce: { "+": "0x0" }, storage: {} },
      reth: { balance: { "*": { from: "0x0", to: "0x3" } }, code: "=", nonce: "=", storage: {} },
    },
  },
  {
    point: "an account that destroys itself",
    look: async (facts) => (await differences(facts, at(0xad), { value: "0x0" }))[at(0xad)],
    answers: {
      hindcast: {
        balance: { "-": "0x4" },
        code: { "-": encodeData(assemble(CODES[at(0xad)] ?? "")) },
        nonce: { "-": "0x0" },
        storage: {},
      },
      reth: { balance: { "*": { from: "0x4", to: "0x0" } }, code: "=", nonce: "=", storage: {} },
    },
  },
  {
    point: "a slot left at zero in a new account",
    look: async (facts) => {
      const created = Object.values<Answer>(
        await differences(facts, undefined, { data: encodeData(assemble("0 1 SSTORE 7 2 SSTORE")) }),
      );
      return Object.keys(created.find(({ code }) => code["+"] !== undefined).storage);
    },
    answers: { hindcast: [wordText(2)] },
  },
  {
    point: "the fee of a simulated call with a price, of who can and who cannot pay it",
    look: async (facts) => {
      const priced = { gasPrice: quantity(2_000_000_000), gas: quantity(21_000), value: "0x0" };
      const spent = async (from: Hex) => {
        const diff = await outcome(differences(facts, CAROL, { ...priced, from }));
        if (Array.isArray(diff)) return diff[0];
        const { balance } = (diff as Answer)[from];
        const earned = (diff as Answer)[at(0)]?.balance;
        return [
          balance === "=" ? 0 : Number(BigInt(balance["*"].from) - BigInt(balance["*"].to)),
          earned === undefined ? "nothing earned" : "earned",
        ];
      };
      return [await spent(BOB), await spent(at(0xa5))];
    },
    answers: {
      hindcast: [[42_000_000_000_000, "earned"], -32015],
      reth: [[0, "nothing earned"], -32015],
      erigon: [
        [42_000_000_000_000, "earned"],
        [0, "earned"],
      ],
    },
  },
  {
    point: "the nonce of a raw transaction",
    look: (facts) =>
      outcome(ask(facts, "trace_rawTransaction", facts.used, ["trace"]).then(({ trace }) => trace[0].action.to)),
    answers: { hindcast: at(0xa9), reth: [-32015, expect.stringMatching(/^nonce too low/)] },
  },
  {
    point: "used in a vmTrace",
    look: async (facts) => (await operations(facts, at(0xa7))).slice(0, 3).map(({ ex }) => ex.used),
    answers: { hindcast: [978_997, 978_994, 978_988], reth: [979_000, 978_997, 978_994] },
  },
  {
    point: "mem in a vmTrace",
    look: async (facts) => {
      const list = await operations(facts, at(0xa7));
      return [list[2].ex.mem, list[4].ex.mem, list[5].ex.mem];
    },
    answers: {
      hindcast: [{ data: wordText(0xabcd), off: 0 }, { data: wordText(0), off: 64 }, null],
      reth: [
        { data: "0x", off: 0 },
        { data: wordText(0xabcd), off: 32 },
        { data: `${wordText(0xabcd)}${"00".repeat(64)}`, off: 96 },
      ],
    },
  },
  {
    point: "store in a vmTrace",
    look: async (facts) => (await operations(facts, at(0xa7)))[7].ex.store,
    answers: { hindcast: { key: "0x0", val: "0x2a" }, reth: null },
  },
  {
    point: "operations that fail in a vmTrace",
    look: async (facts) => {
      const list = async (to: Hex) => (await operations(facts, to)).map(({ pc, ex }) => [pc, ex?.push ?? null]);
      return [await list(at(0xa2)), (await list(at(0xab))).at(-1), (await list(at(0xac))).slice(2)];
    },
    answers: {
      hindcast: [[], [6, null], []],
      reth: [[[0, []]], [6, []], [[3, []]]],
      erigon: [[[0, []]], [6, []], [[3, []]]],
    },
  },
  {
    point: "op and idx in a vmTrace",
    look: async (facts) => {
      const { op, idx } = (await operations(facts, at(0xa7)))[1];
      return [op, idx];
    },
    answers: { hindcast: ["PUSH1", undefined], openethereum: [undefined, undefined], erigon: ["PUSH1", "1"] },
  },
  {
    point: "sub of a precompile in a vmTrace",
    look: async (facts) => (await operations(facts, at(0xa4))).map(({ sub }) => sub).at(-1),
    answers: { hindcast: { code: "0x", ops: [] }, reth: null },
  },
  {
    point: "pushes, sub and STOP of calls in a vmTrace",
    look: async (facts) => {
      const shown = async (to: Hex) => {
        const list = await operations(facts, to);
        const { ex, sub } = list.find(({ pc }) => pc === CALL_AT);
        return [ex.push, sub === null ? null : sub.code, list.length];
      };
      return [await shown(at(0xa3)), await shown(at(0xae))];
    },
    answers: {
      hindcast: [
        [["0x0"], null, 8],
        [["0x1"], "0x", 8],
      ],
      // and the STOP behind the end of code
      reth: [
        [[], "0x", 9],
        [[], "0x", 9],
      ],
    },
  },
  {
    point: "the code of a creation in a vmTrace",
    look: async (facts) => (await call(facts, undefined, "vmTrace", { data: "0x6001" })).vmTrace.code,
    answers: { hindcast: "0x6001", reth: "0x" },
  },
  {
    point: "the cost of what cannot be paid in a vmTrace",
    look: async (facts) => (await call(facts, at(0xa7), "vmTrace", { gas: quantity(40_000) })).vmTrace.ops.at(-1).cost,
    answers: { hindcast: 22_100, reth: 40_000 - 21_000 - 30 },
  },
  {
    point: "an unknown trace type",
    look: (facts) => outcome(call(facts, BOB, "strace").then(({ output }) => output)),
    answers: {
      hindcast: [-32602, expect.stringMatching(/^unknown trace type: strace/)],
      openethereum: "0x",
      erigon: [-32000, expect.stringMatching(/^unrecognized trace type: strace/)],
    },
  },
  {
    point: "what stands behind the block",
    look: async (facts) => {
      const extra = (...extras: unknown[]) =>
        outcome(
          ask(facts, "trace_call", { from: ALICE, to: at(0xa4) }, ["trace"], "latest", ...extras).then(
            ({ trace }) => trace.length,
          ),
        );
      const halted = { [at(0xa4)]: { code: "0x00" } };
      return [await extra(halted), await extra({ includePrecompiles: true })];
    },
    answers: {
      hindcast: [1, [-32602, expect.any(String)]],
      openethereum: [
        [-32602, expect.any(String)],
        [-32602, expect.any(String)],
      ],
      erigon: [1, 2],
    },
  },
  {
    point: "withdrawals as rewards, and rewards after the Merge: none anywhere",
    look: async (facts) => (await ask(facts, "trace_block", "0x0")).length,
    answers: { hindcast: 0 },
  },
];

describe.each(TRACE_CLIENTS)("%s's manner", (client) => {
  it.each(ROWS)("$point", async ({ look, answers }) => {
    const facts = chains.get(client);
    if (facts === undefined) throw new Error("no chain");
    expect(await look(facts)).toEqual(client in answers ? answers[client] : answers.hindcast);
  });
});
