/** The forms of a recording's JSON parts, as nodes answer them and replay files hold them. */
import { z } from "zod";
import { FrameKind } from "../../evm/frames.ts";
import { decodeData, decodeQuantity, isData, isQuantity } from "../../primitives/bytes/hex.ts";

const bytes = z.string().refine(isData, "expected DATA").transform(decodeData);
const sized = (length: number) => bytes.refine((value) => value.length === length, `expected DATA of ${length} bytes`);
const quantity = z.string().refine(isQuantity, "expected a QUANTITY").transform(decodeQuantity);
const count = z.int().min(0);

const KINDS = {
  call: FrameKind.call,
  callcode: FrameKind.callCode,
  delegatecall: FrameKind.delegateCall,
  staticcall: FrameKind.staticCall,
  create: FrameKind.create,
  create2: FrameKind.create2,
} as const;

const ERRORS = [
  ...["outOfGas", "codeStoreOutOfGas", "codeSizeExceeded", "initCodeSizeExceeded", "createCollision", "reverted"],
  ...["invalidOpcode", "invalidJump", "stackUnderflow", "stackOverflow", "staticStateChange", "outOfBounds"],
  ...["invalidCode", "precompileFailed", "insufficientBalance", "callTooDeep", "nonceOverflow", "valueOverflow"],
] as const;

const frame = z.object({
  parent: z.int().min(-1),
  depth: count,
  kind: z.enum(Object.keys(KINDS) as (keyof typeof KINDS)[]).transform((name) => KINDS[name]),
  from: sized(20),
  to: sized(20).nullable(),
  account: sized(20).nullable(),
  value: quantity,
  gas: quantity,
  gasUsed: quantity,
  input: bytes,
  output: bytes,
  codeHash: sized(32).nullable(),
  // A name that a later version has invented still says that the frame failed.
  error: z
    .enum(ERRORS)
    .nullable()
    .catch("internal" as never),
  isStarted: z.boolean(),
  isPrecompile: z.boolean(),
  step: z.int().min(-1),
  stepEnd: count,
});

/** The answer of `hindcast_getRecording`. */
export const recordingShape = z.object({
  transactionHash: sized(32),
  blockNumber: quantity,
  transactionIndex: count,
  frameCount: count,
  stepCount: count,
  frames: z.array(frame),
  codes: z.array(z.object({ hash: sized(32), code: bytes })),
});

/** The answer of `hindcast_getRecordedSteps`. */
export const sliceShape = z.object({ first: count, records: bytes, writes: bytes });

/** The answer of `hindcast_getBuilds`. */
export const buildsShape = z.array(z.object({ input: z.unknown(), output: z.unknown() }));

/** The answer of `hindcast_getRecordedStorage`. */
export const wordsShape = z.array(sized(32));

/** The answer of `hindcast_getRecording`, checked. */
export type RecordingPart = z.output<typeof recordingShape>;
/** The answer of `hindcast_getRecordedSteps`, checked. */
export type SlicePart = z.output<typeof sliceShape>;
/** A frame of a recording, checked. */
export type FramePart = RecordingPart["frames"][number];

/** Storage of an account in a replay file: slots and values by number. */
export const storageShape = z.array(z.object({ address: sized(20), slots: z.array(z.tuple([quantity, quantity])) }));
