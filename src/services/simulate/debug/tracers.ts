/**
 * geth's tracers by name: what each needs recorded, and the trace that it makes from a recording.
 *
 * Several tracers of one run share a recording.
 */
import type { GasDimensions } from "../../../chainspec/transaction/receipt.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { type Bytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { maxBigInt } from "../../../primitives/bytes/limits.ts";
import { type CallTracerOptions, callTrace, type GethCallFrame } from "../../../tracer/formats/call-tracer.ts";
import { type FlatCall, type FlatCallOptions, flatCallTrace } from "../../../tracer/formats/flat-call.ts";
import { type FourByteCount, fourByteTrace } from "../../../tracer/formats/four-byte.ts";
import type { PrestateAccount, PrestateDiff, PrestateOptions } from "../../../tracer/formats/prestate.ts";
import { type StructLogOptions, StructLogs } from "../../../tracer/formats/struct-log.ts";
import type { RecorderRequest } from "../../../tracer/recorder.ts";
import { tracePrestate } from "./prestate.ts";
import type { TracedRun, TracePlace } from "./run.ts";

/** A native tracer of geth with its options; `structLogger` is the default. */
export type NativeTracer =
  | { readonly name: "structLogger"; readonly options?: StructLogOptions }
  | { readonly name: "callTracer"; readonly options?: CallTracerOptions }
  | { readonly name: "flatCallTracer"; readonly options?: FlatCallOptions }
  | { readonly name: "prestateTracer"; readonly options?: PrestateOptions }
  | { readonly name: "4byteTracer" }
  | { readonly name: "noopTracer" }
  | { readonly name: "stateGasTracer" }
  | { readonly name: "muxTracer"; readonly tracers: readonly NativeTracer[] };

/** A native tracer, or a JavaScript one (`script`), whose `config` is passed to its `setup` as JSON. */
export type GethTracer =
  | NativeTracer
  | { readonly name: "script"; readonly code: string; readonly config?: string | undefined };

/** Result of a native tracer, as plain values. */
export type NativeTrace =
  | {
      readonly name: "structLogger";
      /** Gas used, as in the receipt. */
      readonly gasUsed: bigint;
      readonly failed: boolean;
      /** With EIP-8037. */
      readonly dimensions?: GasDimensions | undefined;
      /** Return data or revert data. */
      readonly returnValue: Bytes;
      /** Made during iteration, which can be repeated. */
      readonly logs: StructLogs;
    }
  | { readonly name: "callTracer"; readonly call: GethCallFrame | undefined }
  | { readonly name: "flatCallTracer"; readonly calls: readonly FlatCall[]; readonly place: TracePlace | undefined }
  | { readonly name: "prestateTracer"; readonly accounts: readonly PrestateAccount[] | PrestateDiff }
  | { readonly name: "4byteTracer"; readonly counts: readonly FourByteCount[] }
  | { readonly name: "noopTracer" }
  | { readonly name: "stateGasTracer"; readonly gasUsed: bigint; readonly dimensions: GasDimensions }
  | { readonly name: "muxTracer"; readonly traces: readonly NativeTrace[] };

/** Result of a tracer; for a script, the JSON value that it returned. */
export type GethTrace = NativeTrace | { readonly name: "script"; readonly value: unknown };

/** The data that must be recorded for a tracer; undefined if none. */
export function recordingRequestOf(tracer: NativeTracer): RecorderRequest | undefined {
  switch (tracer.name) {
    case "structLogger": {
      const { enableMemory: memory = false, enableReturnData = false } = tracer.options ?? {};
      // Calls put their output into the memory and the return data of the caller.
      return { data: memory || enableReturnData, steps: true, memory };
    }
    case "callTracer":
      return {
        frames: tracer.options?.onlyTopCall === true ? "outermost" : "all",
        logs: tracer.options?.withLog ?? false,
      };
    case "prestateTracer":
      return { data: false, accesses: true };
    case "noopTracer":
    case "stateGasTracer":
      return undefined;
    case "muxTracer":
      return tracer.tracers.map(recordingRequestOf).reduce(union, undefined);
    default:
      return {};
  }
}

function union(left: RecorderRequest | undefined, right: RecorderRequest | undefined): RecorderRequest | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return {
    frames: left.frames === right.frames ? (left.frames ?? "all") : "all",
    data: left.data !== false || right.data !== false,
    logs: left.logs === true || right.logs === true,
    accesses: left.accesses === true || right.accesses === true,
    steps: left.steps === true || right.steps === true,
    memory: left.memory === true || right.memory === true,
  };
}

/** The trace of a run that was recorded for this tracer. */
export async function nativeTrace(tracer: NativeTracer, run: TracedRun): Promise<NativeTrace> {
  const { recording, outcome, tx } = run;
  const firstLogIndex = run.firstLogIndex ?? 0;
  const totals = { gasLimit: tx.gasLimit, gasUsed: outcome.gasUsed, firstLogIndex, dimensions: outcome.dimensions };
  switch (tracer.name) {
    case "structLogger":
      return structLogTrace(run, tracer.options ?? {});
    case "callTracer":
      return { name: "callTracer", call: callTrace(recording, totals, tracer.options) };
    case "flatCallTracer":
      return {
        name: "flatCallTracer",
        calls: flatCallTrace(recording, totals, tracer.options),
        place: run.place,
      };
    case "prestateTracer":
      return { name: "prestateTracer", accounts: await tracePrestate(run, tracer.options ?? {}) };
    case "4byteTracer":
      return { name: "4byteTracer", counts: fourByteTrace(recording) };
    case "noopTracer":
      return { name: "noopTracer" };
    case "stateGasTracer":
      return { name: "stateGasTracer", gasUsed: outcome.gasUsed, dimensions: dimensionsOf(outcome) };
    default: {
      const traces: NativeTrace[] = [];
      for (const part of tracer.tracers) traces.push(await nativeTrace(part, run));
      return { name: "muxTracer", traces };
    }
  }
}

/** Other tracers must not show them without EIP-8037 (execution-apis#852). There all gas is for execution. */
function dimensionsOf({ dimensions, ...outcome }: TransactionOutcome): GasDimensions {
  const { gasUsed, gasRefund, intrinsicGas, executionGasUsed, stateGasUsed } = outcome;
  const gross = maxBigInt(intrinsicGas + executionGasUsed, gasUsed);
  return dimensions ?? { executionGasUsed: gross, stateGasUsed, gasRefund };
}

function structLogTrace(run: TracedRun, options: StructLogOptions): NativeTrace {
  const { recording, outcome } = run;
  const hasOutput = outcome.error === undefined || outcome.error === "reverted";
  return {
    name: "structLogger",
    gasUsed: outcome.gasUsed,
    failed: outcome.error !== undefined,
    dimensions: outcome.dimensions,
    returnValue: hasOutput ? outcome.output : EMPTY_BYTES,
    logs: new StructLogs(recording, options),
  };
}
