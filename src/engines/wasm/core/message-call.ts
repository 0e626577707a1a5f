// Yellow paper §8, message calls: their prices, the beginning of their frames, and the end of any frame.

import {
  ACCOUNT_BALANCE,
  ACCOUNT_CODE,
  ACCOUNT_PRECOMPILE,
  DONE,
  ERROR_BALANCE,
  ERROR_DEPTH,
  ERROR_INVALID_JUMP,
  ERROR_REVERTED,
  ERROR_VALUE_OVERFLOW,
  EVENT_IS_UNDEPOSITED,
  FEE_CALL_NEW_ACCOUNT,
  FEE_CALL_VALUE,
  FEE_COLD_ACCOUNT,
  FEE_STATE_ACCOUNT,
  FEE_WARM,
  FLAG_EXISTS,
  FLAG_HAS_CODE,
  MAIL_DETAIL,
  MAIL_ERROR,
  MAIL_FLAGS,
  MAIL_INIT_CODE_SIZE,
  MAIL_OUTPUT,
  MAIL_OUTPUT_LENGTH,
  RULE_AMSTERDAM,
  RULE_BERLIN,
  RULE_PRAGUE,
  RULE_SPURIOUS,
  RULE_TANGERINE,
  TRACE_ACCESSES,
  TRACE_LIVE,
  TRACE_STEPS,
} from "./layout";
import { delegateOf, emptyCode, isDelegation } from "./code";
import { deposit } from "./contract-creation";
import { entryOf } from "./decode";
import { noteAccess, priceAccess } from "./environment";
import * as Frame from "./frame";
import { depth, fee, frame, gas, hasRule, mailbox, reservoir, setDepth, setFrame, setGas } from "./machine";
import {
  addPrice,
  enterMemory,
  inMemory,
  memoryOffset,
  memorySize,
  memoryStart,
  onStack,
  prepareStack,
  price,
  priceMemory,
  setUnpayable,
  stackOffset,
  useRegion,
} from "./memory";
import { REFUSED_STATIC } from "./refusals";
import { keepReturnData, returnData, setReturnLength } from "./return-data";
import {
  addStatePrice,
  beginStatePrice,
  chargeState,
  mergeSpill,
  refundRunning,
  refundState,
  rollBack,
  takeStateGas,
} from "./state-gas";
import { isWarmAccount, journalEnd, noteSeen, refund, setRefund, transfer, undoTo } from "./substate";
import {
  addDetail,
  completeStep,
  failStep,
  logBytes,
  logCount,
  numberFrame,
  prepareRefusal,
  setRefusalError,
  tellEnter,
  tellExit,
  tellRefusal,
  tellsOf,
  tracing,
  undoLogs,
} from "./trace";
import { addTransferLog } from "./transfer-log";
import { copyAddress, copyWord, isBelow, isZero, saturated, setSmall, setZero } from "./words";
import { accountAt, accountNumber, findAccount, hasFlag, isEmpty, requireCode } from "./world-state";

/** Result of an instruction for `run` if another frame runs next. */
export const FRAME_CHANGED: i32 = -1000;

/** Deepest nesting of frames below the outermost one. */
export const DEPTH_LIMIT: u32 = 1024;

// Outcomes of steps, as in evm/frames.ts.
const FAILED: u32 = 2;
const BAD_JUMP: u32 = 3;

/** Stipend of a called frame if value is transferred; the caller does not pay it. */
const STIPEND: i64 = 2300;

/** Records that frames begin with which run no code, or that end them. */
export const precompileRecord = memory.data<u16>([0x205, 0, 0, 0, 0, 0, 0, 0], 16);
export const raiseRecord = memory.data<u16>([0x206, 0, 0, 0, 0, 0, 0, 0], 16);

// ---- The price of a call.

/** The current call: account that is called, and account of the code (EIP-7702). */
let called: u32 = 0;
let delegated: u32 = 0;
let isDelegated: bool = false;
/** The price without the requested gas, if that gas is what cannot be paid; else 0 (before EIP-150). */
export let underfundedPrice: u64 = 0;

/** Finds the called account and its code. Zero if nothing is missing. */
export function findCalled(address: usize): i32 {
  const account = findAccount(address);
  called = accountNumber(account);
  isDelegated = false;
  const status = requireCode(account);
  if (status != 0) return status;
  const code = load<u32>(account + ACCOUNT_CODE);
  if (!hasRule(RULE_PRAGUE) || code == 0 || !hasFlag(account, FLAG_HAS_CODE) || !isDelegation(code)) return 0;
  isDelegated = true;
  const delegate = findAccount(delegateOf(code));
  delegated = accountNumber(delegate);
  return requireCode(delegate);
}

/** The executed code of a called account. The delegation of a delegate is not followed. */
export function codeOfCalled(): usize {
  const account = accountAt(isDelegated ? delegated : called);
  return hasFlag(account, FLAG_HAS_CODE) ? <usize>load<u32>(account + ACCOUNT_CODE) : emptyCode;
}

/** Marks the called account's delegate, if there is one, as accessed. */
export function noteDelegateAccess(): void {
  if (isDelegated) noteAccess(accountAt(delegated));
}

/**
 * @param regions - behind the first of four items: offset and length of the input, then of the output
 * @param value - the item that is moved, 0 for none
 */
function priceOfCall(sp: usize, kind: u32, regions: usize, value: usize): i32 {
  const status = findCalled(sp - 64);
  if (status != 0) return status;
  underfundedPrice = 0;
  useRegion(regions - 32, regions - 64);
  useRegion(regions - 96, regions - 128);
  priceMemory();
  const account = accountAt(called);
  priceAccess(account);
  const moves = value != 0 && !isZero(value);
  if (moves) addPrice(fee(FEE_CALL_VALUE));
  const isRefused = kind == Frame.CALL && moves && isStatic();
  if (hasRule(RULE_AMSTERDAM) && !isRefused && price <= <u64>gas) noteSeen(account);
  // The delegate is the account itself, which was accessed before.
  if (isDelegated && delegated == called) addPrice(fee(FEE_WARM));
  else if (isDelegated) priceAccess(accountAt(delegated));
  if (hasRule(RULE_AMSTERDAM)) priceGrowth(kind == Frame.CALL && moves && isEmpty(account), isRefused);
  else if (kind == Frame.CALL && makesAccount(account, moves)) addPrice(fee(FEE_CALL_NEW_ACCOUNT));
  if (!hasRule(RULE_TANGERINE) && price <= <u64>gas && saturated(sp - 32) > <u64>gas - price) {
    underfundedPrice = price;
    setUnpayable();
  }
  return isRefused ? REFUSED_STATIC : 0;
}

/** Prices a new account (EIP-8037), and notes the delegate of the called one. */
function priceGrowth(growsState: bool, isRefused: bool): void {
  if (isDelegated && !isRefused && price <= <u64>gas) noteSeen(accountAt(delegated));
  beginStatePrice();
  if (growsState) addStatePrice(fee(FEE_STATE_ACCOUNT));
  paidAccount = growsState ? fee(FEE_STATE_ACCOUNT) : 0;
}

/** State gas that the current call pays for a new account. */
let paidAccount: i64 = 0;

/**
 * True if the call pays for a new account: before EIP-161 for any that does not exist, since then for one that receives
 * value.
 */
// @ts-ignore: decorator
@inline
function makesAccount(account: usize, moves: bool): bool {
  return hasRule(RULE_SPURIOUS) ? moves && isEmpty(account) : !hasFlag(account, FLAG_EXISTS);
}

// @ts-ignore: decorator
@inline
function isStatic(): bool {
  return (load<u32>(frame + Frame.FLAGS) & Frame.STATIC) != 0;
}

export function priceCall(sp: usize): i32 {
  return priceOfCall(sp, Frame.CALL, sp - 96, sp - 96);
}
export function priceCallcode(sp: usize): i32 {
  return priceOfCall(sp, Frame.CALLCODE, sp - 96, sp - 96);
}
export function priceDelegatecall(sp: usize): i32 {
  return priceOfCall(sp, Frame.DELEGATECALL, sp - 64, 0);
}
export function priceStaticcall(sp: usize): i32 {
  return priceOfCall(sp, Frame.STATICCALL, sp - 64, 0);
}

/** Gas that a call gives to its frame, of the available gas (EIP-150). */
export function forwardedOf(requested: u64, available: i64): i64 {
  if (!hasRule(RULE_TANGERINE)) return <i64>requested;
  const most = available - available / 64;
  return requested < <u64>most ? <i64>requested : most;
}

// ---- How a call begins.

/** Word with the called address, and a word of zeros. */
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

/** Begins a call that was paid for; `bottom` is the place of its result. */
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

/** Reason why a call or creation starts no frame; 0 if it does. */
// @ts-ignore: decorator
@inline
export function refusalOf(value: usize): i32 {
  if (depth >= DEPTH_LIMIT) return ERROR_DEPTH;
  if (value == 0) return 0;
  return isBelow(accountAt(load<u32>(frame + Frame.SELF)) + ACCOUNT_BALANCE, value) ? ERROR_BALANCE : 0;
}

/** Pushes zero in place of a frame, whose gas is kept. */
export function refuse(bottom: usize, childGas: i64): i32 {
  setZero(bottom);
  setGas(gas + childGas);
  return 0;
}

/** Caller, callee, value, and account in whose context the code runs. */
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

/** Suspends the caller until its child ends; the result goes to `bottom`. */
export function leaveCaller(caller: usize, bottom: usize): void {
  store<i64>(caller + Frame.GAS, gas);
  store<u32>(caller + Frame.SP, stackOffset(bottom));
  store<u32>(caller + Frame.MEMORY_SIZE, memorySize);
}

/** Makes a frame the running one. Its stack begins after `sp`, its memory after its caller's. */
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

/** Sets the members that are equal in every new frame. */
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

/** Starts the running frame, which is a call; `callee` is its account, which is loaded. */
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

/** Transfers the value of a call; true if the recipient's balance would overflow. */
// @ts-ignore: decorator
@inline
function moveTo(child: usize): bool {
  const sender = findAccount(child + Frame.CALLER);
  if (transfer(sender, accountAt(load<u32>(child + Frame.SELF)), child + Frame.VALUE)) return true;
  if (hasRule(RULE_AMSTERDAM)) addTransferLog(child + Frame.CALLER, child + Frame.ADDRESS, child + Frame.VALUE);
  return false;
}

/** Starts the outermost frame as a call of the account that was found. */
export function startOutermostCall(child: usize, to: usize): void {
  copyAddress(callee, to);
  store<u32>(child + Frame.SELF, called);
  store<u32>(child + Frame.PRECOMPILE, load<u32>(accountAt(called) + ACCOUNT_PRECOMPILE));
  if (hasRule(RULE_BERLIN)) noteDelegateAccess();
  startCall(child);
}

/** Fails the outermost frame before it begins. */
export function refuseOutermost(child: usize, error: i32): void {
  copyAddress(callee, child + Frame.ADDRESS);
  const isTold = tellsOf(callee);
  store<u32>(child + Frame.IS_TOLD, u32(isTold));
  store<u32>(child + Frame.CODE, <u32>emptyCode);
  if (isTold) tellEnter(child, callee);
  raise(child, error);
}

/** Runs a code from its beginning in the running frame. */
export function enterCode(child: usize, code: usize): void {
  const isPrecise = (tracing & (TRACE_STEPS | TRACE_LIVE | TRACE_ACCESSES)) != 0;
  if (isPrecise) store<u32>(child + Frame.FLAGS, load<u32>(child + Frame.FLAGS) | Frame.PRECISE);
  store<u32>(child + Frame.IP, <u32>entryOf(code, isPrecise));
}

// ---- How a frame ends.

/** The detail of the failure that is about to end a frame: which flags of an event it has, and its numbers. */
let detailFlags: u32 = 0;
let detail: u32 = 0;
const initCodeSize = memory.data(32, 16);

/** Notes the opcode that could not be dispatched, or the fault of a precompile. */
export function noteDetail(flags: u32, numbers: u32): void {
  detailFlags = flags;
  detail = numbers;
  setZero(initCodeSize);
}

export function noteInitCodeSize(word: usize): void {
  copyWord(initCodeSize, word);
}

/** An error to be raised later, with the output of a REVERT. */
let raised: i32 = 0;
let raisedOutput: usize = 0;
let raisedLength: usize = 0;

/** Makes a frame end with an error when it continues. */
export function raise(target: usize, error: i32): void {
  raiseWith(target, error, 0, 0);
}

export function raiseWith(target: usize, error: i32, output: usize, length: usize): void {
  raised = error;
  raisedOutput = output;
  raisedLength = length;
  store<u32>(target + Frame.IP, <u32>raiseRecord);
}

export function endRaised(): i32 {
  return leave(raised, raisedOutput, raisedLength);
}

/**
 * Ends the running frame.
 *
 * @param error - 0 for an end without one
 * @returns DONE if it was the outermost, else FRAME_CHANGED
 */
export function leave(error: i32, output: usize, length: usize): i32 {
  const ended = frame;
  let reason = error;
  let kept = length;
  const isCreation = load<u32>(ended + Frame.KIND) >= Frame.CREATE;
  let isUndeposited = false;
  if (load<u32>(ended + Frame.STEP) != 0) endStep(ended, error);
  if (isCreation && reason == 0) {
    reason = deposit(ended, output, length);
    isUndeposited = reason < 0;
    if (isUndeposited) reason = 0;
  }
  if (reason != 0) {
    undoTo(load<u32>(ended + Frame.JOURNAL));
    undoLogs(load<u32>(ended + Frame.LOGS), load<u32>(ended + Frame.LOG_COUNT));
    setRefund(load<i64>(ended + Frame.REFUND));
    if (hasRule(RULE_AMSTERDAM)) store<i64>(ended + Frame.GAS, load<i64>(ended + Frame.GAS) + rollBack(ended));
    if (reason != ERROR_REVERTED) {
      store<i64>(ended + Frame.GAS, 0);
      kept = 0;
    }
  }
  if (load<u32>(ended + Frame.IS_TOLD) != 0) {
    const event = tellExit(ended, reason, output, kept);
    if (detailFlags != 0) addDetail(event, detailFlags, detail, initCodeSize);
    if (isUndeposited) addDetail(event, EVENT_IS_UNDEPOSITED, 0, initCodeSize);
  }
  // Code that Frontier left out is reported, but is not part of the result.
  if (depth == 0) return finish(ended, reason, output, isUndeposited ? 0 : kept);
  detailFlags = 0;
  returnTo(ended, reason, output, isCreation && reason == 0 ? 0 : kept);
  return FRAME_CHANGED;
}

/** Closes the record of the step that ended a frame. */
function endStep(ended: usize, error: i32): void {
  if (error == 0 || error == ERROR_REVERTED) completeStep(ended, 0);
  else failStep(ended, error == ERROR_INVALID_JUMP ? BAD_JUMP : FAILED);
}

/** Passes the results of a child to its caller. */
function returnTo(ended: usize, error: i32, output: usize, length: usize): void {
  const caller = ended - Frame.FRAME_BYTES;
  keepReturnData(output, length);
  const memoryAt = load<u32>(caller + Frame.MEMORY);
  setFrame(caller);
  setDepth(depth - 1);
  enterMemory(memoryAt, load<u32>(caller + Frame.MEMORY_SIZE));
  store<i64>(caller + Frame.GAS, load<i64>(caller + Frame.GAS) + load<i64>(ended + Frame.GAS));
  if (hasRule(RULE_AMSTERDAM)) settleStateGas(caller, ended, error);
  const isCreation = load<u32>(ended + Frame.KIND) >= Frame.CREATE;
  const result = onStack(load<u32>(caller + Frame.SP));
  if (error != 0) setZero(result);
  else if (isCreation) copyWord(result, ended + Frame.ADDRESS);
  else setSmall(result, 1);
  store<u32>(caller + Frame.SP, load<u32>(caller + Frame.SP) + 32);
  store<u32>(caller + Frame.IP, load<u32>(caller + Frame.IP) + 16);
  if (isCreation) return;
  const copied = min<usize>(length, load<u32>(caller + Frame.OUTPUT_LENGTH));
  // Copied from where it is kept, because the caller's memory may grow over the child's own.
  if (copied != 0) memory.copy(memoryStart + load<u32>(caller + Frame.OUTPUT), returnData(), copied);
}

/** Settles state gas between a frame and its caller, which gets back its payment for an account that does not exist. */
function settleStateGas(caller: usize, ended: usize, error: i32): void {
  let back: i64 = 0;
  if (error == 0) back = mergeSpill(caller, ended);
  else if ((load<u32>(ended + Frame.FLAGS) & Frame.MAKES_ACCOUNT) != 0) {
    back = refundState(caller, fee(FEE_STATE_ACCOUNT));
  }
  store<i64>(caller + Frame.GAS, load<i64>(caller + Frame.GAS) + back);
}

// ---- What the outermost frame pays before it begins (EIP-2780, EIP-8037).

/** True if the outermost frame could not pay for it and has not begun. */
export let isUnprepared: u32 = 0;

/** Pays for the new account of a transaction; false if its gas is too little. */
export function payForAccount(first: usize): bool {
  return payState(first, fee(FEE_STATE_ACCOUNT));
}

function payState(first: usize, amount: i64): bool {
  const left = chargeState(first, load<i64>(first + Frame.GAS), amount);
  isUnprepared = u32(left < 0);
  if (left < 0) return false;
  store<i64>(first + Frame.GAS, left);
  return true;
}

/** Forgets that a frame could not pay. */
export function beginPreparation(): void {
  isUnprepared = 0;
}

/** Pays for the creation of the called account, if it does not exist, and for access to its delegate. */
export function prepareCalled(first: usize): bool {
  const account = accountAt(called);
  noteSeen(account);
  if (!isZero(first + Frame.VALUE) && isEmpty(account) && !payForAccount(first)) return false;
  if (!isDelegated) return true;
  const cost = <i64>(isWarmAccount(accountAt(delegated)) ? fee(FEE_WARM) : fee(FEE_COLD_ACCOUNT));
  const left = load<i64>(first + Frame.GAS);
  isUnprepared = u32(cost > left);
  if (cost > left) return false;
  store<i64>(first + Frame.GAS, left - cost);
  return true;
}

/** State gas that the outermost frame took from its gas. */
export let spilled: i64 = 0;

/** Puts the outcome of the outermost frame into the mailbox. */
function finish(ended: usize, error: i32, output: usize, length: usize): i32 {
  keepReturnData(output, length);
  store<u32>(mailbox + MAIL_ERROR, error);
  store<u32>(mailbox + MAIL_FLAGS, detailFlags);
  store<u32>(mailbox + MAIL_DETAIL, detail);
  copyWord(mailbox + MAIL_INIT_CODE_SIZE, initCodeSize);
  store<u32>(mailbox + MAIL_OUTPUT, <u32>returnData());
  store<u32>(mailbox + MAIL_OUTPUT_LENGTH, <u32>length);
  setGas(load<i64>(ended + Frame.GAS));
  spilled = load<i64>(ended + Frame.SPILLED);
  detailFlags = 0;
  return DONE;
}
