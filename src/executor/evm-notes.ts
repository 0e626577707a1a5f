/** What the run loop knows of a frame's end beyond EthereumJS' result. */

import type { FailureDetail, PrecompileFault } from "../evm/frames.ts";
import { Op } from "../evm/opcodes.ts";
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes.ts";
import type { Frame } from "./evm-frame.ts";

export interface FrameNotes {
  /** The opcode that could not be dispatched, or what a precompile refused, if that ended the frame. */
  readonly detail: FailureDetail | undefined;
  /** What init code returned; undefined for calls and for init code that failed. */
  readonly code: Bytes | undefined;
}

/** Bytes of init code that a creation is about to be given; undefined for other opcodes. */
function initCodeSize(opcode: number, stack: readonly bigint[], stackHeight: number): bigint | undefined {
  return opcode === Op.CREATE || opcode === Op.CREATE2 ? stack[stackHeight - 3] : undefined;
}

/** Notes on the frame that ended last. A note of another depth is an inner frame's and does not count. */
export class FrameNotebook {
  #detail: FailureDetail | undefined;
  #detailDepth = 0;
  #code: Bytes | undefined;
  #codeDepth = 0;

  /** To be called when a frame begins. */
  clear(): void {
    this.#detail = undefined;
    this.#code = undefined;
  }

  noteFailure({ program, pc, stack, stackHeight, failureCause, state }: Frame): void {
    const opcode = program.code[pc] ?? 0;
    this.#detail = { opcode, stackHeight, cause: failureCause, initCodeSize: initCodeSize(opcode, stack, stackHeight) };
    this.#detailDepth = state.env.depth;
  }

  notePrecompileFault(fault: PrecompileFault, depth: number): void {
    this.#detail = { fault };
    this.#detailDepth = depth;
  }

  noteInitCodeEnd({ state }: Frame): void {
    this.#code = state.interpreter._result.returnValue ?? EMPTY_BYTES;
    this.#codeDepth = state.env.depth;
  }

  /** Notes on the frame at a depth, which has just ended. */
  at(depth: number): FrameNotes {
    return {
      detail: this.#detailDepth === depth ? this.#detail : undefined,
      code: this.#codeDepth === depth ? this.#code : undefined,
    };
  }
}
