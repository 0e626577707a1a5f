/** Copies some of a recording's steps, for another process that reads them. */
import { STEP_BYTES, STEP_WORDS, StepWord } from "../../evm/step-buffer.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { StepTable } from "../step-table.ts";

/** Records and memory writes as in {@link StepBuffer}. */
export interface StepSlice {
  /** Index of the first step. */
  readonly first: number;
  readonly records: Bytes;
  readonly writes: Bytes;
}

/** @param count - most steps; fewer are copied at the end of the recording */
export function sliceSteps(steps: StepTable, from: number, count: number): StepSlice {
  const end = Math.min(steps.length, from + count);
  const length = Math.max(0, end - from);
  const records = new Uint8Array(length * STEP_BYTES);
  const words = new Uint32Array(records.buffer);
  const pieces: Bytes[] = [];
  let written = 0;
  for (let row = 0; row < length; row++) {
    const buffer = steps.bufferOf(from + row);
    const source = from + row - buffer.first;
    records.set(buffer.bytes.subarray(source * STEP_BYTES, (source + 1) * STEP_BYTES), row * STEP_BYTES);
    const piece = buffer.written(source);
    words[row * STEP_WORDS + StepWord.writeStart] = written;
    if (piece.length > 0) pieces.push(piece);
    written += piece.length;
  }
  const writes = new Uint8Array(written);
  let at = 0;
  for (const piece of pieces) {
    writes.set(piece, at);
    at += piece.length;
  }
  return { first: from, records, writes };
}
