/** Makes a recording of its JSON parts, and refuses parts that do not belong together. */
import { type FailureDetail, isCreation } from "../../evm/frames.ts";
import { STEP_BYTES, StepBuffer } from "../../evm/step-buffer.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import { StepTable } from "../../tracer/step-table.ts";
import type { FramePart, RecordingPart, SlicePart } from "./recording-shape.ts";
import type { RecordedTransaction } from "./transaction.ts";

/** Largest memory of a frame in bytes. To pay for more, a transaction would need more than 10^11 gas. */
export const MAX_REPLAY_MEMORY = 256 * 1024 * 1024;

/**
 * @param parts - of the recording, in order; each has some of the frames
 * @param slices - of the steps, in order
 * @throws {TypeError} if frames, codes or steps are missing or contradict each other
 */
export function readRecording(parts: readonly RecordingPart[], slices: Iterable<SlicePart>): RecordedTransaction {
  const [first] = parts;
  if (first === undefined) throw new TypeError("it has no frames");
  const codes = new Map(parts.flatMap((part) => part.codes).map(({ hash, code }) => [bytesKey(hash), code]));
  const frames = parts.flatMap((part) => part.frames);
  check(frames.length === first.frameCount && frames.length > 0, "frames are missing");
  const steps = readSteps(slices, frames.length);
  check(steps.length === first.stepCount, "steps are missing");
  return {
    txHash: first.transactionHash,
    blockNumber: first.blockNumber,
    txIndex: first.transactionIndex,
    frames: readFrames(frames, codes, steps),
    steps,
  };
}

function readFrames(parts: readonly FramePart[], codes: ReadonlyMap<string, Bytes>, steps: StepTable): CallFrame[] {
  const children: number[][] = parts.map(() => []);
  for (const [index, { parent, step, stepEnd }] of parts.entries()) {
    check(parent < index && parent >= 0 === index > 0, "a frame has a wrong parent");
    check(step < stepEnd || (step <= 0 && stepEnd === 0), "a frame has wrong steps");
    check(stepEnd <= steps.length, "a frame has wrong steps");
    children[parent]?.push(index);
  }
  return parts.map((part, index) => {
    const { kind, input, codeHash, to, account, error, ...rest } = part;
    const code = codeHash === null ? EMPTY_BYTES : codes.get(bytesKey(codeHash));
    check(code !== undefined, "a code is missing");
    return {
      ...rest,
      index,
      kind,
      input,
      to: to ?? undefined,
      account: account ?? undefined,
      code: isCreation(kind) ? input : (code ?? EMPTY_BYTES),
      error: error ?? undefined,
      detail: detailOf(part, steps),
      children: children[index] ?? [],
      logs: [],
      undeposited: undefined,
      selfDestruct: undefined,
    };
  });
}

/** The opcode that was not dispatched, which distinguishes INVALID from other bytes. */
function detailOf({ error, stepEnd }: FramePart, steps: StepTable): FailureDetail | undefined {
  if (error !== "invalidOpcode" || stepEnd === 0) return undefined;
  const buffer = steps.bufferOf(stepEnd - 1);
  const opcode = buffer.opcode(stepEnd - 1 - buffer.first);
  return { opcode, stackHeight: 0, cause: undefined, initCodeSize: undefined };
}

function readSteps(slices: Iterable<SlicePart>, frameCount: number): StepTable {
  const table = new StepTable();
  for (const { first, records, writes } of slices) {
    check(first === table.length && records.length % STEP_BYTES === 0, "steps are missing");
    // A record is read in words of 64 bits, so that it must begin at a multiple of eight.
    const buffer = new StepBuffer(first, new Uint8Array(records), writes);
    for (let row = 0; row < buffer.length; row++) checkRow(buffer, row, frameCount);
    table.add(buffer);
  }
  return table;
}

function checkRow(buffer: StepBuffer, row: number, frameCount: number): void {
  check(buffer.frame(row) < frameCount, "a step has no frame");
  check(buffer.memoryBytes(row) <= MAX_REPLAY_MEMORY, "a step has too much memory");
  const length = buffer.writeLength(row);
  if (length === 0) return;
  check(buffer.writeOffset(row) + length <= MAX_REPLAY_MEMORY, "a step writes beyond memory");
  check(buffer.written(row).length === length, "a memory write is missing");
}

function check(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new TypeError(problem);
}
