/** Compares recordings in every member that a trace format can read. */
import { isDeepStrictEqual } from "node:util";
import { STEP_WORDS, StepWord } from "../../../src/evm/step-buffer.ts";
import { concatList } from "../../../src/primitives/bytes/bytes.ts";
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
  const [own, other] = [plainSteps(left), plainSteps(right)];
  return compareLongBytes(own.records, other.records) === 0 && compareLongBytes(own.written, other.written) === 0;
}

/**
 * All steps one after the other, and all that they wrote, wherever their buffers end. Records have the length of what a step
 * wrote; where it stands in its buffer is of no matter, and 0 here.
 */
function plainSteps({ steps }: Recording): { readonly records: Uint8Array; readonly written: Uint8Array } {
  const records: Uint8Array[] = [];
  const written: Uint8Array[] = [];
  const [size, start] = [STEP_WORDS, StepWord.writeStart];
  for (const buffer of steps ?? []) {
    if (buffer instanceof Promise) throw new TypeError("plainSteps: the steps have to be waited for");
    const words = buffer.words.slice();
    for (let row = 0; row < buffer.length; row++) {
      words[row * size + start] = 0;
      if (buffer.writeLength(row) > 0) written.push(buffer.written(row));
    }
    records.push(new Uint8Array(words.buffer));
  }
  return { records: concatList(records), written: concatList(written) };
}
