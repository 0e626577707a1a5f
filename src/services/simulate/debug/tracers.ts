/**
 * geth's tracers: the name of each, its options, the data that it needs recorded, and the trace that it makes from a recording.
 * Its JSON is made in `rpc/encode/traces/geth-trace.ts`.
 *
 * Several tracers of one run share a recording.
 */

import type { GasDimensions } from "../../../chainspec/transaction/receipt.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { type Bytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { maxBigInt } from "../../../primitives/bytes/limits.ts";
import { inTurns, listInTurns } from "../../../primitives/platform/turns.ts";
import {
  type CallTracerOptions,
  callTrace,
  eachCall,
  type GethCallFrame,
  type PlacedCall,
  type TransactionTotals,
} from "../../../tracer/formats/call-tracer.ts";
import { type FlatCall, type FlatCallOptions, flatCallTrace } from "../../../tracer/formats/flat-call.ts";
import { type FourByteCount, fourByteTrace } from "../../../tracer/formats/four-byte.ts";
import { type KeccakPreimage, keccakPreimages } from "../../../tracer/formats/keccak-preimages.ts";
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
  | { readonly name: "keccak256PreimageTracer" }
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
  | { readonly name: "keccak256PreimageTracer"; readonly preimages: readonly KeccakPreimage[] }
  | { readonly name: "noopTracer" }
  | { readonly name: "stateGasTracer"; readonly gasUsed: bigint; readonly dimensions: GasDimensions }
  | { readonly name: "muxTracer"; readonly traces: readonly NativeTrace[] };

/** Result of a tracer; for a script, the JSON value that it returned. */
export type GethTrace = NativeTrace | { readonly name: "script"; readonly value: unknown };

/** The same of a trace that is read once, in order: calls are made when they are read. */
export type StreamedTrace =
  | Exclude<GethTrace, { readonly name: "callTracer" | "flatCallTracer" | "muxTracer" }>
  | { readonly name: "callTracer"; readonly calls: Iterable<PlacedCall> }
  | { readonly name: "flatCallTracer"; readonly calls: Iterable<FlatCall>; readonly place: TracePlace | undefined }
  | { readonly name: "muxTracer"; readonly traces: readonly StreamedTrace[] };

/** A tracer that reads a recording. */
interface Tracer<Options, Trace, Streamed> {
  /** Names of its options that are true or false. */
  readonly flags: readonly (keyof Options & string)[];
  /** The data that must be recorded; undefined if none. */
  wants(options: Options): RecorderRequest | undefined;
  /** True if the trace is made of the state after the run, too. */
  readonly readsState?: boolean;
  /** The trace of a run that was recorded so. */
  make(run: TracedRun, options: Options): Trace | Promise<Trace>;
  /** The same to be read once, where that is not the same. */
  stream?(run: TracedRun, options: Options): Streamed;
}

/** Options of a tracer that has none. */
type None = Readonly<Record<never, never>>;

type TracerName = Exclude<NativeTracer["name"], "muxTracer">;
type OptionsOf<Request> = Request extends { readonly options?: infer Options } ? NonNullable<Options> : None;
type Tracers = {
  readonly [Name in TracerName]: Tracer<
    OptionsOf<Extract<NativeTracer, { readonly name: Name }>>,
    Omit<Extract<NativeTrace, { readonly name: Name }>, "name">,
    Omit<Extract<StreamedTrace, { readonly name: Name }>, "name">
  >;
};

/** By name. The struct logger runs where a request names no tracer. */
const TRACERS: Tracers = {
  structLogger: {
    flags: ["enableMemory", "disableStack", "disableStorage", "enableReturnData"],
    wants: ({ enableMemory: memory = false, enableReturnData = false }) => {
      // Calls put their output into the memory and the return data of the caller.
      return { data: memory || enableReturnData, steps: true, memory };
    },
    make: structLoggerTrace,
  },
  callTracer: {
    flags: ["onlyTopCall", "withLog"],
    wants: ({ onlyTopCall, withLog = false }) => ({
      frames: onlyTopCall === true ? "outermost" : "all",
      logs: withLog,
    }),
    make: async (run, options) => ({ call: await inTurns(callTrace(run.recording, totalsOf(run), options)) }),
    stream: (run, options) => ({ calls: eachCall(run.recording, totalsOf(run), options) }),
  },
  flatCallTracer: {
    flags: ["convertParityErrors", "includePrecompiles"],
    wants: () => ({}),
    make: async (run, options) => {
      const calls = await listInTurns(flatCallTrace(run.recording, totalsOf(run), options));
      return { calls, place: run.place };
    },
    stream: (run, options) => ({ calls: flatCallTrace(run.recording, totalsOf(run), options), place: run.place }),
  },
  prestateTracer: {
    flags: ["diffMode", "disableCode", "disableStorage", "includeEmpty"],
    wants: () => ({ data: false, accesses: true }),
    readsState: true,
    make: async (run, options) => ({ accounts: await tracePrestate(run, options) }),
  },
  "4byteTracer": {
    flags: [],
    wants: () => ({}),
    make: async ({ recording }) => ({ counts: await inTurns(fourByteTrace(recording)) }),
  },
  keccak256PreimageTracer: {
    flags: [],
    // Calls put their output into the memory of the caller.
    wants: () => ({ steps: true, memory: true }),
    make: async ({ recording }) => ({ preimages: await inTurns(keccakPreimages(recording)) }),
  },
  noopTracer: { flags: [], wants: () => undefined, make: () => ({}) },
  stateGasTracer: {
    flags: [],
    wants: () => undefined,
    make: ({ outcome }) => ({ gasUsed: outcome.gasUsed, dimensions: dimensionsOf(outcome) }),
  },
};

/** The names that a request may give, in the order in which errors list them. */
export const TRACER_NAMES: readonly string[] = [
  ...Object.keys(TRACERS).filter((name) => name !== "structLogger"),
  "muxTracer",
];

/** Options that are true or false, by tracer. */
export const TRACER_FLAGS: readonly (readonly [name: TracerName, flags: readonly string[]])[] = Object.entries(
  TRACERS,
).map(([name, { flags }]) => [name as TracerName, flags]);

/** A tracer with its options, whichever it is. */
function known(request: Exclude<NativeTracer, { readonly name: "muxTracer" }>): {
  readonly tracer: Tracer<object, object, object>;
  readonly options: object;
} {
  const found = TRACERS[request.name] as Tracer<object, object, object>;
  return { tracer: found, options: "options" in request ? (request.options ?? {}) : {} };
}

/** The data that must be recorded for a tracer; undefined if none. */
export function recordingRequestOf(request: NativeTracer): RecorderRequest | undefined {
  if (request.name === "muxTracer") return request.tracers.map(recordingRequestOf).reduce(union, undefined);
  const { tracer: found, options } = known(request);
  return found.wants(options);
}

/** True if a trace is made of the state after the transaction, too. */
export function readsStateAfter(request: NativeTracer): boolean {
  if (request.name === "muxTracer") return request.tracers.some(readsStateAfter);
  return known(request).tracer.readsState === true;
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

/**
 * The trace of a run that was recorded for this tracer.
 *
 * @param isStreamed - true if it is read once, in order
 */
export async function nativeTrace(
  request: NativeTracer,
  run: TracedRun,
  isStreamed: boolean,
): Promise<NativeTrace | StreamedTrace> {
  if (request.name === "muxTracer") {
    const traces: (NativeTrace | StreamedTrace)[] = [];
    for (const part of request.tracers) traces.push(await nativeTrace(part, run, isStreamed));
    return { name: "muxTracer", traces } as NativeTrace | StreamedTrace;
  }
  const { tracer: found, options } = known(request);
  const members = (isStreamed ? found.stream?.(run, options) : undefined) ?? (await found.make(run, options));
  return { name: request.name, ...members } as NativeTrace | StreamedTrace;
}

function totalsOf({ tx, outcome, firstLogIndex = 0 }: TracedRun): TransactionTotals {
  return { gasLimit: tx.gasLimit, gasUsed: outcome.gasUsed, firstLogIndex, dimensions: outcome.dimensions };
}

/** Other tracers must not show them without EIP-8037 (execution-apis#852). There all gas is for execution. */
function dimensionsOf({ dimensions, ...outcome }: TransactionOutcome): GasDimensions {
  const { gasUsed, gasRefund, intrinsicGas, executionGasUsed, stateGasUsed } = outcome;
  const gross = maxBigInt(intrinsicGas + executionGasUsed, gasUsed);
  return dimensions ?? { executionGasUsed: gross, stateGasUsed, gasRefund };
}

function structLoggerTrace(
  { recording, outcome }: TracedRun,
  options: StructLogOptions,
): Omit<NativeTrace & { readonly name: "structLogger" }, "name"> {
  const hasOutput = outcome.error === undefined || outcome.error === "reverted";
  return {
    gasUsed: outcome.gasUsed,
    failed: outcome.error !== undefined,
    dimensions: outcome.dimensions,
    returnValue: hasOutput ? outcome.output : EMPTY_BYTES,
    logs: new StructLogs(recording, options),
  };
}
