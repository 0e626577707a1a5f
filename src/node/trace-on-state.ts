/** Traces a transaction without a node, on a state and in a block that the caller describes. */
import { type TraceOnStateRequest, traceOnState } from "../services/simulate/debug/trace-on-state.ts";
import type { GethTrace } from "../services/simulate/debug/tracers.ts";
import { openEngine, openScripts } from "./engines.ts";

/**
 * Runs the transaction with all checks of a block, but without the block's system calls and rewards.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS`, `INVALID_GENESIS`, `UNDECODABLE_TRANSACTION`
 * @throws {TransactionRejectedError} if the transaction is not valid in the block
 * @throws {LimitError} at the time limit, or if the caller aborts
 */
export async function traceTransactionOnState(request: TraceOnStateRequest): Promise<GethTrace> {
  return traceOnState(request, { engine: openEngine, scripts: openScripts });
}
