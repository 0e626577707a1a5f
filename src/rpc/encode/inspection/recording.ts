/** Recordings as JSON: everything that a debugger needs to replay a transaction. */

import { isCreation } from "../../../evm/frames.ts";
import type { CompilerDocuments } from "../../../explain/source/build.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import { keccak256 } from "../../../primitives/hash/hash.ts";
import type { RecordedFrames } from "../../../services/simulate/explain/recordings.ts";
import type { StepSlice } from "../../../tracer/inspect/step-slice.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import { encodeWord, KIND_NAMES } from "./calls.ts";

/** The answer of `hindcast_getRecording`: one part of the frames, and facts of the whole transaction. */
export interface RecordingJson {
  readonly transactionHash: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly transactionIndex: number;
  readonly frameCount: number;
  readonly stepCount: number;
  readonly frames: readonly FrameJson[];
  /** Codes that the frames name by their hash, each once in all parts. */
  readonly codes: readonly { readonly hash: Hex; readonly code: Hex }[];
}

interface FrameJson {
  /** Index of the frame around it; -1 for the outermost. */
  readonly parent: number;
  readonly depth: number;
  readonly kind: string;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly account: Hex | null;
  readonly value: Hex;
  readonly gas: Hex;
  readonly gasUsed: Hex;
  readonly input: Hex;
  readonly output: Hex;
  /** Hash of the code; null for creations, whose code is the input, and where there is none. */
  readonly codeHash: Hex | null;
  readonly error: string | null;
  readonly isStarted: boolean;
  readonly isPrecompile: boolean;
  /** Number of the step that starts it, -1 for the outermost; and of the first step after it. */
  readonly step: number;
  readonly stepEnd: number;
}

/** The answer of `hindcast_getRecordedSteps`. */
export interface StepSliceJson {
  /** Number of the first step. */
  readonly first: number;
  /** 96 bytes for each step. */
  readonly records: Hex;
  /** Memory writes of the steps. */
  readonly writes: Hex;
}

/** Codes that an earlier part had are left out. */
export function encodeRecording({ kept, steps, frames, codes }: RecordedFrames): RecordingJson {
  const { header } = kept.block;
  return {
    transactionHash: encodeData(kept.txHash),
    blockHash: encodeData(kept.block.hash),
    blockNumber: encodeQuantity(header.number),
    transactionIndex: kept.index,
    frameCount: kept.recording.frames.length,
    stepCount: steps,
    frames: frames.map(encodeFrame),
    codes: codes.map((code) => ({ hash: encodeData(keccak256(code)), code: encodeData(code) })),
  };
}

function encodeFrame(frame: CallFrame): FrameJson {
  const { parent, depth, kind, from, to, account, value, gas, gasUsed, input, output, code } = frame;
  return {
    parent,
    depth,
    kind: KIND_NAMES[kind],
    from: encodeData(from),
    to: to === undefined ? null : encodeData(to),
    account: account === undefined ? null : encodeData(account),
    value: encodeQuantity(value),
    gas: encodeQuantity(gas),
    gasUsed: encodeQuantity(gasUsed),
    input: encodeData(input),
    output: encodeData(output),
    codeHash: isCreation(kind) || code.length === 0 ? null : encodeData(keccak256(code)),
    error: frame.error ?? null,
    isStarted: frame.isStarted,
    isPrecompile: frame.isPrecompile,
    step: frame.step,
    stepEnd: frame.stepEnd,
  };
}

/** Records are in the layout of `evm/step-buffer.ts`. */
export function encodeStepSlice({ first, records, writes }: StepSlice): StepSliceJson {
  return { first, records: encodeData(records), writes: encodeData(writes) };
}

/** An item of the answer of `hindcast_getBuilds`: the compiler's standard JSON, unchanged. */
export interface BuildJson {
  readonly input: unknown;
  readonly output: unknown;
}

/** Builds are JSON already. */
export function encodeBuild({ input, output }: CompilerDocuments): BuildJson {
  return { input, output };
}

/** Values of slots, 32 bytes each. */
export function encodeWords(values: readonly bigint[]): readonly Hex[] {
  return values.map(encodeWord);
}
