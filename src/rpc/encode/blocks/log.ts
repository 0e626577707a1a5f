/** Logs as JSON, and the answer of eth_getFilterChanges. */
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { FilterChanges } from "../../../services/query/filters.ts";
import type { FoundLog } from "../../../services/query/log-queries.ts";
import { anyOf, arrayOf, BOOLEAN, named, object, orNull } from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, HASH, QUANTITY, WORD } from "../../openrpc/primitives.ts";
import type { Log, Transaction } from "../../wire-types.ts";
import type { ResponseShape } from "../shape.ts";
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

/** A log. In the pending block it has no positions. A log of the forked chain is shown as the upstream node sent it. */
export function encodeLog(found: FoundLog): Log {
  if (found.given !== undefined) return found.given as unknown as Log;
  const { log, block, isPending } = found;
  const unlessPending = (value: Hex): Hex | null => (isPending ? null : value);
  return {
    address: encodeData(log.address),
    topics: log.topics.map(encodeData),
    data: encodeData(log.data),
    blockNumber: unlessPending(encodeQuantity(block.header.number)),
    transactionHash: unlessPending(encodeData(found.txHash)),
    transactionIndex: unlessPending(encodeQuantity(found.txIndex)),
    blockHash: unlessPending(encodeData(block.hash)),
    blockTimestamp: unlessPending(encodeQuantity(block.header.timestamp)),
    logIndex: unlessPending(encodeQuantity(found.logIndex)),
    removed: found.removed,
  };
}

/** The changes of a filter, by its kind: logs, hashes of blocks or transactions, or whole transactions. */
export function encodeFilterChanges(changes: FilterChanges, shape: ResponseShape): Hex[] | Log[] | Transaction[] {
  if (changes.kind === "logs") return changes.logs.map(encodeLog);
  if (changes.kind === "hashes") return changes.hashes.map(encodeData);
  return changes.transactions.map((tx) => encodeTransaction({ tx, view: undefined, index: 0 }, shape));
}
