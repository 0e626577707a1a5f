/** The answer of eth_getFilterChanges as JSON. */
import { encodeData, type Hex } from "../../../primitives/bytes/hex.ts";
import type { FilterChanges } from "../../../services/query/filters.ts";
import type { ResponseShape } from "../shape.ts";
import { encodeTransaction, type TransactionJson } from "../transactions/transaction.ts";
import { encodeLog, type LogJson } from "./log.ts";

/** The changes of a filter, by its kind: logs, hashes of blocks or transactions, or whole transactions. */
export function encodeFilterChanges(
  changes: FilterChanges,
  shape: ResponseShape,
): Hex[] | LogJson[] | TransactionJson[] {
  if (changes.kind === "logs") return changes.logs.map(encodeLog);
  if (changes.kind === "hashes") return changes.hashes.map(encodeData);
  return changes.transactions.map((tx) => encodeTransaction({ tx, view: undefined, index: 0 }, shape));
}
