/** Options of the debug service, and the trace type of each tracer. */
import type { AbortState } from "../../../primitives/abort-state.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { CallContext } from "./calls.ts";
import type { GethTrace, GethTracer, NativeTracer } from "./tracers.ts";

/** The trace that a tracer makes. */
export type TraceOf<Tracer extends GethTracer> = Extract<GethTrace, { readonly name: Tracer["name"] }>;

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
export interface TransactionTrace<Tracer extends GethTracer = GethTracer> {
  readonly txHash: Bytes;
  readonly trace: TraceOf<Tracer>;
}
