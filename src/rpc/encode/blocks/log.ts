/** Logs as JSON, and the answer of eth_getFilterChanges. */
import { encodeData, type Hex } from "../../../primitives/bytes/hex.ts";
import type { FilterChanges } from "../../../services/query/filters.ts";
import type { FoundLog } from "../../../services/query/log-queries.ts";
import { anyOf, arrayOf, BOOLEAN, named, object, orNull } from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, HASH, QUANTITY, WORD } from "../../openrpc/primitives.ts";
import type { Log, Transaction } from "../../wire-types.generated.ts";
import type { ResponseShape } from "../shape.ts";
import { type JsonSink, MemberNames } from "../stream/json-sink.ts";
import { listPieces } from "../stream/text-sink.ts";
import { listValue, objectValue } from "../stream/value-sink.ts";
import { encodeTransaction, transactionSchema } from "../transactions/transaction.ts";

export const logSchema = named("Log", () =>
  object({
    address: ADDRESS,
    topics: arrayOf(WORD),
    data: DATA,
    blockNumber: orNull(QUANTITY),
    transactionHash: orNull(HASH),
    transactionIndex: orNull(QUANTITY),
    blockHash: orNull(HASH),
    blockTimestamp: orNull(QUANTITY),
    logIndex: orNull(QUANTITY),
    removed: BOOLEAN,
  }),
);

export const filterChangesSchema = named("FilterChanges", () =>
  anyOf(arrayOf(HASH), arrayOf(logSchema), arrayOf(transactionSchema)),
);

const NAMES = new MemberNames(
  "address",
  "topics",
  "data",
  "blockNumber",
  "transactionHash",
  "transactionIndex",
  "blockHash",
  "blockTimestamp",
  "logIndex",
  "removed",
);
const NAME = NAMES.index;
/** Members that are null in the pending block. */
const PLACE = [
  NAME.blockNumber,
  NAME.transactionHash,
  NAME.transactionIndex,
  NAME.blockHash,
  NAME.blockTimestamp,
  NAME.logIndex,
];

/** A log. In the pending block it has no positions. A log of the forked chain is shown as the upstream node sent it. */
export function encodeLog(found: FoundLog): Log {
  return objectValue(NAMES, found, visitLog);
}

/** A list of logs. */
export function encodeLogs(logs: Iterable<FoundLog>): Log[] {
  return listValue(NAMES, logs, visitLog);
}

/** The same as JSON text. */
export function logsText(logs: Iterable<FoundLog>): Generator<string> {
  return listPieces(NAMES, logs, visitLog);
}

function visitLog(sink: JsonSink, found: FoundLog): void {
  if (found.given !== undefined) {
    sink.members(found.given);
    return;
  }
  const { log, block, txIndex, isPending } = found;
  sink.repeatedData(NAME.address, log.address);
  sink.dataList(NAME.topics, log.topics);
  sink.data(NAME.data, log.data);
  if (isPending) for (const name of PLACE) sink.literal(name, null);
  else {
    sink.ofTransaction(block, txIndex, found, visitTransaction);
    sink.quantity(NAME.logIndex, found.logIndex);
  }
  sink.literal(NAME.removed, found.removed);
}

function visitTransaction(sink: JsonSink, { block, txHash, txIndex }: FoundLog): void {
  sink.quantity(NAME.blockNumber, block.header.number);
  sink.repeatedData(NAME.transactionHash, txHash);
  sink.quantity(NAME.transactionIndex, txIndex);
  sink.repeatedData(NAME.blockHash, block.hash);
  sink.quantity(NAME.blockTimestamp, block.header.timestamp);
}

/** The changes of a filter, by its kind: logs, hashes of blocks or transactions, or whole transactions. */
export function encodeFilterChanges(changes: FilterChanges, shape: ResponseShape): Hex[] | Log[] | Transaction[] {
  if (changes.kind === "logs") return encodeLogs(changes.logs);
  if (changes.kind === "hashes") return changes.hashes.map(encodeData);
  return changes.transactions.map((tx) => encodeTransaction({ tx, view: undefined, index: 0 }, shape));
}
