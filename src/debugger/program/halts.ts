/** The steps at which a debugger may halt although no line begins there: failures and writes to storage. */
import { StepOutcome } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { RecordedTransaction } from "../recording/transaction.ts";

/** The filters of exceptions that an editor can switch on. */
export type HaltKind = "failure" | "storageWrite";

/** A step, by what happens there and in which call. */
export interface Halt {
  readonly kind: HaltKind;
  readonly frame: CallFrame;
}

/** Halts by the number of their step. */
export function findHalts({ frames, steps }: RecordedTransaction): ReadonlyMap<number, Halt> {
  const halts = new Map<number, Halt>();
  for (const buffer of steps) {
    for (let row = 0; row < buffer.length; row++) {
      const opcode = buffer.opcode(row);
      const isWrite = opcode === Op.SSTORE || opcode === Op.TSTORE;
      const frame = frames[buffer.frame(row)];
      if (isWrite && frame !== undefined && buffer.outcome(row) === StepOutcome.done) {
        halts.set(buffer.first + row, { kind: "storageWrite", frame });
      }
    }
  }
  for (const frame of frames) {
    const hasSteps = frame.isStarted && frame.stepEnd > frame.step + 1;
    if (frame.error === undefined || !hasSteps || isPassedOn(frame, frames)) continue;
    halts.set(frame.stepEnd - 1, { kind: "failure", frame });
  }
  return halts;
}

/** True for a frame that reverted with the data of a call that it made: only the origin of a failure is one. */
function isPassedOn({ error, output, children }: CallFrame, frames: readonly CallFrame[]): boolean {
  const last = frames[children.at(-1) ?? -1];
  if (error !== "reverted" || last?.error !== "reverted") return false;
  return output.length > 0 && equalBytes(output, last.output);
}
