/**
 * Counts opcodes and what each was charged while a transaction runs, as reth's `trace_transactionOpcodeGas` does.
 *
 * The cost of a call or creation does not include the gas that it passes to its frame.
 */
import type { EventSink, FrameStart, SinkWants } from "../evm/event-sink.ts";
import { FrameKind, StepOutcome } from "../evm/frames.ts";
import { isKnownOpcode } from "../evm/instructions.ts";
import { Op } from "../evm/opcodes.ts";
import type { StepBuffer } from "../evm/step-buffer.ts";

/** All runs of one opcode. */
export interface OpcodeGas {
  readonly opcode: number;
  readonly count: number;
  readonly gasUsed: number;
}

/** The stipend of a call with value, which nobody is charged. reth subtracts it from the cost of the call. */
const STIPEND = 2_300;

/** Counts the opcodes of one transaction and their gas. */
export class OpcodeGasCounter implements EventSink {
  readonly wants: SinkWants = { steps: "recorded", frames: "all" };
  readonly #counts = new Float64Array(256);
  readonly #gas = new Float64Array(256);

  takeSteps(steps: StepBuffer): void {
    for (let row = 0; row < steps.length; row++) {
      const opcode = steps.opcode(row);
      this.#counts[opcode] = (this.#counts[opcode] as number) + 1;
      const isCharged = steps.outcome(row) === StepOutcome.done || steps.outcome(row) === StepOutcome.failed;
      if (isCharged) this.#gas[opcode] = (this.#gas[opcode] as number) + steps.cost(row);
    }
  }

  enterFrame(start: FrameStart): void {
    this.#takeStipend(start);
  }

  refuseFrame(start: FrameStart): void {
    this.#takeStipend(start);
  }

  #takeStipend({ kind, depth, value }: FrameStart): void {
    if (depth === 0 || value === 0n || (kind !== FrameKind.call && kind !== FrameKind.callCode)) return;
    const opcode = kind === FrameKind.call ? Op.CALL : Op.CALLCODE;
    this.#gas[opcode] = (this.#gas[opcode] as number) - STIPEND;
  }

  /** Those that some hardfork defines, by number. */
  result(): OpcodeGas[] {
    return Array.from(this.#counts, (count, opcode) => ({
      opcode,
      count,
      gasUsed: this.#gas[opcode] as number,
    })).filter(({ opcode, count }) => count > 0 && isKnownOpcode(opcode));
  }
}
