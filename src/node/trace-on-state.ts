/** A trace without a node: of a transaction on a state and in a block that the caller describes. */
import { type TraceOnStateRequest, traceOnState } from "../services/simulate/debug/trace-on-state.ts";
import type { GethTrace } from "../services/simulate/debug/tracers.ts";
import { openEngine } from "./engines.ts";
import { openScripts } from "./scripts.ts";

/**
 * Runs the transaction with every check a block would make, and nothing else of a block: no system calls, no rewards.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS`, `INVALID_GENESIS`, `UNDECODABLE_TRANSACTION`
 * @throws {TransactionRejectedError} when the transaction could not stand in the block
 * @throws {LimitError} when time is up or the caller aborted
 */
export async function traceTransactionOnState(request: TraceOnStateRequest): Promise<GethTrace> {
  return traceOnState(request, { engine: openEngine, scripts: openScripts });
}
