/** Results of the ad-hoc trace methods for one execution: output and the requested formats. */

import { isCreation } from "../../../evm/frames.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { listInTurns } from "../../../primitives/platform/turns.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import { type FlatTrace, flatTraces } from "../../../tracer/formats/flat.ts";
import type { TraceClient } from "../../../tracer/formats/flat-errors.ts";
import { type StateDiff, stateDiff } from "../../../tracer/formats/state-diff.ts";
import { type RecordedVmTrace, vmTrace } from "../../../tracer/formats/vm-trace.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import type { SecondRun, StreamBounds } from "../replay/second-run.ts";

/** The formats of the ad-hoc methods, by OpenEthereum's names. */
export type TraceType = "trace" | "vmTrace" | "stateDiff";
/** In the order in which errors list them. */
export const TRACE_TYPES: readonly TraceType[] = ["trace", "vmTrace", "stateDiff"];

/** Result object of trace_call and similar methods, read once, in order. Parts not asked for are empty or undefined. */
export interface StreamedTraceResults {
  readonly output: Bytes;
  readonly trace: Iterable<FlatTrace>;
  readonly vmTrace: RecordedVmTrace | undefined;
  readonly stateDiff: StateDiff | undefined;
  /** Present for a mined transaction if the client shows it. */
  readonly transactionHash?: Bytes | undefined;
}

/** The same with a list of traces. */
export interface TraceResults extends StreamedTraceResults {
  readonly trace: readonly FlatTrace[];
}

/** The results of a run; with bounds of a stream those that are read once. */
export type ResultsOf<Bounds extends StreamBounds | undefined> = Bounds extends StreamBounds
  ? StreamedTraceResults
  : TraceResults;

/** A recorder for exactly the data that the types need. */
export function recorderForTypes(
  types: ReadonlySet<TraceType>,
  client: TraceClient,
  secondRun: SecondRun | undefined,
): Recorder | undefined {
  const withSteps = { steps: true, memory: true };
  if (types.has("vmTrace")) return secondRun?.recorder(withSteps) ?? new Recorder(withSteps);
  // reth's stateDiff depends on the accounts that the transaction created.
  const needsFrames = types.has("trace") || (types.has("stateDiff") && client === "reth");
  return needsFrames ? new Recorder({ data: types.has("trace") }) : undefined;
}

/** A completed execution and the wanted results. */
export interface ResultsRequest {
  readonly types: ReadonlySet<TraceType>;
  readonly outcome: TransactionOutcome;
  readonly recorder: Recorder | undefined;
  /** The state right after it, which still has the transaction's changes. */
  readonly state: WorkingState;
  readonly client: TraceClient;
  readonly idxPrefix?: string | undefined;
  readonly includePrecompiles?: boolean | undefined;
  /** Given if the result is read once, in order. */
  readonly secondRun?: SecondRun | undefined;
}

/** Builds the result of one execution; with a second run, its traces are made when they are read. */
export async function traceResults(request: ResultsRequest): Promise<StreamedTraceResults> {
  const { types, outcome, recorder, client, idxPrefix, includePrecompiles } = request;
  const shows = { includePrecompiles: includePrecompiles ?? false };
  const recording = request.secondRun === undefined ? recorder : request.secondRun.recordingOf(recorder);
  const traces = types.has("trace") && recording !== undefined ? flatTraces(recording, client, shows) : [];
  return {
    output: outcome.output,
    trace: request.secondRun === undefined ? await listInTurns(traces) : traces,
    vmTrace:
      types.has("vmTrace") && recording !== undefined
        ? vmTrace(recording, { client, idxPrefix: idxPrefix ?? "" })
        : undefined,
    stateDiff: types.has("stateDiff") ? await stateDiffOf(request) : undefined,
  };
}

/** Changes of the transaction, with the code of its accounts before and after. */
async function stateDiffOf({ state, recorder, client }: ResultsRequest): Promise<StateDiff> {
  const changes = state.transactionChanges();
  const codes = new Map<string, Bytes>();
  for (const { before, after } of changes) {
    for (const account of [before, after]) {
      if (account !== undefined) codes.set(bytesKey(account.codeHash), await state.getCode(account.codeHash));
    }
  }
  const created = recorder?.frames.flatMap(({ kind, to }) => (isCreation(kind) && to !== undefined ? [to] : []));
  return stateDiff({
    changes,
    codeOf: (codeHash) => codes.get(bytesKey(codeHash)) ?? EMPTY_BYTES,
    client,
    ...(created === undefined ? {} : { created }),
  });
}
