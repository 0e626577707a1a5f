// Yellow paper §8, message calls: how their frames begin.

import * as Frame from "../machine/frame";
import { emptyCode } from "../code/code";
import { entryOf } from "../code/decode";
import { noteAccess } from "../instructions/environment";
import {
  ACCOUNT_BALANCE,
  ACCOUNT_PRECOMPILE,
  ERROR_BALANCE,
  ERROR_DEPTH,
  ERROR_VALUE_OVERFLOW,
  RULE_AMSTERDAM,
  RULE_BERLIN,
  TRACE_ACCESSES,
  TRACE_LIVE,
  TRACE_STEPS,
} from "../machine/layout";
import { depth, frame, gas, hasRule, reservoir, setDepth, setFrame, setGas } from "../machine/machine";
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
  tellsOf,
  tracing,
} from "../trace/events";

/** An instruction returns this to `run` when execution goes on in another frame. */
export const FRAME_CHANGED: i32 = -1000;

/** Frames below the outermost one at a time. */
export const DEPTH_LIMIT: u32 = 1024;

/** What a called frame gets on top where value moves, not taken from the caller. */
const STIPEND: i64 = 2300;

/** Records that frames begin with which run no code, or that end them. */
export const precompileRecord = memory.data<u16>([0x205, 0, 0, 0, 0, 0, 0, 0], 16);
export const raiseRecord = memory.data<u16>([0x206, 0, 0, 0, 0, 0, 0, 0], 16);

/** Word of the address that is called, and a word of zeros. */
const callee = memory.data(32, 16);
const zero = memory.data(32, 16);

export function call(sp: usize): i32 {
  return begin(sp, Frame.CALL, sp - 96, sp - 96, sp - 224);
}
export function callcode(sp: usize): i32 {
  return begin(sp, Frame.CALLCODE, sp - 96, sp - 96, sp - 224);
}
export function delegatecall(sp: usize): i32 {
  return begin(sp, Frame.DELEGATECALL, sp - 64, 0, sp - 192);
}
export function staticcall(sp: usize): i32 {
  return begin(sp, Frame.STATICCALL, sp - 64, 0, sp - 192);
}

/** Begins a call that has been paid for; `bottom` is where its result goes. */
function begin(sp: usize, kind: u32, regions: usize, value: usize, bottom: usize): i32 {
  noteAccess(accountAt(called));
  noteDelegateAccess();
  const caller = frame;
  if (hasRule(RULE_AMSTERDAM)) takeStateGas();
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
    const shown = kind == Frame.DELEGATECALL ? caller + Frame.VALUE : value == 0 ? zero : value;
    copyAddress(callee, sp - 64);
    setRefusalError(tellRefusal(caller, callee, shown, memoryStart + input, inputLength), refusal);
    if (hasRule(RULE_AMSTERDAM) && paidAccount != 0) refundRunning(paidAccount);
    return refuse(bottom, childGas);
  }
  const child = caller + Frame.FRAME_BYTES;
  store<u32>(child + Frame.KIND, kind);
  store<u32>(child + Frame.INPUT, memoryOffset() + input);
  store<u32>(child + Frame.INPUT_LENGTH, inputLength);
  store<i64>(child + Frame.FIRST_GAS, childGas);
  const inherited = load<u32>(caller + Frame.FLAGS) & Frame.STATIC;
  const paid = hasRule(RULE_AMSTERDAM) && paidAccount != 0 ? Frame.MAKES_ACCOUNT : 0;
  store<u32>(child + Frame.FLAGS, (kind == Frame.STATICCALL ? Frame.STATIC : inherited) | paid);
  fillParties(child, caller, sp - 64, value);
  leaveCaller(caller, bottom);
  openFrame(child, sp);
  startCall(child);
  return FRAME_CHANGED;
}

/** Why a call or creation starts no frame; 0 if it does. */
// @ts-ignore: decorator
@inline
export function refusalOf(value: usize): i32 {
  if (depth >= DEPTH_LIMIT) return ERROR_DEPTH;
  if (value == 0) return 0;
  return isBelow(accountAt(load<u32>(frame + Frame.SELF)) + ACCOUNT_BALANCE, value) ? ERROR_BALANCE : 0;
}

/** Answers zero in the place of a frame, whose gas stays here. */
export function refuse(bottom: usize, childGas: i64): i32 {
  setZero(bottom);
  setGas(gas + childGas);
  return 0;
}

/** Who calls whom with what value, in whose context. */
function fillParties(child: usize, caller: usize, target: usize, value: usize): void {
  const kind = load<u32>(child + Frame.KIND);
  const isForeign = kind == Frame.CALLCODE || kind == Frame.DELEGATECALL;
  if (isForeign) copyWord(child + Frame.ADDRESS, caller + Frame.ADDRESS);
  else copyAddress(child + Frame.ADDRESS, target);
  store<u32>(child + Frame.SELF, isForeign ? load<u32>(caller + Frame.SELF) : called);
  copyWord(child + Frame.CALLER, caller + (kind == Frame.DELEGATECALL ? Frame.CALLER : Frame.ADDRESS));
  if (kind == Frame.DELEGATECALL) copyWord(child + Frame.VALUE, caller + Frame.VALUE);
  else if (value != 0) copyWord(child + Frame.VALUE, value);
  else setZero(child + Frame.VALUE);
  copyAddress(callee, target);
  store<u32>(child + Frame.PRECOMPILE, load<u32>(accountAt(called) + ACCOUNT_PRECOMPILE));
}

/** Puts the caller aside until its child has ended; the result goes to `bottom`. */
export function leaveCaller(caller: usize, bottom: usize): void {
  store<i64>(caller + Frame.GAS, gas);
  store<u32>(caller + Frame.SP, stackOffset(bottom));
  store<u32>(caller + Frame.MEMORY_SIZE, memorySize);
}

/** Makes a frame the running one: its stack begins behind `sp`, its memory behind its caller's. */
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

/** Sets the members that begin alike in every frame. */
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

/** Starts the running frame, which is one of a call: who is called is in `callee`, and was found. */
function startCall(child: usize): void {
  const isTold = tellsOf(callee);
  store<u32>(child + Frame.IS_TOLD, u32(isTold));
  const isPrecompile = load<u32>(child + Frame.PRECOMPILE) != 0;
  const code = isPrecompile ? emptyCode : codeOfCalled();
  store<u32>(child + Frame.CODE, <u32>code);
  if (isTold) tellEnter(child, callee);
  const kind = load<u32>(child + Frame.KIND);
  const isMoved = kind == Frame.CALL || kind == Frame.STATICCALL;
  if (isMoved && moveTo(child)) return raise(child, ERROR_VALUE_OVERFLOW);
  if (isPrecompile) store<u32>(child + Frame.IP, <u32>precompileRecord);
  else enterCode(child, code);
}

/** Moves the value of a call to its account; true if that cannot hold it. */
// @ts-ignore: decorator
@inline
function moveTo(child: usize): bool {
  const sender = findAccount(child + Frame.CALLER);
  if (transfer(sender, accountAt(load<u32>(child + Frame.SELF)), child + Frame.VALUE)) return true;
  if (hasRule(RULE_AMSTERDAM)) addTransferLog(child + Frame.CALLER, child + Frame.ADDRESS, child + Frame.VALUE);
  return false;
}

/** Starts the outermost frame as one of a call of the account that was found. */
export function startOutermostCall(child: usize, to: usize): void {
  copyAddress(callee, to);
  store<u32>(child + Frame.SELF, called);
  store<u32>(child + Frame.PRECOMPILE, load<u32>(accountAt(called) + ACCOUNT_PRECOMPILE));
  if (hasRule(RULE_BERLIN)) noteDelegateAccess();
  startCall(child);
}

/** Has the outermost frame fail before it begins. */
export function refuseOutermost(child: usize, error: i32): void {
  copyAddress(callee, child + Frame.ADDRESS);
  const isTold = tellsOf(callee);
  store<u32>(child + Frame.IS_TOLD, u32(isTold));
  store<u32>(child + Frame.CODE, <u32>emptyCode);
  if (isTold) tellEnter(child, callee);
  raise(child, error);
}

/** Lets the running frame run a code from its beginning. */
export function enterCode(child: usize, code: usize): void {
  const isPrecise = (tracing & (TRACE_STEPS | TRACE_LIVE | TRACE_ACCESSES)) != 0;
  if (isPrecise) store<u32>(child + Frame.FLAGS, load<u32>(child + Frame.FLAGS) | Frame.PRECISE);
  store<u32>(child + Frame.IP, <u32>entryOf(code, isPrecise));
}
