/** Lists the storage writes of a transaction. */
import { StepOutcome } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import type { CallFrame } from "../recording.ts";
import { FrameMachine } from "../replay.ts";
import { ownSteps, type RecordedSteps } from "./own-steps.ts";

/** One SSTORE that ran. */
export interface StorageWrite {
  readonly frame: CallFrame;
  /** Number of its step. */
  readonly step: number;
  readonly account: Bytes;
  readonly slot: bigint;
  readonly value: bigint;
}

/** All writes in the order in which they ran, undone ones included. Frames without SSTORE are not replayed. */
export function storageWrites(recorded: RecordedSteps): StorageWrite[] {
  const writes = [...writingFrames(recorded)].flatMap((frame) => writesOf(recorded, frame));
  return writes.sort((left, right) => left.step - right.step);
}

function writingFrames({ frames, steps }: RecordedSteps): ReadonlySet<CallFrame> {
  const found = new Set<CallFrame>();
  for (const buffer of steps) {
    for (let row = 0; row < buffer.length; row++) {
      const frame = buffer.opcode(row) === Op.SSTORE ? frames[buffer.frame(row)] : undefined;
      if (frame !== undefined) found.add(frame);
    }
  }
  return found;
}

function writesOf(recorded: RecordedSteps, frame: CallFrame): StorageWrite[] {
  const writes: StorageWrite[] = [];
  const machine = new FrameMachine(frame);
  const { account } = frame;
  if (account === undefined) return writes;
  for (const { number, buffer, row, child } of ownSteps(recorded, frame)) {
    if (buffer.opcode(row) === Op.SSTORE && buffer.outcome(row) === StepOutcome.done) {
      writes.push({ frame, step: number, account, slot: machine.operand(0), value: machine.operand(1) });
    }
    machine.apply(buffer, row, child);
  }
  return writes;
}

/** For each frame the step at which what it wrote is undone: the end of the innermost failed call around it. */
export function undoneAt(frames: readonly CallFrame[]): readonly (number | undefined)[] {
  const ends: (number | undefined)[] = [];
  for (const { index, parent, error, stepEnd } of frames) {
    ends[index] = error === undefined ? ends[parent] : stepEnd;
  }
  return ends;
}

/** A write with the value that it found there; undefined where the transaction had not written the slot before. */
export interface TracedWrite extends StorageWrite {
  readonly before: bigint | undefined;
  /** The step at which a failed call around it ends, which undoes it; undefined for what stays. */
  readonly goneAt: number | undefined;
}

/** Follows each slot from write to write, past failed calls, which give it back as they found it. */
export function traceWrites(recorded: RecordedSteps): TracedWrite[] {
  const ends = undoneAt(recorded.frames);
  const bySlot = new Map<string, StorageWrite[]>();
  return storageWrites(recorded).map((write) => {
    const key = `${bytesKey(write.account)}${write.slot}`;
    const earlier = bySlot.get(key) ?? [];
    bySlot.set(key, earlier);
    const last = earlier.findLast(({ frame }) => (ends[frame.index] ?? Number.POSITIVE_INFINITY) > write.step);
    earlier.push(write);
    return { ...write, before: last?.value, goneAt: ends[write.frame.index] };
  });
}
