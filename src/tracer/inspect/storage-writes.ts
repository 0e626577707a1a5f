/** Lists the storage writes of a transaction, and the inputs of the hashes that the writing calls computed. */
import { StepOutcome } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import type { StepBuffer } from "../../evm/step-buffer.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import type { CallFrame } from "../recording.ts";
import { FrameMachine } from "../replay.ts";
import { ownSteps, type RecordedSteps } from "./machine-at.ts";

/** One SSTORE that ran. */
export interface StorageWrite {
  readonly frame: CallFrame;
  /** Number of its step. */
  readonly step: number;
  readonly account: Bytes;
  readonly slot: bigint;
  readonly value: bigint;
}

/** Longest KECCAK256 input in bytes that is recorded. Keys of mappings are shorter. */
const LONGEST_PREIMAGE = 1_024n;
/** Inputs that are recorded of one transaction. */
const MOST_PREIMAGES = 100_000;

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
  if (frame.account === undefined) return writes;
  for (const { buffer, row, child } of ownSteps(recorded, frame)) {
    noteStep(machine, buffer, row, { writes, preimages });
    machine.apply(buffer, row, child);
  }
  return writes;
}

/** Adds what a step writes to storage, or hashes. */
export function noteStep(
  machine: FrameMachine,
  steps: StepBuffer,
  row: number,
  { writes, preimages }: { readonly writes: StorageWrite[]; readonly preimages: Map<bigint, Bytes> },
): void {
  const opcode = steps.opcode(row);
  if ((opcode !== Op.SSTORE && opcode !== Op.KECCAK256) || steps.outcome(row) !== StepOutcome.done) return;
  const [first, second] = [machine.operand(0), machine.operand(1)];
  const { frame } = machine;
  if (opcode === Op.KECCAK256) {
    if (second > LONGEST_PREIMAGE || preimages.size >= MOST_PREIMAGES) return;
    preimages.set(steps.word(row), machine.readMemory(Number(first), Number(second)));
  } else if (frame.account !== undefined) {
    writes.push({ frame, step: steps.first + row, account: frame.account, slot: first, value: second });
  }
}

/** For each frame the step at which its writes are undone: the end of the innermost failed call that contains it. */
export function undoneAt(frames: readonly CallFrame[]): readonly (number | undefined)[] {
  const ends: (number | undefined)[] = [];
  for (const { index, parent, error, stepEnd } of frames) {
    ends[index] = error === undefined ? ends[parent] : stepEnd;
  }
  return ends;
}

/** A write with the value before it; undefined if the transaction had not written the slot before. */
export interface TracedWrite extends StorageWrite {
  readonly before: bigint | undefined;
  /** The step at which a failed call around it ends, which undoes it; undefined if the write lasts. */
  readonly goneAt: number | undefined;
}

/** Finds the value before each write. A failed call restores the slots that it wrote. */
export function traceWrites(recorded: RecordedSteps, preimages?: Map<bigint, Bytes>): TracedWrite[] {
  return followWrites(recorded.frames, storageWrites(recorded, preimages));
}

/** As {@link traceWrites}, for writes that were found before and are given in order. */
export function followWrites(frames: readonly CallFrame[], writes: readonly StorageWrite[]): TracedWrite[] {
  const ends = undoneAt(frames);
  const bySlot = new Map<string, StorageWrite[]>();
  return writes.map((write) => {
    const key = `${bytesKey(write.account)}${write.slot}`;
    const earlier = bySlot.get(key) ?? [];
    bySlot.set(key, earlier);
    let last = earlier.at(-1);
    // Those that were undone are never looked at again: a loop of failed calls would make this quadratic.
    while (last !== undefined && (ends[last.frame.index] ?? Number.POSITIVE_INFINITY) <= write.step) {
      earlier.pop();
      last = earlier.at(-1);
    }
    earlier.push(write);
    return { ...write, before: last?.value, goneAt: ends[write.frame.index] };
  });
}
