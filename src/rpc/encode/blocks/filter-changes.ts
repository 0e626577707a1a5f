/** The answer of eth_getFilterChanges as JSON. */
import { encodeData, type Hex } from "../../../primitives/bytes/hex.ts";
import type { FilterChanges } from "../../../services/query/filters.ts";
import type { Log, Transaction } from "../../wire-types.ts";
import type { ResponseShape } from "../shape.ts";
import { encodeTransaction } from "../transactions/transaction.ts";
import { encodeLog } from "./log.ts";

/** The changes of a filter, by its kind: logs, hashes of blocks or transactions, or whole transactions. */
export function encodeFilterChanges(changes: FilterChanges, shape: ResponseShape): Hex[] | Log[] | Transaction[] {
  if (changes.kind === "logs") return changes.logs.map(encodeLog);
  if (changes.kind === "hashes") return changes.hashes.map(encodeData);
  return changes.transactions.map((tx) => encodeTransaction({ tx, view: undefined, index: 0 }, shape));
}
