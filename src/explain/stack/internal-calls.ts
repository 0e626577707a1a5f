/** Follows calls between functions of one contract. They are jumps, which the source map marks as calls and returns. */
import { Op } from "../../evm/opcodes.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { SourceFunction } from "../source/source-file.ts";
import type { MappedInstruction } from "../source/source-map.ts";
import type { Execution } from "./execution.ts";
import { calledInstead, equalFunctions, type RunningCode, type Twin } from "./twins.ts";

/** A function that was called and has not returned. */
export interface InternalCall {
  /** The jump that called it. */
  readonly site: MappedInstruction;
  /** Its first instruction. */
  readonly entry: MappedInstruction;
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

/** Reads all steps of the frame once. From then on, ranges are those of the functions that were called. */
export function followCalls(execution: Execution, running: RunningCode): InternalCalls {
  const calls: (InternalCall & { readonly twin: Twin | undefined })[] = [];
  execution.twins.push(...equalFunctions(running));
  let hasEntered = false;
  let lastChild: LastChild | undefined;
  for (let index = 0; index < execution.length; index++) {
    const child = execution.children.get(index);
    if (child?.isStarted === true) lastChild = { frame: child, index, calls: [...calls] };
    const site = execution.at(index);
    if (site === undefined || site.jump === "regular") continue;
    if (site.jump === "outOf") {
      const twin = calls.pop()?.twin;
      if (twin !== undefined) twin.to = index + 1;
      continue;
    }
    if (execution.opcode(index + 1) !== Op.JUMPDEST) continue;
    const isOutermost = calls.every(({ entry }) => functionOf(entry) === undefined);
    const twin = twinAt(execution, index, running, isOutermost);
    if (twin !== undefined) execution.twins.push(twin);
    const entry = execution.at(index + 1);
    if (entry === undefined) continue;
    calls.push({ site, entry, twin });
    if (entry.range !== undefined) hasEntered = true;
  }
  return { calls, hasEntered, lastChild };
}

/** The function that is called by a jump instead of the one whose ranges the code has. */
function twinAt(execution: Execution, index: number, running: RunningCode, isOutermost: boolean): Twin | undefined {
  const site = execution.at(index);
  const kept = functionOf(execution.at(index + 1));
  const called = site && kept && calledInstead(running, site, kept, isOutermost);
  return called && { kept, called, from: index + 1, to: Number.POSITIVE_INFINITY };
}

function functionOf(instruction: MappedInstruction | undefined): SourceFunction | undefined {
  const range = instruction?.range;
  return range?.file.functionAt(range.start, range.end);
}
