/** Steps of a recording one by one, with all that a recording says of each. */
import { StepOutcome } from "../../src/evm/frames.ts";
import { startsFrame } from "../../src/evm/opcodes.ts";
import type { CallFrame } from "../../src/tracer/recording.ts";
import { gasAfter, resultWord } from "../../src/tracer/recording.ts";
import type { WholeRecording } from "../../src/tracer/step-table.ts";

function rowOf({ steps }: WholeRecording, step: number) {
  if (steps === undefined) throw new TypeError("no steps were recorded");
  const buffer = steps.bufferOf(step);
  return { buffer, row: step - buffer.first };
}

/** The frame that a step started or was refused; undefined for all but calls and creations that ran. */
export function childOf(recording: WholeRecording, step: number): CallFrame | undefined {
  const { buffer, row } = rowOf(recording, step);
  if (buffer.outcome(row) !== StepOutcome.done || !startsFrame(buffer.opcode(row))) return undefined;
  return recording.frames.findLast((frame) => frame.step <= step);
}

/** A step by its number. */
export function stepAt(recording: WholeRecording, step: number) {
  const { buffer, row } = rowOf(recording, step);
  const child = childOf(recording, step);
  const ownWord = buffer.hasWord(row) ? buffer.word(row) : undefined;
  return {
    frame: buffer.frame(row),
    pc: buffer.pc(row),
    opcode: buffer.opcode(row),
    outcome: buffer.outcome(row),
    gas: buffer.gas(row),
    cost: buffer.cost(row),
    refund: buffer.refund(row),
    gasAfter: gasAfter(buffer, row, child),
    /** The item left on top by an operation that makes one. */
    word: child === undefined ? ownWord : resultWord(child),
  };
}

export function lastStep(recording: WholeRecording) {
  return stepAt(recording, (recording.steps?.length ?? 0) - 1);
}
