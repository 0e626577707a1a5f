// Yellow paper §8, message calls: the beginning of their frames.

import { emptyCode } from "../code/new-code";
import { Operation, Record } from "../code/records";
import { FrameError, FrameKind } from "../facts.generated";
import { noteAccess } from "../instructions/environment";
import { EIP_2929, EIP_7708, EIP_8037 } from "../machine/eips";
import { Frame, FrameFlag } from "../machine/frame";
import { frame, gas, hasEip, setGas } from "../machine/machine";
import { memoryOffset, memoryStart } from "../machine/memory";
import { price } from "../machine/price";
import { setReturnLength } from "../machine/return-data";
import { copyAddress, copyWord, isZero, saturated, setZero } from "../machine/words";
import { transfer } from "../state/substate";
import { accountAt, findAccount } from "../state/world-state";
import { prepareRefusal, tellEnter, tellRefusal } from "../trace/events";
import { codeOfCalled, forwardedOf, noteDelegateAccess } from "./call-price";
import { enterCode, FRAME_CHANGED, leaveCaller, openFrame, raise, refusalOf, refuse } from "./frame-start";
import { refundRunning, takeStateGas } from "./state-gas";
import { addTransferLog } from "./transfer-log";

/** Gas added to a call that transfers value, at no cost to the caller. */
const STIPEND: i64 = 2300;

/** The first record of a frame that runs a precompile. */
const precompileRecord: Record = changetype<Record>(
  memory.data<u16>([<u16>Operation.RUN_PRECOMPILE, 0, 0, 0, 0, 0, 0, 0], 16),
);

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
  noteAccess(accountAt(price.account));
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
    prepareRefusal(kind, childGas, accountAt(price.account).precompile != 0);
    const shown = kind == FrameKind.DELEGATE_CALL ? caller.value : value == 0 ? zero : value;
    copyAddress(callee, sp - 64);
    tellRefusal(caller, callee, shown, memoryStart + input, inputLength, refusal);
    if (hasEip(EIP_8037) && price.accountGas != 0) refundRunning(price.accountGas);
    return refuse(bottom, childGas);
  }
  const child = caller.opened;
  child.kind = kind;
  child.input = memoryOffset() + input;
  child.inputLength = inputLength;
  child.firstGas = childGas;
  const inherited = caller.flags & FrameFlag.STATIC;
  const paid = hasEip(EIP_8037) && price.accountGas != 0 ? FrameFlag.MAKES_ACCOUNT : 0;
  child.flags = (kind == FrameKind.STATIC_CALL ? FrameFlag.STATIC : inherited) | paid;
  fillParties(child, caller, sp - 64, value);
  leaveCaller(caller, bottom);
  openFrame(child, sp);
  startCall(child);
  return FRAME_CHANGED;
}

/** Sets address, caller, value and precompile of a frame. */
function fillParties(child: Frame, caller: Frame, target: usize, value: usize): void {
  const kind = child.kind;
  const isForeign = kind == FrameKind.CALL_CODE || kind == FrameKind.DELEGATE_CALL;
  if (isForeign) copyWord(child.address, caller.address);
  else copyAddress(child.address, target);
  child.self = isForeign ? caller.self : price.account;
  copyWord(child.caller, kind == FrameKind.DELEGATE_CALL ? caller.caller : caller.address);
  if (kind == FrameKind.DELEGATE_CALL) copyWord(child.value, caller.value);
  else if (value != 0) copyWord(child.value, value);
  else setZero(child.value);
  copyAddress(callee, target);
  child.precompile = accountAt(price.account).precompile;
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
  child.self = price.account;
  child.precompile = accountAt(price.account).precompile;
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
