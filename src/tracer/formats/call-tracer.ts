/** geth's `callTracer`: the call tree, nested (eth/tracers/native/call.go). Plain values. */

import type { GasDimensions } from "../../chainspec/transaction/receipt.ts";
import type { SelfDestruct } from "../../evm/event-sink.ts";
import { FrameKind, isCreation } from "../../evm/frames.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import { revertReasonText } from "../../primitives/revert-reason.ts";
import type { CallFrame, FrameLog, Recording } from "../recording.ts";
import { gethErrorText } from "./geth-errors.ts";

/** The member `tracerConfig` of the request. */
export interface CallTracerOptions {
  /** Leaves out everything but the outermost call. */
  readonly onlyTopCall?: boolean;
  readonly withLog?: boolean;
}

/** Values that geth's tracers take from the transaction instead of its outermost frame. */
export interface TransactionTotals {
  readonly gasLimit: bigint;
  /** As in the receipt. */
  readonly gasUsed: bigint;
  /** Logs before this transaction in the block. */
  readonly firstLogIndex?: number;
  /** With EIP-8037. */
  readonly dimensions?: GasDimensions | undefined;
}

/** The opcode's name, as geth has it. */
export type GethCallType = "CALL" | "CALLCODE" | "DELEGATECALL" | "STATICCALL" | "CREATE" | "CREATE2" | "SELFDESTRUCT";

/** A log of a frame that did not fail. */
export interface GethLog {
  readonly address: Bytes;
  readonly topics: readonly Bytes[];
  readonly data: Bytes;
  /** Index in the block. */
  readonly index: number;
  /** Number of the frame's shown calls that had started before it. */
  readonly position: number;
}

/** Empty members are absent; the outermost frame has those of {@link GasDimensions} with EIP-8037. */
export interface GethCallFrame extends Partial<GasDimensions> {
  readonly type: GethCallType;
  readonly from: Bytes;
  readonly gas: bigint;
  readonly gasUsed: bigint;
  readonly to?: Bytes;
  readonly input: Bytes;
  readonly output?: Bytes;
  readonly error?: string;
  readonly revertReason?: string;
  readonly calls?: readonly GethCallFrame[];
  readonly logs?: readonly GethLog[];
  /** wei; absent for STATICCALL */
  readonly value?: bigint;
}

const TYPES: Readonly<Record<number, GethCallType>> = {
  [FrameKind.call]: "CALL",
  [FrameKind.callCode]: "CALLCODE",
  [FrameKind.delegateCall]: "DELEGATECALL",
  [FrameKind.staticCall]: "STATICCALL",
  [FrameKind.create]: "CREATE",
  [FrameKind.create2]: "CREATE2",
};

/** geth's name for the opcode that started a frame. */
export function gethCallType(kind: FrameKind): GethCallType {
  return TYPES[kind] as GethCallType;
}

interface TreeOptions {
  /** Hides inner frames and all frames below them. */
  readonly hides?: (frame: CallFrame) => boolean;
}

interface TreeContext extends CallTracerOptions, TreeOptions {
  readonly firstLogIndex: number;
}

/** The call tree of a recording; undefined if nothing ran. To show logs, the recording must have them. */
export function* callTrace(
  { frames }: Recording,
  totals: TransactionTotals,
  options: CallTracerOptions & TreeOptions = {},
): Steps<GethCallFrame | undefined> {
  const context = { ...options, firstLogIndex: totals.firstLogIndex ?? 0 };
  const shown = options.onlyTopCall === true ? frames.slice(0, 1) : frames;
  const marks = yield* marksOf(shown, options);
  const made: (GethCallFrame | undefined)[] = Array.from({ length: shown.length });
  // From the last one, so that the calls of a frame exist before it. A call may be a thousand frames deep.
  for (let index = shown.length - 1; index >= 0; index--) {
    yield;
    if (marks[index] === HIDDEN) continue;
    const frame = shown[index] as CallFrame;
    // A list that is mapped has room for its items only, one that grows for sixteen more.
    const inner = frame.children.filter((child) => made[child] !== undefined);
    const calls = inner.map((child) => made[child] as GethCallFrame);
    made[index] = gethFrame(frame, calls, { ...context, isUndone: marks[index] === UNDONE });
  }
  const [outermost] = made;
  return outermost && { ...outermost, gas: totals.gasLimit, gasUsed: totals.gasUsed, ...totals.dimensions };
}

/** Marks of a frame, or of one around it: it failed, or is hidden. */
const UNDONE = 1;
const HIDDEN = 2;

/** For each frame: whether it, or one around it, is hidden or has failed. */
function* marksOf(frames: readonly CallFrame[], { hides }: TreeOptions): Steps<Uint8Array> {
  const marks = new Uint8Array(frames.length);
  for (const frame of frames) {
    yield;
    const around = frame.parent < 0 ? 0 : (marks[frame.parent] ?? 0);
    const isHidden = around === HIDDEN || (frame.parent >= 0 && hides?.(frame) === true);
    if (isHidden) marks[frame.index] = HIDDEN;
    else marks[frame.index] = frame.error === undefined ? around : UNDONE;
  }
  return marks;
}

function gethFrame(
  frame: CallFrame,
  calls: GethCallFrame[],
  context: TreeContext & { readonly isUndone: boolean },
): GethCallFrame {
  const failure = failureOf(frame);
  if (frame.selfDestruct !== undefined && context.onlyTopCall !== true) {
    calls.push(selfDestructFrame(frame.selfDestruct));
  }
  const logs = context.withLog === true && !context.isUndone ? frame.logs.map((log) => gethLog(log, context)) : [];
  const hidesAddress = failure.error !== undefined && isCreation(frame.kind);
  const output = frame.undeposited ?? frame.output;
  return {
    type: gethCallType(frame.kind),
    from: frame.from,
    gas: frame.gas,
    gasUsed: frame.gasUsed,
    ...(frame.to === undefined || hidesAddress ? {} : { to: frame.to }),
    input: frame.input,
    ...(output.length === 0 ? {} : { output }),
    ...failure,
    ...(calls.length === 0 ? {} : { calls }),
    ...(logs.length === 0 ? {} : { logs }),
    ...(frame.kind === FrameKind.staticCall ? {} : { value: frame.value }),
  };
}

function selfDestructFrame({ address, beneficiary, balance }: SelfDestruct): GethCallFrame {
  const nothing = { gas: 0n, gasUsed: 0n, input: EMPTY_BYTES };
  return { type: "SELFDESTRUCT", from: address, to: beneficiary, value: balance, ...nothing };
}

/** Error text and revert reason. */
function failureOf(frame: CallFrame): { readonly error?: string; readonly revertReason?: string } {
  const { error, detail, output } = frame;
  if (error === undefined) return {};
  const text = gethErrorText(error, detail);
  const reason = error === "reverted" ? revertReasonText(output) : undefined;
  return reason === undefined ? { error: text } : { error: text, revertReason: reason };
}

function gethLog({ address, topics, data, index, position }: FrameLog, context: TreeContext): GethLog {
  const { firstLogIndex, onlyTopCall } = context;
  // Calls that are left out are not counted (ethereum/execution-apis#855).
  return { address, topics, data, index: firstLogIndex + index, position: onlyTopCall === true ? 0 : position };
}
