// Yellow paper §8, message calls: what calls and creations have in common when a frame begins.

import { Code } from "../code/code";
import { entryOf } from "../code/decode";
import { Operation, Record } from "../code/records";
import { FrameError } from "../facts.generated";
import { Frame, FrameFlag } from "../machine/frame";
import { TRACE_ACCESSES, TRACE_LIVE, TRACE_STEPS } from "../machine/layout";
import { depth, frame, gas, reservoir, setDepth, setFrame, setGas } from "../machine/machine";
import { enterMemory, memoryOffset, memorySize, prepareStack, stackOffset } from "../machine/memory";
import { journalEnd } from "../state/journal";
import { refund } from "../state/substate";
import { accountAt } from "../state/world-state";
import { numberFrame } from "../trace/events";
import { logs } from "../trace/logs";
import { wants } from "../trace/recording";
import { Stack } from "../words/stack";
import { Word } from "../words/word";

/** Returned to `run` by an instruction if another frame is now the running one. */
export const FRAME_CHANGED: i32 = -1000;

/** Most nested frames, without the outermost one. */
export const DEPTH_LIMIT: u32 = 1024;

/** The first record of a frame that ends with an error. */
const raiseRecord: Record = changetype<Record>(memory.data<u16>([<u16>Operation.RAISE, 0, 0, 0, 0, 0, 0, 0], 16));

/** The reason why a call or creation starts no frame; 0 if it starts one. @inline */
export function refusalOf(value: Word | null): i32 {
  if (depth >= DEPTH_LIMIT) return FrameError.CALL_TOO_DEEP;
  if (value == null) return 0;
  return accountAt(frame.self).balance.isBelow(value) ? FrameError.INSUFFICIENT_BALANCE : 0;
}

/** Pushes zero as the result of a call without a frame, and returns its gas to the caller. */
export function refuse(bottom: Word, childGas: i64): i32 {
  bottom.setZero();
  setGas(gas + childGas);
  return 0;
}

/** Saves the caller's state until its child ends. The result of the child goes to `bottom`. */
export function leaveCaller(caller: Frame, bottom: Word): void {
  caller.ip = caller.ip.next;
  caller.gas = gas;
  caller.stackTop = stackOffset(changetype<Stack>(bottom));
  caller.memorySize = memorySize;
}

/** Makes a frame the running one. Its stack begins where its caller's ends, its memory at the end of its caller's. */
export function openFrame(child: Frame, stack: Stack): void {
  const offset = stackOffset(stack);
  const memoryEnd = memoryOffset() + memorySize;
  child.stackStart = offset;
  child.stackTop = offset;
  child.memoryOffset = memoryEnd;
  prepareStack(offset);
  setDepth(depth + 1);
  beginFrame(child);
  enterMemory(memoryEnd, 0);
}

/** Sets the members that are the same at the beginning of every frame. */
export function beginFrame(child: Frame): void {
  child.memorySize = 0;
  child.gas = child.firstGas;
  child.journalMark = journalEnd();
  child.logMark = logs.length;
  child.refundMark = refund;
  child.spilled = 0;
  child.reservoirMark = reservoir;
  child.openStep = 0;
  child.number = numberFrame();
  setFrame(child);
}

/** Makes the running frame execute a code from its beginning. */
export function enterCode(child: Frame, code: Code): void {
  const isPrecise = wants(TRACE_STEPS | TRACE_LIVE | TRACE_ACCESSES);
  if (isPrecise) child.flags |= FrameFlag.PRECISE;
  child.ip = entryOf(code, isPrecise);
}

// ---- Failures.

/** The error with which a frame ends when it next runs. */
export let raised: i32 = 0;

/** Makes a frame end with an error when it next runs. */
export function raise(target: Frame, error: i32): void {
  raised = error;
  target.ip = raiseRecord;
}
