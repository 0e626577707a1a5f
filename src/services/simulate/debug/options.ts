/** Options of the debug service, and the trace type of each tracer. */
import type { AbortState } from "../../../primitives/abort-state.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { StreamBounds } from "../replay/second-run.ts";
import type { CallContext } from "./calls.ts";
import type { GethTrace, GethTracer, NativeTracer, StreamedTrace } from "./tracers.ts";

/** The trace that a tracer makes; with bounds of a stream one that is read once. */
export type TraceOf<Tracer extends GethTracer, Bounds extends StreamBounds | undefined = undefined> = Extract<
  Bounds extends StreamBounds ? StreamedTrace : GethTrace,
  { readonly name: Tracer["name"] }
>;

/** The default tracer. */
export type StructLogger = NativeTracer & { readonly name: "structLogger" };

/** Tracer and bounds of a request. */
export interface TraceOptions<Tracer extends GethTracer = GethTracer> extends TraceBounds {
  /** Default: the struct logger. */
  readonly tracer?: Tracer | undefined;
}

/** Time limit and abort signal of a request. */
export interface TraceBounds {
  /** Limit of the execution in milliseconds; default: the node's limit for traces. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortState | undefined;
}

/** Tracer, bounds, block and state for traced calls. */
export interface TraceCallsOptions<Tracer extends GethTracer = GethTracer> extends TraceOptions<Tracer>, CallContext {}

/** The trace of one transaction of a block. */
export interface TransactionTrace<
  Tracer extends GethTracer = GethTracer,
  Bounds extends StreamBounds | undefined = undefined,
> {
  readonly txHash: Bytes;
  readonly trace: TraceOf<Tracer, Bounds>;
}
