/** Lists the storage writes of a transaction, and the inputs of the hashes that the writing calls computed. */
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

/** Longest KECCAK256 input in bytes that is kept. Keys of mappings are shorter. */
const LONGEST_PREIMAGE = 1_024n;

/**
 * All writes in the order in which they ran, undone ones included. Frames without SSTORE are not replayed.
 *
 * @param preimages - gets the inputs of KECCAK256 in those frames, by hash
 */
export function storageWrites(recorded: RecordedSteps, preimages: Map<bigint, Bytes> = new Map()): StorageWrite[] {
  const writes = [...writingFrames(recorded)].flatMap((frame) => writesOf(recorded, frame, preimages));
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

function writesOf(recorded: RecordedSteps, frame: CallFrame, preimages: Map<bigint, Bytes>): StorageWrite[] {
  const writes: StorageWrite[] = [];
  const machine = new FrameMachine(frame);
  const { account } = frame;
  if (account === undefined) return writes;
  for (const { number, buffer, row, child } of ownSteps(recorded, frame)) {
    const opcode = buffer.opcode(row);
    const isDone = buffer.outcome(row) === StepOutcome.done;
    if (isDone && opcode === Op.SSTORE) {
      writes.push({ frame, step: number, account, slot: machine.operand(0), value: machine.operand(1) });
    } else if (isDone && opcode === Op.KECCAK256 && machine.operand(1) <= LONGEST_PREIMAGE) {
      const [offset, length] = [Number(machine.operand(0)), Number(machine.operand(1))];
      preimages.set(buffer.word(row), machine.readMemory(offset, length));
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
export function traceWrites(recorded: RecordedSteps, preimages?: Map<bigint, Bytes>): TracedWrite[] {
  const ends = undoneAt(recorded.frames);
  const bySlot = new Map<string, StorageWrite[]>();
  return storageWrites(recorded, preimages).map((write) => {
    const key = `${bytesKey(write.account)}${write.slot}`;
    const earlier = bySlot.get(key) ?? [];
    bySlot.set(key, earlier);
    const last = earlier.findLast(({ frame }) => (ends[frame.index] ?? Number.POSITIVE_INFINITY) > write.step);
    earlier.push(write);
    return { ...write, before: last?.value, goneAt: ends[write.frame.index] };
  });
}
