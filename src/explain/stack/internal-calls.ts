/** The functions of one contract that were active when its frame ended, and at its last call. */

import type { CallFrame } from "../../tracer/recording.ts";
import type { Activation } from "../active/activation.ts";
import type { SourceFunction, SourceRange } from "../source/source-file.ts";
import type { Execution } from "./execution.ts";

/** A function that was called and has not returned. Modifiers are left out. */
export interface InternalCall {
  /** The call in its caller. */
  readonly site: SourceRange;
  readonly called: SourceFunction;
  /** True if the caller is not certain, or which of its calls was executed. */
  readonly isApproximate: boolean;
  /** True if the optimizer has removed the jump. */
  readonly isInlined: boolean;
  /** False if another function may run instead of this one. */
  readonly isCertain: boolean;
}

/** The last call or creation of a frame. */
export interface LastChild {
  readonly frame: CallFrame;
  /** Index of the operation that made it. */
  readonly index: number;
  /** Functions that were active at that time. */
  readonly calls: readonly InternalCall[];
}

/** The functions of a contract that were active when its frame ended. */
export interface InternalCalls {
  /** Functions that were active at the end, the outermost first. */
  readonly calls: readonly InternalCall[];
  /** True after the first jump into a function of the source. */
  readonly hasEntered: boolean;
  readonly lastChild: LastChild | undefined;
}

/** Reads the calls from the functions that were active at the last operation, and at that of the last call. */
export function activeCalls(execution: Execution): InternalCalls {
  let lastChild: LastChild | undefined;
  for (const [index, frame] of execution.children) {
    if (frame.isStarted) lastChild = { frame, index, calls: callsTo(execution.activation(index)) };
  }
  return { calls: callsTo(execution.activation(execution.length - 1)), hasEntered: execution.hasEntered, lastChild };
}

/** The calls that lead to an active function, the outermost first. */
function callsTo(innermost: Activation | undefined): readonly InternalCall[] {
  const calls: InternalCall[] = [];
  for (let active = innermost; active !== undefined; active = active.caller) {
    const { caller, definition, site, isSiteCertain, isInlined, isCertain } = active;
    if (definition === undefined || site === undefined || definition.kind === "modifier") continue;
    const isApproximate = !isSiteCertain || caller?.isCertain === false;
    calls.unshift({ site, called: definition, isApproximate, isInlined, isCertain });
  }
  return calls;
}
