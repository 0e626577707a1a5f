/** The tree that is rendered: frames with their calls and logs in order, made from any kind of trace. */

import type { SelfDestruct } from "../../evm/event-sink.ts";
import { FrameKind, isCreation } from "../../evm/frames.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { atOnce, type Steps } from "../../primitives/platform/turns.ts";
import type { GethCallFrame, GethCallType } from "../../tracer/formats/call-tracer.ts";
import { gethErrorText } from "../../tracer/formats/geth-errors.ts";
import type { CallFrame, Recording } from "../../tracer/recording.ts";

/** A call or creation with what happened inside it. */
export interface TreeFrame {
  readonly what: "frame";
  readonly kind: FrameKind;
  /** Called or created address; undefined for a creation that failed before it had one. */
  readonly to: Bytes | undefined;
  /** wei; not what a DELEGATECALL inherits */
  readonly value: bigint;
  readonly gasUsed: bigint;
  /** Of a whole transaction, the part for state, if the trace has it (EIP-8037). */
  readonly stateGasUsed?: bigint | undefined;
  readonly input: Bytes;
  readonly output: Bytes;
  /** Executed code, if the trace has it. */
  readonly code: Bytes | undefined;
  readonly isStarted: boolean;
  /** geth's text; undefined for success. */
  readonly error: string | undefined;
  readonly isReverted: boolean;
  readonly items: readonly TreeItem[];
}

/** A log, also of a frame that failed. */
export interface TreeLog {
  readonly what: "log";
  readonly topics: readonly Bytes[];
  readonly data: Bytes;
}

/** A SELFDESTRUCT of the frame's contract. */
export interface TreeSelfDestruct extends SelfDestruct {
  readonly what: "selfDestruct";
}

/** Contents of a frame, in the order in which it happened. */
export type TreeItem = TreeFrame | TreeLog | TreeSelfDestruct;

/** The tree of a recording made with logs; undefined if nothing ran. */
export function treeOfRecording(recording: Recording): TreeFrame | undefined {
  return atOnce(framesOfTree(recording))[0];
}

/** The same with all frames of the tree, as they are in the recording. */
export function* framesOfTree({ frames }: Recording): Steps<TreeFrame[]> {
  const made: TreeFrame[] = Array.from({ length: frames.length });
  // From the last one, so that the calls of a frame exist before it. A call may be a thousand frames deep.
  for (const frame of frames.toReversed()) {
    yield;
    made[frame.index] = frameOf(made, frame);
  }
  return made;
}

function frameOf(made: readonly TreeFrame[], frame: CallFrame): TreeFrame {
  const { kind, to, value, gasUsed, input, output, code, isStarted, error, detail } = frame;
  return {
    what: "frame",
    kind,
    to,
    value: kind === FrameKind.delegateCall ? 0n : value,
    gasUsed,
    input,
    output,
    code: isStarted ? code : undefined,
    isStarted,
    error: error === undefined ? undefined : gethErrorText(error, detail),
    isReverted: error === "reverted",
    items: itemsOf(made, frame),
  };
}

function itemsOf(made: readonly TreeFrame[], { children, logs, selfDestruct }: CallFrame): TreeItem[] {
  const frames = children.map((child) => made[child] as TreeFrame);
  const items = interleave(frames, logs);
  if (selfDestruct !== undefined) items.push({ what: "selfDestruct", ...selfDestruct });
  return items;
}

interface PlacedLog {
  readonly topics: readonly Bytes[];
  readonly data: Bytes;
  /** Number of child frames that had started before it. */
  readonly position: number;
}

function interleave(frames: readonly TreeItem[], logs: readonly PlacedLog[]): TreeItem[] {
  const items: TreeItem[] = [];
  let next = 0;
  for (let position = 0; position <= frames.length; position++) {
    for (let log = logs[next]; log !== undefined && log.position <= position; log = logs[++next]) {
      items.push({ what: "log", topics: log.topics, data: log.data });
    }
    const frame = frames[position];
    if (frame !== undefined) items.push(frame);
  }
  return items;
}

const KIND_OF: Readonly<Record<Exclude<GethCallType, "SELFDESTRUCT">, FrameKind>> = {
  CALL: FrameKind.call,
  CALLCODE: FrameKind.callCode,
  DELEGATECALL: FrameKind.delegateCall,
  STATICCALL: FrameKind.staticCall,
  CREATE: FrameKind.create,
  CREATE2: FrameKind.create2,
};

/** The tree of callTracer's result; logs need its option `withLog`. */
export function treeOfCallTrace(call: GethCallFrame): TreeFrame {
  const { type, to, value, gasUsed, stateGasUsed, input, output, error, calls = [], logs = [] } = call;
  const kind = type === "SELFDESTRUCT" ? FrameKind.call : KIND_OF[type];
  const items = calls.map((child) => (child.type === "SELFDESTRUCT" ? selfDestructOf(child) : treeOfCallTrace(child)));
  return {
    what: "frame",
    kind,
    to,
    value: kind === FrameKind.delegateCall ? 0n : (value ?? 0n),
    gasUsed,
    stateGasUsed,
    input,
    output: output ?? EMPTY_BYTES,
    code: isCreation(kind) ? input : undefined,
    isStarted: true,
    error,
    isReverted: error === "execution reverted",
    items: interleave(items, logs),
  };
}

function selfDestructOf({ from, to, value }: GethCallFrame): TreeSelfDestruct {
  return { what: "selfDestruct", address: from, beneficiary: to ?? EMPTY_BYTES, balance: value ?? 0n };
}
