/** How the debug service is asked, and the trace that each tracer gives. */
import type { AbortState } from "../../../primitives/abort-state.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { CallContext } from "./calls.ts";
import type { GethTrace, GethTracer, NativeTracer } from "./tracers.ts";

/** What one tracer gives. */
export type TraceOf<Tracer extends GethTracer> = Extract<GethTrace, { readonly name: Tracer["name"] }>;

/** The tracer that is used when none is named. */
export type StructLogger = NativeTracer & { readonly name: "structLogger" };

/** How to trace. */
export interface TraceOptions<Tracer extends GethTracer = GethTracer> extends TraceBounds {
  /** Default: the struct logger. */
  readonly tracer?: Tracer | undefined;
}

/** Bounds of one request. */
export interface TraceBounds {
  /** Bounds the execution, in milliseconds; default the node's limit for traces. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortState | undefined;
}

/** How to trace calls, and what they run on. */
export interface TraceCallsOptions<Tracer extends GethTracer = GethTracer> extends TraceOptions<Tracer>, CallContext {}

/** The trace of one transaction of a block. */
export interface TransactionTrace<Tracer extends GethTracer = GethTracer> {
  readonly txHash: Bytes;
  readonly trace: TraceOf<Tracer>;
}
