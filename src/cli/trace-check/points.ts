/**
 * The points on which clients differ (`docs/trace-formats.md`, section 8): what each client does, in words, and how a node shows which
 * of them it does. A node needs no state for most of them: calls run init codes that make what they call.
 *
 * It has over 300 lines because it is one table, a row for each point.
 */
import { encodeData, type Hex } from "../../primitives/bytes/hex.ts";
import { type Answer, AnswerError, type CheckedNode } from "./node-answers.ts";
import { callingNew, program } from "./programs.ts";

/** The clients of the table. Anvil's column is what Anvil 1.7.1 showed to this check; a dash stands for what it does not have. */
export const COLUMNS = ["hindcast", "openethereum", "reth", "erigon", "anvil"] as const;
/** A column of the table. */
export type Column = (typeof COLUMNS)[number];

/** A point on which clients differ. */
export interface Point {
  readonly about: string;
  /** In words, by client. Left out: as Hindcast. */
  readonly of: Readonly<Partial<Record<Column, string>>> & { readonly hindcast: string };
  /** The words for what the node does; undefined where it cannot show that, for lack of ether, blocks or a transaction. */
  readonly look?: (node: CheckedNode) => Promise<string | undefined>;
}

/** The behaviour of a client on a point. */
export function wordsOf({ of }: Point, column: Column): string {
  return of[column] ?? of.hindcast;
}

/** An address without account on any chain. */
const NOBODY = "0x00000000000000000000000000007261636863ff";
const SENDER = "0x0000000000000000000000000000000000000000";
const GAS = "0xf4240";
/** Beyond every chain for some time. */
const FAR = 100_000;

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

/** The entry of the call that an init code of {@link callingNew} does, and those below it. */
async function entriesOf(node: CheckedNode, code: Uint8Array): Promise<{ called: Answer; below: readonly Answer[] }> {
  const { trace } = await node.create(callingNew(code), ["trace"]);
  const at = (entry: Answer, path: readonly number[]) =>
    path.every((place, index) => entry.traceAddress[index] === place);
  const called = trace.find((entry: Answer) => entry.traceAddress.length === 1 && at(entry, [1]));
  return { called, below: trace.filter((entry: Answer) => entry.traceAddress.length > 1 && at(entry, [1])) };
}

/** Operations of an init code. */
async function operationsOf(node: CheckedNode, code: Uint8Array, gas: Hex = GAS): Promise<readonly Answer[]> {
  return (await node.create(encodeData(code), ["vmTrace"], gas)).vmTrace.ops;
}

const kindOf = (holder: Answer, member: string): string =>
  !(member in holder) ? "absent" : holder[member] === null ? "null" : "present";

/** The words for the value of a promise, or the number of its error. */
function outcome(promise: Promise<Answer>, words: (value: Answer) => string): Promise<string> {
  return promise.then(words, (error: unknown) => {
    if (error instanceof AnswerError && !error.isMissing) return String(error.code);
    throw error;
  });
}

const RETURNS_NUMBER = encodeData(program("NUMBER", 0, "MSTORE", 32, 0, "RETURN"));
const STORES_AND_LOADS = program(0xabcd, 0, "MSTORE", 64, "MLOAD", "POP", 0x2a, 0, "SSTORE");

const CALLS_PRECOMPILE = program(0, 0, 0, 0, 0, 4, "GAS", "CALL");

/** The points in the order of the page. */
export const POINTS: readonly Point[] = [
  {
    about: "`result` after a revert",
    of: { hindcast: "present", openethereum: "absent" },
    look: async (node) => kindOf((await entriesOf(node, program(0, 0, "REVERT"))).called, "result"),
  },
  {
    about: "`result` after another failure",
    of: { hindcast: "null", openethereum: "absent" },
    look: async (node) => kindOf((await entriesOf(node, program("ADD"))).called, "result"),
  },
  {
    about: "`error` of a stack underflow",
    of: {
      hindcast: "Stack underflow",
      reth: "StackUnderflow",
      erigon: "stack underflow (0 <=> 2)",
      anvil: "StackUnderflow",
    },
    look: async (node) => (await entriesOf(node, program("ADD"))).called.error,
  },
  {
    about: "`creationMethod`",
    of: { hindcast: "yes", openethereum: "no" },
    look: async (node) => {
      const { trace } = await node.create(encodeData(program("STOP")), ["trace"]);
      return trace[0].action.creationMethod === undefined ? "no" : "yes";
    },
  },
  {
    about: "Calls that never start",
    of: { hindcast: "left out", reth: "listed", anvil: "listed" },
    look: async (node) => {
      const { below } = await entriesOf(node, program(0, 0, 0, 0, 1, BigInt(NOBODY), "GAS", "CALL"));
      return below.length === 0 ? "left out" : "listed";
    },
  },
  {
    about: "CALL of a precompile without value",
    of: { hindcast: "left out" },
    look: async (node) => {
      const { below } = await entriesOf(node, CALLS_PRECOMPILE);
      return below.length === 0 ? "left out" : "listed";
    },
  },
  {
    about: "DELEGATECALL, CALLCODE of a precompile without value",
    of: { hindcast: "listed", reth: "left out", erigon: "left out", anvil: "left out" },
    look: async (node) => {
      const { below } = await entriesOf(node, program(0, 0, 0, 0, 2, "GAS", "DELEGATECALL"));
      return below.length === 0 ? "left out" : "listed";
    },
  },
  {
    about: "Transaction members of a reward",
    of: { hindcast: "null", erigon: "absent", anvil: "–" },
    look: async ({ ask, head }) => {
      const reward = (await ask("trace_block", hex(head)))?.find(({ type }: Answer) => type === "reward");
      return reward === undefined ? undefined : kindOf(reward, "transactionHash");
    },
  },
  {
    about: "Filter by senders and receivers",
    of: { hindcast: "either; `mode` can say both", openethereum: "both, no `mode`" },
    look: async ({ ask, transaction }) => {
      if (transaction === undefined) return undefined;
      const { from, blockNumber } = transaction;
      const both = { fromBlock: blockNumber, toBlock: blockNumber, fromAddress: [from], toAddress: [NOBODY] };
      const found = await ask("trace_filter", both);
      return found.length === 0 ? "both, no `mode`" : "either; `mode` can say both";
    },
  },
  {
    about: "`fromBlock` of a filter",
    of: { hindcast: "earliest", openethereum: "latest" },
    look: async ({ ask, head, transaction }) => {
      // On a long chain the answer would be a search through all of it.
      if (transaction === undefined || head > 10_000) return undefined;
      const empty = await ask("trace_filter", { toBlock: hex(head), fromBlock: hex(head) });
      const found = await ask("trace_filter", { toBlock: hex(head) });
      if (Number(transaction.blockNumber) === head) return undefined;
      return found.length > empty.length ? "earliest" : "latest";
    },
  },
  {
    about: "A filter that runs backwards",
    of: { hindcast: "-32602", openethereum: "empty" },
    look: ({ ask, head }) => {
      if (head === 0) return Promise.resolve(undefined);
      const filter = { fromBlock: hex(head), toBlock: hex(head - 1) };
      return outcome(ask("trace_filter", filter), (found) => (found?.length === 0 ? "empty" : "not empty"));
    },
  },
  {
    about: "A filter beyond the head",
    of: { hindcast: "ends at the head", openethereum: "null", reth: "-32001" },
    look: ({ ask, head }) => {
      const filter = { fromBlock: hex(head + FAR), toBlock: hex(head + FAR + 1) };
      return outcome(ask("trace_filter", filter), (found) => (found === null ? "null" : "ends at the head"));
    },
  },
  {
    about: "`trace_get`",
    of: { hindcast: "follows the trace address", reth: "counts in the list", anvil: "–" },
    look: async ({ ask, transaction }) => {
      const child = transaction?.traces.find(({ traceAddress }) => traceAddress.length === 1);
      if (transaction === undefined || child === undefined) return undefined;
      const path = child.traceAddress.map(hex);
      return outcome(ask("trace_get", transaction.hash, path), (found) =>
        found?.traceAddress?.length === 1 ? "follows the trace address" : "counts in the list",
      );
    },
  },
  {
    about: "`trace_block` of an unknown block",
    of: { hindcast: "null", reth: "-32001", anvil: "an empty list" },
    look: ({ ask, head }) =>
      outcome(ask("trace_block", hex(head + FAR)), (found) => (found === null ? "null" : "an empty list")),
  },
  {
    about: "Default block of `trace_callMany`",
    of: { hindcast: "latest", reth: "pending", anvil: "–" },
    look: async ({ ask }) => {
      const calls = [[{ from: SENDER, data: RETURNS_NUMBER, gas: GAS }, ["trace"]]];
      const numberIn = async (...block: readonly string[]) => {
        const [{ output }] = await ask("trace_callMany", calls, ...block);
        return BigInt(output);
      };
      const before = await numberIn("latest");
      const named = await numberIn();
      // A block that came between would look like a pending one.
      if (before !== (await numberIn("latest"))) return undefined;
      return named === before ? "latest" : "pending";
    },
  },
  {
    about: "`trace_replayTransaction` names the transaction",
    of: { hindcast: "yes", openethereum: "no", reth: "no", anvil: "–" },
    look: async ({ ask, transaction }) => {
      if (transaction === undefined) return undefined;
      return "transactionHash" in (await ask("trace_replayTransaction", transaction.hash, ["trace"])) ? "yes" : "no";
    },
  },
  {
    about: "`trace_rawTransaction` checks the nonce",
    of: { hindcast: "no", reth: "yes", anvil: "–" },
    look: async ({ ask, transaction }) => {
      if (transaction === undefined) return undefined;
      const raw = await ask("eth_getRawTransactionByHash", transaction.hash);
      if (typeof raw !== "string") return undefined;
      return ask("trace_rawTransaction", raw, ["trace"]).then(
        () => "no",
        (error: unknown) => {
          if (!(error instanceof AnswerError)) throw error;
          return /nonce/i.test(error.message) ? "yes" : undefined;
        },
      );
    },
  },
  {
    about: "Fees of simulated calls",
    of: {
      hindcast: "charged",
      reth: "must be there, not charged",
      erigon: "runs even if the sender cannot pay",
      anvil: "–",
    },
    look: async ({ ask, payer }) => {
      if (payer === undefined) return undefined;
      const price = BigInt(await ask("eth_gasPrice")) * 2n + 1n;
      const priced = { to: NOBODY, value: "0x0", gas: "0x5208", gasPrice: hex(price) };
      const diffOf = (from: string) => ask("trace_call", { ...priced, from }, ["stateDiff"], "latest");
      if (await outcome(diffOf(NOBODY), () => "runs").then((words) => words === "runs")) {
        return "runs even if the sender cannot pay";
      }
      const { balance } = (await diffOf(payer)).stateDiff[payer.toLowerCase()] ?? { balance: "=" };
      return balance === "=" ? "must be there, not charged" : "charged";
    },
  },
  {
    about: "Parameters after the block of a call",
    of: {
      hindcast: "state and block overrides",
      openethereum: "nothing",
      erigon: "`{ includePrecompiles }`",
      anvil: "–",
    },
    look: async ({ ask }) => {
      const behind = (call: object, ...extra: readonly object[]) =>
        ask("trace_call", { from: SENDER, gas: GAS, ...call }, ["trace"], "latest", ...extra);
      const code = { [NOBODY]: { code: RETURNS_NUMBER } };
      const words = await outcome(behind({ to: NOBODY }, code), ({ output }) => (output.length > 2 ? "overrides" : ""));
      if (words === "overrides") {
        return outcome(behind({ to: NOBODY }, code, { number: "0x7" }), ({ output }) =>
          BigInt(output) === 7n ? "state and block overrides" : "state overrides",
        );
      }
      const listed = behind({ data: callingNew(CALLS_PRECOMPILE) }, { includePrecompiles: true });
      const isListed = await outcome(listed, ({ trace }) => (trace.length > 3 ? "listed" : ""));
      return isListed === "listed" ? "`{ includePrecompiles }`" : "nothing";
    },
  },
  {
    about: "Unknown trace types",
    of: { hindcast: "an error", openethereum: "ignored" },
    look: async (node) => {
      const asked = node.create(encodeData(program("STOP")), ["strace"]);
      return (await outcome(asked, () => "ignored")) === "ignored" ? "ignored" : "an error";
    },
  },
  {
    about: "stateDiff: an account funded for the first time",
    of: { hindcast: "`+`", reth: "`*`, from 0", anvil: "–" },
    look: async ({ ask, payer }) => {
      if (payer === undefined) return undefined;
      const sent = { from: payer, to: NOBODY, value: "0x3", gas: GAS };
      const { balance } = (await ask("trace_call", sent, ["stateDiff"], "latest")).stateDiff[NOBODY];
      return "+" in balance ? "`+`" : "`*`, from 0";
    },
  },
  {
    about: "stateDiff: a destroyed account",
    of: { hindcast: "`-`", reth: "its balance goes to 0, and `*` for slots written before its end", anvil: "–" },
  },
  {
    about: "vmTrace: `used`",
    of: { hindcast: "gas after", reth: "gas before", anvil: "gas before" },
    look: async (node) => {
      // The second costs less than the third.
      const [, second, third] = await operationsOf(node, STORES_AND_LOADS);
      return second.ex.used - third.ex.used === third.cost ? "gas after" : "gas before";
    },
  },
  {
    about: "vmTrace: `mem`",
    of: { hindcast: "the region", reth: "the whole memory before", anvil: "the whole memory before" },
    look: async (node) => {
      const { ex } = (await operationsOf(node, STORES_AND_LOADS)).find(({ pc }) => pc === 5) ?? {};
      return ex?.mem?.data?.length === 66 ? "the region" : "the whole memory before";
    },
  },
  {
    about: "vmTrace: operations that failed",
    of: {
      hindcast: "section 6",
      reth: "all listed, with `ex`",
      erigon: "listed; `ex` null for lack of gas",
      anvil: "all listed, with `ex`",
    },
    look: async (node) => {
      if ((await operationsOf(node, program("ADD"))).length === 0) return "section 6";
      const unpaid = (await operationsOf(node, STORES_AND_LOADS, "0xea60")).at(-1);
      return unpaid.ex === null ? "listed; `ex` null for lack of gas" : "all listed, with `ex`";
    },
  },
  {
    about: "vmTrace: `store`",
    of: { hindcast: "SSTORE", reth: "never", anvil: "never" },
    look: async (node) => {
      const stored = (await operationsOf(node, STORES_AND_LOADS)).find(({ ex }) => ex?.store);
      return stored === undefined ? "never" : "SSTORE";
    },
  },
  {
    about: "vmTrace: `sub` of a precompile",
    of: { hindcast: "empty", reth: "null", anvil: "null" },
    look: async (node) => {
      const list = await operationsOf(node, program(0, 0, 0, 0, 2, "GAS", "DELEGATECALL", "STOP"));
      return list.find(({ pc }) => pc === 11)?.sub === null ? "null" : "empty";
    },
  },
  {
    about: "vmTrace: code of a creation",
    of: { hindcast: "init code", reth: "empty", anvil: "empty" },
    look: async (node) => {
      const { vmTrace } = await node.create(encodeData(program("STOP")), ["vmTrace"]);
      return vmTrace.code === "0x00" ? "init code" : "empty";
    },
  },
  {
    about: "vmTrace: `op`, `idx`",
    of: { hindcast: "`op`", openethereum: "neither", erigon: "both" },
    look: async (node) => {
      const [first] = await operationsOf(node, STORES_AND_LOADS);
      return first.op === undefined ? "neither" : first.idx === undefined ? "`op`" : "both";
    },
  },
];
