/**
 * Rebuilds stack, memory and return data (the "machine") of a frame as they were before one of its steps, from the frame's
 * own operations.
 */
import type { StepBuffer } from "../../evm/step-buffer.ts";
import type { CallFrame } from "../recording.ts";
import { FrameMachine } from "../replay.ts";
import type { StepTable } from "../step-table.ts";

/** The machines of the frames that were running before a step. */
export interface MachinesAt {
  readonly step: number;
  readonly machines: ReadonlyMap<CallFrame, FrameMachine>;
}

/**
 * Replays the frame of a step up to that step: linear in the frame's own steps.
 *
 * @param recorded - made with memory where that is wanted
 * @param start - where the recording begins, if that is not the transaction's beginning
 * @throws {RangeError} for a step that is not in the recording
 */
export function machineAt(recorded: RecordedSteps, step: number, start?: MachinesAt): FrameMachine {
  const buffer = recorded.steps.bufferOf(step);
  const frame = recorded.frames[buffer.frame(step - buffer.first)];
  if (frame === undefined) throw new RangeError(`machineAt: step ${step} has no frame`);
  const machine = start?.machines.get(frame)?.copy() ?? new FrameMachine(frame);
  for (const { number, buffer: steps, row, child } of ownSteps(recorded, frame, start?.step)) {
    if (number >= step) break;
    machine.apply(steps, row, child);
  }
  return machine;
}

/** A recording that has its steps. */
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
