/** geth's `callTracer`: the call tree, nested (eth/tracers/native/call.go). Plain values. */

import type { GasDimensions } from "../../chainspec/transaction/receipt.ts";
import type { SelfDestruct } from "../../evm/event-sink.ts";
import { FrameKind, isCreation } from "../../evm/frames.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import { revertReasonText } from "../../primitives/revert-reason.ts";
import { countBelow, visits } from "../frame-walk.ts";
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

/** A call among all of a trace, depth first. */
export interface PlacedCall {
  /** Without the calls below it. */
  readonly frame: GethCallFrame;
  /** 0 for the outermost. */
  readonly depth: number;
  /** Number of the shown calls directly below it, which follow. */
  readonly callCount: number;
}

/** Options of callTracer, and of formats that are made of it. */
export interface ShownCalls extends CallTracerOptions {
  /** Leaves out CALL and STATICCALL of precompiles. */
  readonly hidesPrecompiles?: boolean;
}

/** The calls of a recording, depth first, each made when it is read. To show logs, the recording must have them. */
export function* eachCall(
  { frames }: Pick<Recording, "frames">,
  totals: TransactionTotals,
  options: ShownCalls = {},
): Generator<PlacedCall, void, undefined> {
  const { onlyTopCall = false, hidesPrecompiles = false } = options;
  const hides = hidesPrecompiles ? isPlainPrecompileCall : undefined;
  const context = { ...options, firstLogIndex: totals.firstLogIndex ?? 0 };
  const ofTransaction = { gas: totals.gasLimit, gasUsed: totals.gasUsed, ...totals.dimensions };
  /** By depth: true if the last frame there, or one around it, failed. */
  const undone: boolean[] = [];
  for (const { frame, selfDestruct, depth } of visits(frames, hides)) {
    if (selfDestruct !== undefined) {
      yield { frame: selfDestructFrame(selfDestruct), depth, callCount: 0 };
      continue;
    }
    const isUndone = frame.error !== undefined || undone[depth - 1] === true;
    undone[depth] = isUndone;
    const made = gethFrame(frame, { ...context, isUndone });
    const callCount = onlyTopCall ? 0 : countBelow(frame, frames, hides);
    yield { frame: depth === 0 ? Object.assign(made, ofTransaction) : made, depth, callCount };
    if (onlyTopCall) return;
  }
}

function isPlainPrecompileCall({ kind, isPrecompile }: CallFrame): boolean {
  return isPrecompile && (kind === FrameKind.call || kind === FrameKind.staticCall);
}

/** The call tree of a recording; undefined if nothing ran. */
export function* callTrace(
  recording: Pick<Recording, "frames">,
  totals: TransactionTotals,
  options: CallTracerOptions = {},
): Steps<GethCallFrame | undefined> {
  const around: (GethCallFrame & { calls?: GethCallFrame[] })[] = [];
  for (const { frame, depth } of eachCall(recording, totals, options)) {
    yield;
    around.length = depth;
    const parent = around.at(-1);
    if (parent?.calls !== undefined) parent.calls.push(frame);
    // A list that begins empty has room for seventeen.
    else if (parent !== undefined) parent.calls = [frame];
    around.push(frame as GethCallFrame & { calls?: GethCallFrame[] });
  }
  return around[0];
}

/** The calls of a tree, depth first. */
export function* callsOf(root: GethCallFrame): Generator<PlacedCall, void, undefined> {
  /** For each frame around the next one: its calls that are left. */
  const around: Iterator<GethCallFrame>[] = [[root][Symbol.iterator]()];
  for (let left = around.at(-1); left !== undefined; left = around.at(-1)) {
    const next = left.next();
    if (next.done === true) {
      around.pop();
      continue;
    }
    const frame = next.value;
    const calls = frame.calls ?? [];
    yield { frame, depth: around.length - 1, callCount: calls.length };
    around.push(calls[Symbol.iterator]());
  }
}

interface FrameContext extends CallTracerOptions {
  readonly firstLogIndex: number;
  /** True if the frame, or one around it, failed. */
  readonly isUndone: boolean;
}

function gethFrame(frame: CallFrame, context: FrameContext): GethCallFrame {
  const failure = failureOf(frame);
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

function gethLog({ address, topics, data, index, position }: FrameLog, context: FrameContext): GethLog {
  const { firstLogIndex, onlyTopCall } = context;
  // Calls that are left out are not counted (ethereum/execution-apis#855).
  return { address, topics, data, index: firstLogIndex + index, position: onlyTopCall === true ? 0 : position };
}
