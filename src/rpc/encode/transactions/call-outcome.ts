/** The result of one call of eth_callMany: return data, or the reason why it failed. */
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { encodeData, type Hex } from "../../../primitives/bytes/hex.ts";
import { failureOf } from "../../../services/simulate/call/call.ts";

/** An item of the answer of `eth_callMany`, in Erigon's form. */
export type CallOutcomeJson = { value: Hex } | { error: string };

/** In reth's shape. */
export function encodeCallOutcome(outcome: TransactionOutcome): CallOutcomeJson {
  if (outcome.error === undefined) return { value: encodeData(outcome.output) };
  return { error: failureOf(outcome.error, outcome).what };
}
