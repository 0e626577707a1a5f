/** Rebuilds stack, memory and return data (the "machine") of a frame as they were before one of its steps. */
import type { CallFrame } from "../recording.ts";
import { FrameMachine } from "../replay.ts";
import { ownSteps, type RecordedSteps } from "./own-steps.ts";

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
