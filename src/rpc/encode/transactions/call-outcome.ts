/** The result of one call of eth_callMany: return data, or the reason why it failed. */
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { failureOf } from "../../../services/simulate/call/call.ts";
import type { CallOutcome } from "../../wire-types.ts";

/** The result of one call of `eth_callMany`, in reth's shape. */
export function encodeCallOutcome(outcome: TransactionOutcome): CallOutcome {
  if (outcome.error === undefined) return { value: encodeData(outcome.output) };
  return { error: failureOf(outcome.error, outcome).what };
}
