// Yellow paper §8, message calls: the beginning of their frames.

import { FrameError, FrameKind } from "../facts.generated";
import { EIP_2929, EIP_7708, EIP_8037 } from "../machine/eips";
import { Frame, FrameFlag } from "../machine/frame";
import { emptyCode } from "../code/new-code";
import { entryOf } from "../code/decode";
import { Operation, Record } from "../code/records";
import { Code } from "../code/code";
import { noteAccess } from "../instructions/environment";
import { TRACE_ACCESSES, TRACE_LIVE, TRACE_STEPS } from "../machine/layout";
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
export const precompileRecord: Record = changetype<Record>(memory.data<u16>([<u16>Operation.RUN_PRECOMPILE, 0, 0, 0, 0, 0, 0, 0], 16));
export const raiseRecord: Record = changetype<Record>(memory.data<u16>([<u16>Operation.RAISE, 0, 0, 0, 0, 0, 0, 0], 16));

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
  caller.output = outputLength == 0 ? 0 : load<u32>(regions - 96);
  caller.outputLength = outputLength;
  const input = inputLength == 0 ? 0 : load<u32>(regions - 32);
  const refusal = refusalOf(value);
  if (refusal != 0) {
    prepareRefusal(kind, childGas, accountAt(called).precompile != 0);
    const shown = kind == FrameKind.DELEGATE_CALL ? caller.value : value == 0 ? zero : value;
    copyAddress(callee, sp - 64);
    setRefusalError(tellRefusal(caller, callee, shown, memoryStart + input, inputLength), refusal);
    if (hasEip(EIP_8037) && paidAccount != 0) refundRunning(paidAccount);
    return refuse(bottom, childGas);
  }
  const child = caller.opened;
  child.kind = kind;
  child.input = memoryOffset() + input;
  child.inputLength = inputLength;
  child.firstGas = childGas;
  const inherited = caller.flags & FrameFlag.STATIC;
  const paid = hasEip(EIP_8037) && paidAccount != 0 ? FrameFlag.MAKES_ACCOUNT : 0;
  child.flags = (kind == FrameKind.STATIC_CALL ? FrameFlag.STATIC : inherited) | paid;
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
  return isBelow(accountAt(frame.self).balance, value) ? FrameError.INSUFFICIENT_BALANCE : 0;
}

/** Pushes zero as the result of a call without a frame, and returns its gas to the caller. */
export function refuse(bottom: usize, childGas: i64): i32 {
  setZero(bottom);
  setGas(gas + childGas);
  return 0;
}

/** Sets address, caller, value and precompile of a frame. */
function fillParties(child: Frame, caller: Frame, target: usize, value: usize): void {
  const kind = child.kind;
  const isForeign = kind == FrameKind.CALL_CODE || kind == FrameKind.DELEGATE_CALL;
  if (isForeign) copyWord(child.address, caller.address);
  else copyAddress(child.address, target);
  child.self = isForeign ? caller.self : called;
  copyWord(child.caller, kind == FrameKind.DELEGATE_CALL ? caller.caller : caller.address);
  if (kind == FrameKind.DELEGATE_CALL) copyWord(child.value, caller.value);
  else if (value != 0) copyWord(child.value, value);
  else setZero(child.value);
  copyAddress(callee, target);
  child.precompile = accountAt(called).precompile;
}

/** Saves the caller's state until its child ends. The result of the child goes to `bottom`. */
export function leaveCaller(caller: Frame, bottom: usize): void {
  caller.gas = gas;
  caller.stackTop = stackOffset(bottom);
  caller.memorySize = memorySize;
}

/** Makes a frame the running one. Its stack begins at `sp`, its memory at the end of its caller's. */
export function openFrame(child: Frame, sp: usize): void {
  const offset = stackOffset(sp);
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
  child.journalMark = journalEnd;
  child.logMark = logBytes;
  child.logCountMark = logCount;
  child.refundMark = refund;
  child.spilled = 0;
  child.reservoirMark = reservoir;
  child.openStep = 0;
  child.number = numberFrame();
  setFrame(child);
}

/** Starts the running frame, which is that of a call. The called address is in `callee`, its account is loaded. */
function startCall(child: Frame): void {
  const isPrecompile = child.precompile != 0;
  const code = isPrecompile ? emptyCode : codeOfCalled();
  child.code = code;
  tellEnter(child, callee);
  const kind = child.kind;
  const isMoved = kind == FrameKind.CALL || kind == FrameKind.STATIC_CALL;
  if (isMoved && moveTo(child)) return raise(child, FrameError.VALUE_OVERFLOW);
  if (isPrecompile) child.ip = precompileRecord;
  else enterCode(child, code);
}

/** Transfers the value of a call. Returns true if the receiver's balance would overflow. @inline */
function moveTo(child: Frame): bool {
  const sender = findAccount(child.caller);
  if (transfer(sender, accountAt(child.self), child.value)) return true;
  if (hasEip(EIP_7708)) addTransferLog(child.caller, child.address, child.value);
  return false;
}

/** Starts the outermost frame as a call of the account in `called`. */
export function startOutermostCall(child: Frame, to: usize): void {
  copyAddress(callee, to);
  child.self = called;
  child.precompile = accountAt(called).precompile;
  if (hasEip(EIP_2929)) noteDelegateAccess();
  startCall(child);
}

/** Makes the outermost frame fail before it begins. */
export function refuseOutermost(child: Frame, error: i32): void {
  copyAddress(callee, child.address);
  child.code = emptyCode;
  tellEnter(child, callee);
  raise(child, error);
}

/** Makes the running frame execute a code from its beginning. */
export function enterCode(child: Frame, code: Code): void {
  const isPrecise = (tracing & (TRACE_STEPS | TRACE_LIVE | TRACE_ACCESSES)) != 0;
  if (isPrecise) child.flags |= FrameFlag.PRECISE;
  child.ip = entryOf(code, isPrecise);
}
