/** Compares recordings in every member that a trace format can read. */
import { isDeepStrictEqual } from "node:util";
import { STEP_WORDS, type StepBuffer, StepWord } from "../../../src/evm/step-buffer.ts";
import { compareLongBytes } from "../../../src/primitives/platform/encodings.ts";
import type { Recording } from "../../../src/tracer/recording.ts";

/**
 * True if two recordings of a transaction have the same frames, accesses and steps. Formats are functions of a recording,
 * the outcome and the state, so that equal ones give the same texts. Buffers may end at different steps.
 */
export function isSameRecording(left: Recording, right: Recording): boolean {
  return (
    isDeepStrictEqual(left.frames, right.frames) &&
    isDeepStrictEqual([...left.accesses], [...right.accesses]) &&
    hasSameSteps(left, right)
  );
}

function hasSameSteps(left: Recording, right: Recording): boolean {
  const others = rowsOf(right);
  for (const [steps, row] of rowsOf(left)) {
    const { value, done } = others.next();
    if (done === true || !isSameStep(steps, row, ...(value as [StepBuffer, number]))) return false;
  }
  return others.next().done === true;
}

function* rowsOf({ steps }: Recording): Generator<[StepBuffer, number]> {
  for (const buffer of steps ?? []) {
    if (buffer instanceof Promise) throw new TypeError("rowsOf: the steps have to be waited for");
    for (let row = 0; row < buffer.length; row++) yield [buffer, row];
  }
}

function isSameStep(left: StepBuffer, row: number, right: StepBuffer, otherRow: number): boolean {
  const [from, to] = [row * STEP_WORDS, otherRow * STEP_WORDS];
  for (let place = 0; place < STEP_WORDS; place++) {
    // Where the written bytes stand in the buffer is of no matter.
    if (place !== StepWord.writeStart && left.words[from + place] !== right.words[to + place]) return false;
  }
  return left.writeLength(row) === 0 || compareLongBytes(left.written(row), right.written(otherRow)) === 0;
}
