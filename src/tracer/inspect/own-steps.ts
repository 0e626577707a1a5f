/** A frame's own operations in a recording that has all of its steps. */
import type { StepBuffer } from "../../evm/step-buffer.ts";
import type { CallFrame } from "../recording.ts";
import type { StepTable } from "../step-table.ts";

/** A recording whose steps were kept. */
export interface RecordedSteps {
  readonly frames: readonly CallFrame[];
  readonly steps: StepTable;
}

/** One operation: the place of its record, and the frame that it started or tried to start. */
export interface OwnStep {
  /** Number in the transaction. */
  readonly number: number;
  readonly buffer: StepBuffer;
  readonly row: number;
  readonly child: CallFrame | undefined;
}

/**
 * The operations of a frame in order, without those of the frames below it.
 *
 * @param from - number of the first step that is wanted; default: all
 */
export function* ownSteps({ frames, steps }: RecordedSteps, frame: CallFrame, from = 0): Generator<OwnStep> {
  const children = new Map(frame.children.map((index) => [frames[index]?.step, frames[index]]));
  let first = Math.max(from, frame.step + 1);
  for (const child of children.values()) {
    if (child !== undefined && child.step < first && first < child.stepEnd) first = child.stepEnd;
  }
  for (let number = first; number < frame.stepEnd; ) {
    const child = children.get(number);
    const buffer = steps.bufferOf(number);
    yield { number, buffer, row: number - buffer.first, child };
    number = Math.max(number + 1, child?.stepEnd ?? 0);
  }
}
