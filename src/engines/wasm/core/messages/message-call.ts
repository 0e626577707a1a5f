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
import { transfer } from "../state/substate";
import { accountAt, findAccount } from "../state/world-state";
import { prepareRefusal, tellEnter, tellRefusal } from "../trace/events";
import { Stack } from "../words/stack";
import { Word } from "../words/word";
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
const callee: Word = changetype<Word>(memory.data(32, 16));
const zero: Word = changetype<Word>(memory.data(32, 16));

export function runCall(stack: Stack): i32 {
  return begin(stack, FrameKind.CALL, stack.below(3), stack.third, stack.item(7));
}
export function runCallcode(stack: Stack): i32 {
  return begin(stack, FrameKind.CALL_CODE, stack.below(3), stack.third, stack.item(7));
}
export function runDelegatecall(stack: Stack): i32 {
  return begin(stack, FrameKind.DELEGATE_CALL, stack.below(2), null, stack.item(6));
}
export function runStaticcall(stack: Stack): i32 {
  return begin(stack, FrameKind.STATIC_CALL, stack.below(2), null, stack.item(6));
}

/** Begins a call whose price has been charged. `bottom` is the place of its result. */
function begin(stack: Stack, kind: u32, regions: Stack, value: Word | null, bottom: Word): i32 {
  noteAccess(accountAt(price.account));
  noteDelegateAccess();
  const caller = frame;
  if (hasEip(EIP_8037)) takeStateGas();
  const forwarded = forwardedOf(stack.top.saturated, gas);
  const moves = value != null && !value.isZero;
  const childGas = moves ? forwarded + STIPEND : forwarded;
  setGas(gas - forwarded);
  setReturnLength(0);
  const outputLength = <u32>regions.fourth.saturated;
  const inputLength = <u32>regions.second.saturated;
  caller.output = outputLength == 0 ? 0 : regions.third.lowest32;
  caller.outputLength = outputLength;
  const input = inputLength == 0 ? 0 : regions.top.lowest32;
  const refusal = refusalOf(value);
  if (refusal != 0) {
    prepareRefusal(kind, childGas, accountAt(price.account).precompile != 0);
    const shown = kind == FrameKind.DELEGATE_CALL ? caller.value : value == null ? zero : value;
    callee.setAddress(stack.second);
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
  fillParties(child, caller, stack.second, value);
  leaveCaller(caller, bottom);
  openFrame(child, stack);
  startCall(child);
  return FRAME_CHANGED;
}

/** Sets address, caller, value and precompile of a frame. */
function fillParties(child: Frame, caller: Frame, target: Word, value: Word | null): void {
  const kind = child.kind;
  const isForeign = kind == FrameKind.CALL_CODE || kind == FrameKind.DELEGATE_CALL;
  if (isForeign) child.address.set(caller.address);
  else child.address.setAddress(target);
  child.self = isForeign ? caller.self : price.account;
  child.caller.set(kind == FrameKind.DELEGATE_CALL ? caller.caller : caller.address);
  if (kind == FrameKind.DELEGATE_CALL) child.value.set(caller.value);
  else if (value != null) child.value.set(value);
  else child.value.setZero();
  callee.setAddress(target);
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
export function startOutermostCall(child: Frame, to: Word): void {
  callee.setAddress(to);
  child.self = price.account;
  child.precompile = accountAt(price.account).precompile;
  if (hasEip(EIP_2929)) noteDelegateAccess();
  startCall(child);
}

/** Makes the outermost frame fail before it begins. */
export function refuseOutermost(child: Frame, error: i32): void {
  callee.setAddress(child.address);
  child.code = emptyCode;
  tellEnter(child, callee);
  raise(child, error);
}
