/** The differences of a what-if replay, in JSON. Every list of two has the recorded history first. */
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { Log } from "../../../primitives/rlp/log-list.ts";
import type { Pair } from "../../../services/simulate/compare/differences.ts";
import type { ReplayedRun } from "../../../services/simulate/what-if/changed-block.ts";
import type { ComparedTransaction, PrintedLine } from "../../../services/simulate/what-if/comparison.ts";
import type { ReplayTotals } from "../../../services/simulate/what-if/totals.ts";
import type { HistoryComparison, ReplayedBlock } from "../../../services/simulate/what-if/what-if.ts";
import { arrayOf, INTEGER, type JsonSchema, named, object, orNull, TEXT } from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, HASH, QUANTITY } from "../../openrpc/primitives.ts";

import type {
  ComparedTransaction as ComparedTransactionJson,
  HistoryComparison as HistoryComparisonJson,
  ReplayedRun as ReplayedRunJson,
  ReplayTotals as ReplayTotalsJson,
} from "../../wire-types.generated.ts";

const pairOf = (items: JsonSchema): JsonSchema => ({ ...arrayOf(items), minItems: 2, maxItems: 2 });

const LOG = object({ address: ADDRESS, topics: arrayOf(HASH), data: DATA });
const LINE = object({ address: ADDRESS, text: TEXT });
/** wei with a sign, in decimal. */
const WEI: JsonSchema = { type: "string", pattern: "^-?[0-9]+$" };

const replayedRunSchema = named("ReplayedRun", () =>
  object({
    status: { type: "string", enum: ["succeeded", "reverted", "failed", "refused"] },
    reason: orNull(TEXT),
    output: DATA,
    gasUsed: QUANTITY,
    contractAddress: orNull(ADDRESS),
  }),
);

const comparedTransactionSchema = named("ComparedTransaction", () =>
  object({
    blockNumber: QUANTITY,
    transactionHash: orNull(HASH),
    transactionIndex: orNull(QUANTITY),
    change: { type: "string", enum: ["none", "dropped", "replaced", "inserted"] },
    runs: pairOf(orNull(replayedRunSchema)),
    logs: pairOf(arrayOf(LOG)),
    console: pairOf(arrayOf(LINE)),
    balances: arrayOf(object({ address: ADDRESS, changes: pairOf(WEI) })),
    storage: arrayOf(
      object({
        address: ADDRESS,
        slot: HASH,
        values: pairOf(QUANTITY),
        variables: arrayOf(object({ name: TEXT, values: pairOf(TEXT) })),
      }),
    ),
  }),
);

const replayTotalsSchema = named("ReplayTotals", () =>
  object({
    blocks: INTEGER,
    transactions: INTEGER,
    different: INTEGER,
    otherStatus: INTEGER,
    refused: INTEGER,
    gasUsed: pairOf(QUANTITY),
    logs: pairOf(INTEGER),
    differentLogs: pairOf(INTEGER),
    consoleLines: pairOf(INTEGER),
  }),
);

export const historyComparisonSchema = named("HistoryComparison", () =>
  object({
    transactions: arrayOf(comparedTransactionSchema),
    omitted: INTEGER,
    totals: replayTotalsSchema,
    balances: arrayOf(object({ address: ADDRESS, wei: WEI })),
  }),
);

/** The answer of hindcast_replay. */
export function encodeHistoryComparison(comparison: HistoryComparison): HistoryComparisonJson {
  const { transactions, omitted, totals, balances } = comparison;
  return {
    transactions: transactions.map(encodeCompared),
    omitted,
    totals: encodeTotals(totals),
    balances: balances.map(({ address, wei }) => ({ address: encodeData(address), wei: String(wei) })),
  };
}

/** A block of `node.eachReplayedBlock()`, for `JSON.stringify`. */
export function encodeReplayedBlock({ number, hash, transactions, totals }: ReplayedBlock): unknown {
  return {
    number: encodeQuantity(number),
    hash: encodeData(hash),
    transactions: transactions.map(encodeCompared),
    totals: encodeTotals(totals),
  };
}

function encodeCompared(compared: ComparedTransaction): ComparedTransactionJson {
  const { blockNumber, txHash, txIndex, change, runs, logs, console, balances, storage } = compared;
  return {
    blockNumber: encodeQuantity(blockNumber),
    transactionHash: txHash === undefined ? null : encodeData(txHash),
    transactionIndex: txIndex === undefined ? null : encodeQuantity(txIndex),
    change,
    runs: runs.map((run) => (run === undefined ? null : encodeRun(run))),
    logs: logs.map((list) => list.map(encodeComparedLog)),
    console: console.map((lines) => lines.map(encodeLine)),
    balances: balances.map(({ address, changes }) => ({ address: encodeData(address), changes: changes.map(String) })),
    storage: storage.map(({ address, slot, values, variables }) => ({
      address: encodeData(address),
      slot: encodeData(slot),
      values: quantities(values),
      variables: variables.map(({ name, values: texts }) => ({ name, values: [...texts] })),
    })),
  };
}

function encodeRun({ status, reason, output, gasUsed, contractAddress }: ReplayedRun): ReplayedRunJson {
  return {
    status,
    reason: reason ?? null,
    output: encodeData(output),
    gasUsed: encodeQuantity(gasUsed),
    contractAddress: contractAddress === undefined ? null : encodeData(contractAddress),
  };
}

function encodeComparedLog({ address, topics, data }: Log): ComparedTransactionJson["logs"][number][number] {
  return { address: encodeData(address), topics: topics.map(encodeData), data: encodeData(data) };
}

function encodeLine({ address, text }: PrintedLine): ComparedTransactionJson["console"][number][number] {
  return { address: encodeData(address), text };
}

function encodeTotals({ gasUsed, logs, differentLogs, consoleLines, ...counts }: ReplayTotals): ReplayTotalsJson {
  return {
    ...counts,
    gasUsed: quantities(gasUsed),
    logs: [...logs],
    differentLogs: [...differentLogs],
    consoleLines: [...consoleLines],
  };
}

function quantities(values: Pair<bigint>): Hex[] {
  return values.map((value) => encodeQuantity(value));
}
