/** Failures caused by a call or creation: one that failed, returned too little, or did not start. */
import { FrameKind, isCreation } from "../../evm/frames.ts";
import { Op, startsFrame } from "../../evm/opcodes.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { LastChild } from "./internal-calls.ts";
import type { KnownFrame } from "./known-frame.ts";
import { placeInActive } from "./optimized/shared-code.ts";
import { framesDownTo } from "./running-frames.ts";
import type { SolidityFrame, SolidityStack } from "./stack-frame.ts";

const { REVERT, RETURNDATACOPY, RETURNDATASIZE } = Op;
/** Most instructions between a call and the end of decoding its return data. */
const MOST_DECODING_STEPS = 100;

/** The failure of a call was passed on: the stack trace continues in it. */
export interface Propagated {
  /** Down to the line of the call. */
  readonly frames: readonly SolidityFrame[];
  readonly propagated: CallFrame;
}

/** The failure that the last call caused; undefined if it caused none. */
export function failureAfterCall(known: KnownFrame): SolidityStack | Propagated | undefined {
  const { lastChild } = known.internal;
  if (lastChild === undefined) return undefined;
  const { frame: child, calls, index } = lastChild;
  const frames = framesDownTo(known, calls, placeInActive(known, known.at(callRange(known, index)), lastChild));
  if (child.error !== undefined) {
    if (!isHandedOn(known, lastChild)) return undefined;
    if (runsNothing(child)) return { frames, reason: { kind: "halt", cause: child.error } };
    return { frames, propagated: child };
  }
  if (isCreation(child.kind) || child.kind === FrameKind.callCode) return undefined;
  if (!failsRightAfter(known, lastChild) && !failsForSize(known, lastChild)) return undefined;
  return hasCode(child)
    ? { frames, reason: { kind: "shortReturnData", given: child.output.length } }
    : { frames, reason: { kind: "noCode", address: child.to } };
}

/** True for a frame that failed before its first instruction: it has no line of its own. */
function runsNothing({ isPrecompile, error }: CallFrame): boolean {
  return isPrecompile || error === "createCollision";
}

function hasCode({ code, isPrecompile }: CallFrame): boolean {
  return isPrecompile || code.length > 0;
}

function isHandedOn(known: KnownFrame, lastChild: LastChild): boolean {
  const { frame: child } = lastChild;
  const { frame } = known;
  if (!equalBytes(frame.output, child.output)) return false;
  if (frame.error === "outOfGas" && child.error === "outOfGas") return true;
  return frame.output.length > 0 || failsRightAfter(known, lastChild) || copiesReturnData(known, lastChild.index);
}

/**
 * True for a revert with the call's return data. The optimizer shares such code between calls, so that its range names
 * neither of them.
 */
function copiesReturnData({ execution, last }: KnownFrame, index: number): boolean {
  return execution.opcode(last) === REVERT && execution.runsAfter(index, RETURNDATACOPY);
}

/** True for a revert without data soon after a call that returned nothing and a check of the return data's size. */
function failsForSize({ execution, last, frame }: KnownFrame, { frame: child, index }: LastChild): boolean {
  if (frame.error !== "reverted" || frame.output.length > 0 || child.output.length > 0) return false;
  return last - index < MOST_DECODING_STEPS && execution.runsAfter(index, RETURNDATASIZE);
}

/** True for a REVERT in the statement of the call, without another call in between. */
function failsRightAfter({ execution, last }: KnownFrame, { index }: LastChild): boolean {
  return execution.opcode(last) === REVERT && execution.staysAt(execution.at(index)?.range, index + 1);
}

function callRange({ execution }: KnownFrame, index: number) {
  return execution.at(index)?.range ?? execution.lastRange(index);
}

/** A call that did not start, for lack of wei or by its depth, in the statement that reverts. */
export function failureOfRefusedCall(known: KnownFrame): SolidityStack | undefined {
  const { execution, last } = known;
  if (execution.opcode(last) !== REVERT) return undefined;
  for (let index = last; index >= 0; index--) {
    const child = execution.children.get(index);
    if (child?.isStarted) return undefined;
    const opcode = execution.opcode(index);
    if (opcode === undefined || !startsFrame(opcode)) continue;
    const range = execution.at(index)?.range;
    if (!execution.staysAt(range, index + 1) && !copiesReturnData(known, index)) return undefined;
    const frames = framesDownTo(known, known.internal.calls, known.at(range));
    return { frames, reason: { kind: "callNotStarted", cause: child?.error } };
  }
  return undefined;
}
