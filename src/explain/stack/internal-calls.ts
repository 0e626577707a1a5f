/** Follows calls between functions of one contract. They are jumps, which the source map marks as calls and returns. */
import { Op } from "../../evm/opcodes.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { MappedInstruction } from "../source/source-map.ts";
import type { Execution } from "./execution.ts";

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

/** Reads all steps of the frame once. */
export function followCalls(execution: Execution): InternalCalls {
  const calls: InternalCall[] = [];
  let hasEntered = false;
  let lastChild: LastChild | undefined;
  for (let index = 0; index < execution.length; index++) {
    const child = execution.children.get(index);
    if (child?.isStarted === true) lastChild = { frame: child, index, calls: [...calls] };
    const site = execution.at(index);
    if (site === undefined || site.jump === "regular") continue;
    if (site.jump === "outOf") {
      calls.pop();
      continue;
    }
    const entry = execution.at(index + 1);
    if (entry?.opcode !== Op.JUMPDEST) continue;
    calls.push({ site, entry });
    if (entry.range !== undefined) hasEntered = true;
  }
  return { calls, hasEntered, lastChild };
}
