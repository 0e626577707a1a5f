/** Recordings as JSON: everything that a debugger needs to replay a transaction. */

import { isCreation } from "../../../evm/frames.ts";
import type { CompilerDocuments } from "../../../explain/source/build.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import { keccak256 } from "../../../primitives/hash/hash.ts";
import type { RecordedFrames } from "../../../services/simulate/inspect/recordings.ts";
import type { StepSlice } from "../../../tracer/inspect/step-slice.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import { ANYTHING, arrayOf, BOOLEAN, INTEGER, named, object, orNull, TEXT } from "../../openrpc/json-schema.ts";
import { DATA, HASH, QUANTITY } from "../../openrpc/primitives.ts";
import type { Build, Recording as RecordingJson, StepSlice as StepSliceJson } from "../../wire-types.generated.ts";
import { listText, membersText, objectText, type Text, wholeText } from "../stream/text.ts";
import { encodeFrameMembers, encodeWord, FRAME_MEMBERS } from "./calls.ts";

const FRAME = object({
  ...FRAME_MEMBERS,
  input: DATA,
  output: DATA,
  codeHash: orNull(HASH),
  error: orNull(TEXT),
  isStarted: BOOLEAN,
  isPrecompile: BOOLEAN,
  step: INTEGER,
  stepEnd: INTEGER,
});

export const recordingSchema = named("Recording", () =>
  object({
    transactionHash: HASH,
    blockHash: HASH,
    blockNumber: QUANTITY,
    transactionIndex: INTEGER,
    frameCount: INTEGER,
    stepCount: INTEGER,
    frames: arrayOf(FRAME),
    codes: arrayOf(object({ hash: HASH, code: DATA })),
  }),
);

export const stepSliceSchema = named("StepSlice", () => object({ first: INTEGER, records: DATA, writes: DATA }));

export const buildSchema = named("Build", () => object({ input: ANYTHING, output: ANYTHING }));

/** Codes that an earlier part had are left out. */
export function encodeRecording(recorded: RecordedFrames): RecordingJson {
  const hashOf = codeHashes();
  return {
    ...encodeHead(recorded),
    frames: recorded.frames.map((frame) => encodeFrame(frame, hashOf)),
    codes: recorded.codes.map((code) => encodeCode(code, hashOf)),
  };
}

/** The same as text. */
export function recordingText(recorded: RecordedFrames): Text {
  const hashOf = codeHashes();
  return objectText([
    ...membersText(encodeHead(recorded), {}),
    ["frames", listText(recorded.frames, (frame) => wholeText(encodeFrame(frame, hashOf)))],
    ["codes", listText(recorded.codes, (code) => wholeText(encodeCode(code, hashOf)))],
  ]);
}

function encodeHead({ cached, steps }: RecordedFrames): Omit<RecordingJson, "frames" | "codes"> {
  const { header } = cached.block;
  return {
    transactionHash: encodeData(cached.txHash),
    blockHash: encodeData(cached.block.hash),
    blockNumber: encodeQuantity(header.number),
    transactionIndex: cached.index,
    frameCount: cached.recording.frames.length,
    stepCount: steps,
  };
}

/** Hashes of codes. Most calls of the same code share the array. */
function codeHashes(): (code: Bytes) => Hex {
  const known = new Map<Bytes, Hex>();
  return (code) => {
    const hash = known.get(code) ?? encodeData(keccak256(code));
    known.set(code, hash);
    return hash;
  };
}

function encodeCode(code: Bytes, hashOf: (code: Bytes) => Hex): RecordingJson["codes"][number] {
  return { hash: hashOf(code), code: encodeData(code) };
}

function encodeFrame(frame: CallFrame, hashOf: (code: Bytes) => Hex): RecordingJson["frames"][number] {
  const { kind, input, output, code } = frame;
  return {
    ...encodeFrameMembers(frame),
    input: encodeData(input),
    output: encodeData(output),
    codeHash: isCreation(kind) || code.length === 0 ? null : hashOf(code),
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

/** Builds are JSON already. */
export function encodeBuild({ input, output }: CompilerDocuments): Build {
  return { input, output };
}

/** Values of slots, 32 bytes each. */
export function encodeWords(values: readonly bigint[]): readonly Hex[] {
  return values.map(encodeWord);
}
