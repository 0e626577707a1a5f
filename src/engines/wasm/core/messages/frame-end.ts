// Yellow paper §8, message calls: the end of any frame.

import { NO_CODE } from "../code/code";
import { isCounting } from "../code/coverage";
import { freeInitCode } from "../code/new-code";
import { FrameError, FrameKind, Outcome } from "../facts.generated";
import { EIP_8037 } from "../machine/eips";
import { fees } from "../machine/fees";
import { Frame } from "../machine/frame";
import { DONE, EVENT_IS_UNDEPOSITED } from "../machine/layout";
import { depth, frame, hasEip, setDepth, setFrame, setGas } from "../machine/machine";
import { mailbox } from "../machine/mailbox";
import { enterMemory, memoryStart, onStack } from "../machine/memory";
import { keepReturnData, returnData } from "../machine/return-data";
import { undoTo } from "../state/journal";
import { setRefund } from "../state/substate";
import { addDetail, tellExit } from "../trace/events";
import { undoLogs } from "../trace/logs";
import { completeStep, failStep } from "../trace/recorded-steps";
import { ITEM_BYTES } from "../words/stack";
import { Word } from "../words/word";
import { deposit } from "./code-deposit";
import { FRAME_CHANGED, raised } from "./frame-start";
import { mergeSpill, refundState, rollBack } from "./state-gas";

/** The failure that ends the running frame. */
@unmanaged
class Failure {
  private initCodeSizeLow: v128;
  private initCodeSizeHigh: v128;
  /** The flags of the frame's event, and numbers. */
  flags: u32;
  detail: u32;
  /** The output of a REVERT. */
  output: usize;
  outputLength: usize;

  /** The length of a failed creation's init code, a word. */
  @inline get initCodeSize(): Word {
    return changetype<Word>(this);
  }
}

const failure: Failure = changetype<Failure>(memory.data(offsetof<Failure>(), 16));

/** Keeps the detail of a failure: an opcode with its cause, or the fault of a precompile. */
export function noteDetail(flags: u32, detail: u32): void {
  failure.flags = flags;
  failure.detail = detail;
  failure.initCodeSize.setZero();
}

/** Keeps the length of the init code of a failed creation, a word. */
export function noteInitCodeSize(word: Word): void {
  failure.initCodeSize.set(word);
}

/** Keeps the output of a REVERT. Returns what the loop takes for a failure. */
export function revertWith(output: usize, length: usize): i32 {
  failure.output = output;
  failure.outputLength = length;
  return -FrameError.REVERTED;
}

/** Ends the running frame with an error. */
export function fail(error: i32): i32 {
  const length = failure.outputLength;
  failure.outputLength = 0;
  return leave(error, failure.output, length);
}

/** Ends the running frame with the error that was raised. */
export function endRaised(): i32 {
  return fail(raised);
}

/** The outcome of the step that ended its frame. */
export function outcomeOf(error: i32): u32 {
  if (error == 0 || error == FrameError.REVERTED) return Outcome.DONE;
  return error == FrameError.INVALID_JUMP ? Outcome.BAD_JUMP : Outcome.FAILED;
}

/**
 * Ends the running frame.
 *
 * @param error - 0 for success
 * @returns DONE if it was the outermost frame, otherwise FRAME_CHANGED
 */
export function leave(error: i32, output: usize, length: usize): i32 {
  const ended = frame;
  let reason = error;
  let outputLength = length;
  const isCreation = ended.kind >= FrameKind.CREATE;
  let isUndeposited = false;
  if (ended.openStep != 0) endStep(ended, error);
  if (isCreation && reason == 0) {
    reason = deposit(ended, output, length);
    isUndeposited = reason < 0;
    if (isUndeposited) reason = 0;
  }
  if (isCreation) forgetInitCode(ended);
  if (reason != 0) {
    undoTo(ended.journalMark);
    undoLogs(ended.logMark);
    setRefund(ended.refundMark);
    if (hasEip(EIP_8037)) ended.gas += rollBack(ended);
    if (reason != FrameError.REVERTED) {
      ended.gas = 0;
      outputLength = 0;
    }
  }
  if (ended.reported != 0) {
    const event = tellExit(ended, reason, output, outputLength);
    if (failure.flags != 0) addDetail(event, failure.flags, failure.detail, failure.initCodeSize);
    if (isUndeposited) addDetail(event, EVENT_IS_UNDEPOSITED, 0, failure.initCodeSize);
  }
  // Frontier: the event contains the code that was not deployed, but the result of the creation does not.
  if (depth == 0) return finish(ended, reason, output, isUndeposited ? 0 : outputLength);
  failure.flags = 0;
  returnTo(ended, reason, output, isCreation && reason == 0 ? 0 : outputLength);
  return FRAME_CHANGED;
}

/** Frees the init code of a creation, unless the host has yet to read how often it ran. */
function forgetInitCode(ended: Frame): void {
  const code = ended.code;
  if (code != NO_CODE && !isCounting) freeInitCode(code);
}

/** Completes the record of the step that ended a frame. */
function endStep(ended: Frame, error: i32): void {
  const outcome = outcomeOf(error);
  // It left no item.
  if (outcome == Outcome.DONE) completeStep(ended, onStack(ended.stackStart));
  else failStep(ended, outcome);
}

/** Returns the gas, the result and the output of a frame to its caller. */
function returnTo(ended: Frame, error: i32, output: usize, length: usize): void {
  const caller = ended.opener;
  keepReturnData(output, length);
  const memoryAt = caller.memoryOffset;
  setFrame(caller);
  setDepth(depth - 1);
  enterMemory(memoryAt, caller.memorySize);
  caller.gas += ended.gas;
  if (hasEip(EIP_8037)) settleStateGas(caller, ended, error);
  const isCreation = ended.kind >= FrameKind.CREATE;
  const result = onStack(caller.stackTop).pushed;
  if (error != 0) result.setZero();
  else if (isCreation) result.set(ended.address);
  else result.setSmall(1);
  caller.stackTop += <u32>ITEM_BYTES;
  if (isCreation) return;
  const copied = min<usize>(length, caller.outputLength);
  // Copied from the return data, since the caller's memory may grow over the child's memory.
  if (copied != 0) memory.copy(memoryStart + caller.output, returnData(), copied);
}

/** Settles state gas between a frame and its caller. The caller is refunded for an account that was not created. */
function settleStateGas(caller: Frame, ended: Frame, error: i32): void {
  let back: i64 = 0;
  if (error == 0) back = mergeSpill(caller, ended);
  else if (ended.makesAccount) {
    back = refundState(caller, fees.stateAccount);
  }
  caller.gas += back;
}

/** State gas that the outermost frame paid from its gas. */
export let spilled: i64 = 0;

/** Writes the result of the outermost frame into the mailbox. */
function finish(ended: Frame, error: i32, output: usize, length: usize): i32 {
  keepReturnData(output, length);
  mailbox.error = error;
  mailbox.flags = failure.flags;
  mailbox.detail = failure.detail;
  mailbox.initCodeSize.set(failure.initCodeSize);
  mailbox.output = <u32>returnData();
  mailbox.outputLength = <u32>length;
  setGas(ended.gas);
  spilled = ended.spilled;
  failure.flags = 0;
  return DONE;
}
