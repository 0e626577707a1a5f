// Yellow paper §8, message calls: the beginning of their frames.

import { FrameError, FrameKind } from "../facts.generated";
import { EIP_2929, EIP_7708, EIP_8037 } from "../machine/eips";
import * as Frame from "../machine/frame";
import { emptyCode } from "../code/code";
import { entryOf } from "../code/decode";
import { RAISE, RUN_PRECOMPILE } from "../code/records";
import { noteAccess } from "../instructions/environment";
import {
  ACCOUNT_BALANCE,
  ACCOUNT_PRECOMPILE,
  TRACE_ACCESSES,
  TRACE_LIVE,
  TRACE_STEPS,
} from "../machine/layout";
import { depth, frame, gas, hasEip, reservoir, setDepth, setFrame, setGas } from "../machine/machine";
import { enterMemory, memoryOffset, memorySize, memoryStart, prepareStack, stackOffset } from "../machine/memory";
import { setReturnLength } from "../machine/return-data";
import { copyAddress, copyWord, isBelow, isZero, saturated, setZero } from "../machine/words";
import { called, codeOfCalled, forwardedOf, noteDelegateAccess, paidAccount } from "./call-price";
import { raise } from "./frame-end";
import { refundRunning, takeStateGas } from "./state-gas";
import { addTransferLog } from "./transfer-log";
import { journalEnd } from "../state/journal";
import { refund, transfer } from "../state/substate";
import { accountAt, findAccount } from "../state/world-state";
import {
  logBytes,
  logCount,
  numberFrame,
  prepareRefusal,
  setRefusalError,
  tellEnter,
  tellRefusal,
  tracing,
} from "../trace/events";

/** Returned to `run` by an instruction if another frame is now the running one. */
export const FRAME_CHANGED: i32 = -1000;

/** Most nested frames, without the outermost one. */
export const DEPTH_LIMIT: u32 = 1024;

/** Gas added to a call that transfers value, at no cost to the caller. */
const STIPEND: i64 = 2300;

// First records of frames that run no code: a precompile, and an error.
export const precompileRecord = memory.data<u16>([<u16>RUN_PRECOMPILE, 0, 0, 0, 0, 0, 0, 0], 16);
export const raiseRecord = memory.data<u16>([<u16>RAISE, 0, 0, 0, 0, 0, 0, 0], 16);

/** The called address as a word, and a word of zeros. */
const callee = memory.data(32, 16);
const zero = memory.data(32, 16);

export function runCall(sp: usize): i32 {
  return begin(sp, FrameKind.CALL, sp - 96, sp - 96, sp - 224);
}
export function runCallcode(sp: usize): i32 {
  return begin(sp, FrameKind.CALL_CODE, sp - 96, sp - 96, sp - 224);
}
export function runDelegatecall(sp: usize): i32 {
  return begin(sp, FrameKind.DELEGATE_CALL, sp - 64, 0, sp - 192);
}
export function runStaticcall(sp: usize): i32 {
  return begin(sp, FrameKind.STATIC_CALL, sp - 64, 0, sp - 192);
}

/** Begins a call whose price has been charged. `bottom` is the place of its result. */
function begin(sp: usize, kind: u32, regions: usize, value: usize, bottom: usize): i32 {
  noteAccess(accountAt(called));
  noteDelegateAccess();
  const caller = frame;
  if (hasEip(EIP_8037)) takeStateGas();
  const forwarded = forwardedOf(saturated(sp - 32), gas);
  const moves = value != 0 && !isZero(value);
  const childGas = moves ? forwarded + STIPEND : forwarded;
  setGas(gas - forwarded);
  setReturnLength(0);
  const outputLength = <u32>saturated(regions - 128);
  const inputLength = <u32>saturated(regions - 64);
  store<u32>(caller + Frame.OUTPUT, outputLength == 0 ? 0 : load<u32>(regions - 96));
  store<u32>(caller + Frame.OUTPUT_LENGTH, outputLength);
  const input = inputLength == 0 ? 0 : load<u32>(regions - 32);
  const refusal = refusalOf(value);
  if (refusal != 0) {
    prepareRefusal(kind, childGas, load<u32>(accountAt(called) + ACCOUNT_PRECOMPILE) != 0);
    const shown = kind == FrameKind.DELEGATE_CALL ? caller + Frame.VALUE : value == 0 ? zero : value;
    copyAddress(callee, sp - 64);
    setRefusalError(tellRefusal(caller, callee, shown, memoryStart + input, inputLength), refusal);
    if (hasEip(EIP_8037) && paidAccount != 0) refundRunning(paidAccount);
    return refuse(bottom, childGas);
  }
  const child = caller + Frame.FRAME_BYTES;
  store<u32>(child + Frame.KIND, kind);
  store<u32>(child + Frame.INPUT, memoryOffset() + input);
  store<u32>(child + Frame.INPUT_LENGTH, inputLength);
  store<i64>(child + Frame.FIRST_GAS, childGas);
  const inherited = load<u32>(caller + Frame.FLAGS) & Frame.STATIC;
  const paid = hasEip(EIP_8037) && paidAccount != 0 ? Frame.MAKES_ACCOUNT : 0;
  store<u32>(child + Frame.FLAGS, (kind == FrameKind.STATIC_CALL ? Frame.STATIC : inherited) | paid);
  fillParties(child, caller, sp - 64, value);
  leaveCaller(caller, bottom);
  openFrame(child, sp);
  startCall(child);
  return FRAME_CHANGED;
}

/** The reason why a call or creation starts no frame; 0 if it starts one. @inline */
export function refusalOf(value: usize): i32 {
  if (depth >= DEPTH_LIMIT) return FrameError.CALL_TOO_DEEP;
  if (value == 0) return 0;
  return isBelow(accountAt(load<u32>(frame + Frame.SELF)) + ACCOUNT_BALANCE, value) ? FrameError.INSUFFICIENT_BALANCE : 0;
}

/** Pushes zero as the result of a call without a frame, and returns its gas to the caller. */
export function refuse(bottom: usize, childGas: i64): i32 {
  setZero(bottom);
  setGas(gas + childGas);
  return 0;
}

/** Sets address, caller, value and precompile of a frame. */
function fillParties(child: usize, caller: usize, target: usize, value: usize): void {
  const kind = load<u32>(child + Frame.KIND);
  const isForeign = kind == FrameKind.CALL_CODE || kind == FrameKind.DELEGATE_CALL;
  if (isForeign) copyWord(child + Frame.ADDRESS, caller + Frame.ADDRESS);
  else copyAddress(child + Frame.ADDRESS, target);
  store<u32>(child + Frame.SELF, isForeign ? load<u32>(caller + Frame.SELF) : called);
  copyWord(child + Frame.CALLER, caller + (kind == FrameKind.DELEGATE_CALL ? Frame.CALLER : Frame.ADDRESS));
  if (kind == FrameKind.DELEGATE_CALL) copyWord(child + Frame.VALUE, caller + Frame.VALUE);
  else if (value != 0) copyWord(child + Frame.VALUE, value);
  else setZero(child + Frame.VALUE);
  copyAddress(callee, target);
  store<u32>(child + Frame.PRECOMPILE, load<u32>(accountAt(called) + ACCOUNT_PRECOMPILE));
}

/** Saves the caller's state until its child ends. The result of the child goes to `bottom`. */
export function leaveCaller(caller: usize, bottom: usize): void {
  store<i64>(caller + Frame.GAS, gas);
  store<u32>(caller + Frame.SP, stackOffset(bottom));
  store<u32>(caller + Frame.MEMORY_SIZE, memorySize);
}

/** Makes a frame the running one. Its stack begins at `sp`, its memory at the end of its caller's. */
export function openFrame(child: usize, sp: usize): void {
  const offset = stackOffset(sp);
  const memoryEnd = memoryOffset() + memorySize;
  store<u32>(child + Frame.STACK, offset);
  store<u32>(child + Frame.SP, offset);
  store<u32>(child + Frame.MEMORY, memoryEnd);
  prepareStack(offset);
  setDepth(depth + 1);
  beginFrame(child);
  enterMemory(memoryEnd, 0);
}

/** Sets the members that are the same at the beginning of every frame. */
export function beginFrame(child: usize): void {
  store<u32>(child + Frame.MEMORY_SIZE, 0);
  store<i64>(child + Frame.GAS, load<i64>(child + Frame.FIRST_GAS));
  store<u32>(child + Frame.JOURNAL, journalEnd);
  store<u32>(child + Frame.LOGS, logBytes);
  store<u32>(child + Frame.LOG_COUNT, logCount);
  store<i64>(child + Frame.REFUND, refund);
  store<i64>(child + Frame.SPILLED, 0);
  store<i64>(child + Frame.RESERVOIR, reservoir);
  store<u32>(child + Frame.STEP, 0);
  store<u32>(child + Frame.NUMBER, numberFrame());
  setFrame(child);
}

/** Starts the running frame, which is that of a call. The called address is in `callee`, its account is loaded. */
function startCall(child: usize): void {
  const isPrecompile = load<u32>(child + Frame.PRECOMPILE) != 0;
  const code = isPrecompile ? emptyCode : codeOfCalled();
  store<u32>(child + Frame.CODE, <u32>code);
  tellEnter(child, callee);
  const kind = load<u32>(child + Frame.KIND);
  const isMoved = kind == FrameKind.CALL || kind == FrameKind.STATIC_CALL;
  if (isMoved && moveTo(child)) return raise(child, FrameError.VALUE_OVERFLOW);
  if (isPrecompile) store<u32>(child + Frame.IP, <u32>precompileRecord);
  else enterCode(child, code);
}

/** Transfers the value of a call. Returns true if the receiver's balance would overflow. @inline */
function moveTo(child: usize): bool {
  const sender = findAccount(child + Frame.CALLER);
  if (transfer(sender, accountAt(load<u32>(child + Frame.SELF)), child + Frame.VALUE)) return true;
  if (hasEip(EIP_7708)) addTransferLog(child + Frame.CALLER, child + Frame.ADDRESS, child + Frame.VALUE);
  return false;
}

/** Starts the outermost frame as a call of the account in `called`. */
export function startOutermostCall(child: usize, to: usize): void {
  copyAddress(callee, to);
  store<u32>(child + Frame.SELF, called);
  store<u32>(child + Frame.PRECOMPILE, load<u32>(accountAt(called) + ACCOUNT_PRECOMPILE));
  if (hasEip(EIP_2929)) noteDelegateAccess();
  startCall(child);
}

/** Makes the outermost frame fail before it begins. */
export function refuseOutermost(child: usize, error: i32): void {
  copyAddress(callee, child + Frame.ADDRESS);
  store<u32>(child + Frame.CODE, <u32>emptyCode);
  tellEnter(child, callee);
  raise(child, error);
}

/** Makes the running frame execute a code from its beginning. */
export function enterCode(child: usize, code: usize): void {
  const isPrecise = (tracing & (TRACE_STEPS | TRACE_LIVE | TRACE_ACCESSES)) != 0;
  if (isPrecise) store<u32>(child + Frame.FLAGS, load<u32>(child + Frame.FLAGS) | Frame.PRECISE);
  store<u32>(child + Frame.IP, <u32>entryOf(code, isPrecise));
}
