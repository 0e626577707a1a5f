/**
 * Follows the calls between functions of one contract, which are jumps to the EVM: the source map marks those that call
 * and those that return.
 */
import { Op } from "../../evm/opcodes.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { MappedInstruction } from "../source/source-map.ts";
import type { Execution } from "./execution.ts";

/** A function that was called and has not returned. */
export interface InternalCall {
  /** The jump that called it. */
  readonly site: MappedInstruction;
  /** Where it begins. */
  readonly entry: MappedInstruction;
}

/** The last call or creation of a frame. */
export interface LastChild {
  readonly frame: CallFrame;
  /** Number of the operation that made it. */
  readonly index: number;
  /** Functions that were running then. */
  readonly calls: readonly InternalCall[];
}

export interface InternalCalls {
  /** Functions that were running at the end, the outermost first. */
  readonly calls: readonly InternalCall[];
  /** True once a function of the source was jumped into. */
  readonly hasEntered: boolean;
  readonly lastChild: LastChild | undefined;
}

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
