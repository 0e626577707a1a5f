/** What the ad-hoc trace methods give for one execution: output and the formats asked for. */
import type { TransactionOutcome } from "../../executor/run-transaction.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../primitives/bytes.ts";
import type { WorkingState } from "../../state/working-state.ts";
import { type FlatTrace, flatTraces } from "../../tracer/formats/flat.ts";
import { type StateDiff, stateDiff } from "../../tracer/formats/state-diff.ts";
import { type VmTrace, vmTrace } from "../../tracer/formats/vm-trace.ts";
import { Recorder } from "../../tracer/recorder.ts";

export type TraceType = "trace" | "vmTrace" | "stateDiff";
export const TRACE_TYPES: readonly TraceType[] = ["trace", "vmTrace", "stateDiff"];

/** Result object of trace_call and kin. What was not asked for is empty or undefined. */
export interface TraceResults {
  readonly output: Bytes;
  readonly trace: readonly FlatTrace[];
  readonly vmTrace: VmTrace | undefined;
  readonly stateDiff: StateDiff | undefined;
}

/** A recorder of what the types need and no more. */
export function recorderForTypes(types: ReadonlySet<TraceType>): Recorder | undefined {
  if (types.has("vmTrace")) return new Recorder({ steps: true, memory: true });
  return types.has("trace") ? new Recorder() : undefined;
}

/**
 * Builds the result of one execution.
 *
 * @param state - right after it, its transaction's changes still at hand
 */
export async function traceResults(
  types: ReadonlySet<TraceType>,
  outcome: TransactionOutcome,
  recorder: Recorder | undefined,
  state: WorkingState,
): Promise<TraceResults> {
  return {
    output: outcome.output,
    trace: types.has("trace") && recorder !== undefined ? flatTraces(recorder) : [],
    vmTrace: types.has("vmTrace") && recorder !== undefined ? vmTrace(recorder) : undefined,
    stateDiff: types.has("stateDiff") ? await stateDiffOf(state) : undefined,
  };
}

/** What the last transaction changed, with the codes that its accounts had and have. */
async function stateDiffOf(state: WorkingState): Promise<StateDiff> {
  const changes = state.transactionChanges();
  const codes = new Map<string, Bytes>();
  for (const { before, after } of changes) {
    for (const account of [before, after]) {
      if (account !== undefined) codes.set(bytesKey(account.codeHash), await state.getCode(account.codeHash));
    }
  }
  return stateDiff({ changes, codeOf: (codeHash) => codes.get(bytesKey(codeHash)) ?? EMPTY_BYTES });
}
