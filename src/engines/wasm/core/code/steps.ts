// The STEP record of the precise manner: checks, prices and records one instruction before it runs (yellow paper
// §9.4.2, exceptional halting, in the order in which failures take precedence).

import { FrameError, GasCause, instructionOf, Opcode, Outcome } from "../facts.generated";
import { EIP_150 } from "../machine/eips";
import { Frame } from "../machine/frame";
import {
  EVENT_HAS_DETAIL,
  LIVE_FAULT,
  LIVE_STEP,
  OUT_OF_FUEL,
  TRACE_ACCESSES,
  TRACE_ATTEMPTS,
  TRACE_FULL,
  TRACE_LIVE,
  TRACE_STEPS,
} from "../machine/layout";
import { ABSENT, frame, fuel, gas, hasEip, setFuel } from "../machine/machine";
import { memorySize, memoryStart, onStack } from "../machine/memory";
import { price, UNPAYABLE } from "../machine/price";
import { REFUSED_INIT_CODE, REFUSED_SENTRY, REFUSED_STATIC } from "../machine/refusals";
import { forwardedOf } from "../messages/call-price";
import { noteDetail, noteInitCodeSize, outcomeOf } from "../messages/frame-end";
import { raise } from "../messages/frame-start";
import { refund } from "../state/substate";
import { completeStep, isFull, openStep, recordStep, tellAccess } from "../trace/recorded-steps";
import { wants } from "../trace/recording";
import { ITEM_BYTES, STACK_LIMIT, Stack } from "../words/stack";
import { Word } from "../words/word";
import { deepest, isDeep } from "./deep-stack";
import { fixedPriceOf, isPriced, opensFrame } from "./instruction-facts";
import { priceOf } from "./prices";
import { Record } from "./records";

const STEP_FUEL: i32 = 30;

/** The current step. The host reads it if it asked to be called at each step. */
@unmanaged
class CurrentStep {
  pc: u32;
  opcode: u32;
  outcome: u32;
  /** A FrameError; 0 if the instruction may run. */
  failure: i32;
  cause: u32;
  /** Stack items that the instruction selects by its immediate (deep-stack.ts). */
  items: u32;
  gas: i64;
  cost: u64;
  forwarded: u64;
  refund: i64;
  /** Number of stack items, and address after the top one. */
  height: u32;
  stack: u32;
  memory: u32;
  memorySize: u32;
  /** True if the host was notified of the step, or of its failure. */
  isReported: bool;
}

export const current: CurrentStep = changetype<CurrentStep>(memory.data(offsetof<CurrentStep>(), 16));

/**
 * Checks, prices and charges the instruction behind a STEP record.
 *
 * @returns 0 if it may run, a code of `run` for missing state or a notification, or an error as a negative number
 */
export function step(record: Record, stack: Stack): i32 {
  if (fuel < 0) return OUT_OF_FUEL;
  setFuel(fuel - STEP_FUEL);
  const opcode = <u32>record.a;
  if (wants(TRACE_STEPS)) {
    completeStep(frame, stack);
    if (isFull()) return TRACE_FULL;
  }
  const height = <u32>(stack.bytesFrom(onStack(frame.stackStart)) / ITEM_BYTES);
  if (wants(TRACE_ATTEMPTS) && height >= (opensFrame(opcode) ? 5 : 1)) tellAccess(frame, opcode, stack);
  current.items = <u32>record.c;
  const status = assess(opcode, height, stack);
  if (status > 0) return status;
  if (wants(TRACE_LIVE)) {
    if (!current.isReported) return tellLive(record.b, opcode, height, stack);
    current.isReported = false;
  }
  if (current.failure == 0) {
    if (wants(TRACE_ACCESSES) && !wants(TRACE_ATTEMPTS)) tellAccess(frame, opcode, stack);
  } else noteFailure(opcode, height, stack);
  if (wants(TRACE_STEPS)) recordNow(record.b, opcode, stack);
  if (current.failure != 0) return -current.failure;
  price.pay();
  return 0;
}

/** Determines the outcome of an instruction. Returns 0 unless state is missing. */
function assess(opcode: u32, height: u32, stack: Stack): i32 {
  current.outcome = Outcome.DONE;
  current.failure = 0;
  current.cause = 0;
  current.forwarded = 0;
  const fixed = fixedPriceOf(opcode);
  if (fixed == ABSENT) {
    current.cost = 0;
    return refuse(Outcome.UNDEFINED_OPCODE, FrameError.INVALID_OPCODE);
  }
  current.cost = fixed;
  if (isDeep(opcode)) return assessDeep(opcode, height, fixed);
  const takes = <u32>instructionOf(opcode).pops;
  if (height < takes) return refuse(Outcome.STACK_ERROR, FrameError.STACK_UNDERFLOW);
  const leaves = <u32>instructionOf(opcode).pushes;
  if (height + leaves > STACK_LIMIT + takes) return refuse(Outcome.STACK_ERROR, FrameError.STACK_OVERFLOW);
  price.begin(fixed);
  let refusal = 0;
  if (isPriced(opcode)) {
    refusal = priceOf(opcode, stack);
    if (refusal > 0) return refusal;
  }
  return settle(opcode, refusal, stack);
}

/** Checks the stack after the price, since these instructions find their items only when they run (EIP-8024). */
function assessDeep(opcode: u32, height: u32, fixed: u32): i32 {
  price.begin(fixed);
  if (opcode == Opcode.DUPN && height == STACK_LIMIT) return refuse(Outcome.STACK_ERROR, FrameError.STACK_OVERFLOW);
  if (<u64>fixed > <u64>gas) return refuse(Outcome.OUT_OF_GAS, FrameError.OUT_OF_GAS);
  if (current.items == 0) return refuse(Outcome.FAILED, FrameError.INVALID_OPCODE);
  return height < deepest(current.items) ? refuse(Outcome.STACK_ERROR, FrameError.STACK_UNDERFLOW) : 0;
}

function refuse(how: u32, error: i32): i32 {
  current.outcome = how;
  current.failure = error;
  return 0;
}

/** Determines the outcome of an instruction whose price is known. */
function settle(opcode: u32, refusal: i32, stack: Stack): i32 {
  if (refusal == REFUSED_SENTRY) {
    current.cause = GasCause.REENTRANCY_SENTRY;
    return refuse(Outcome.UNCOMPUTABLE, FrameError.OUT_OF_GAS);
  }
  if (price.gas > <u64>gas) return refuseUnpaid(opcode, refusal, stack);
  current.cost = price.gas;
  if (refusal == REFUSED_INIT_CODE) return refuse(Outcome.FAILED, FrameError.INIT_CODE_SIZE_EXCEEDED);
  if (opensFrame(opcode)) current.forwarded = gasForChild(opcode, stack);
  // The gas for the child is charged before the operation turns out to be forbidden.
  return refusal == REFUSED_STATIC ? refuse(Outcome.FAILED, FrameError.STATIC_STATE_CHANGE) : 0;
}

/** Fails an instruction whose price cannot be paid. This takes precedence over a change of state in a static frame. */
function refuseUnpaid(opcode: u32, refusal: i32, stack: Stack): i32 {
  const requested = requestedGas(opcode, stack);
  const isUnderfunded = requested != null && price.gasWithoutChild != 0;
  const named = isUnderfunded ? price.gasWithoutChild : price.gas;
  if (named == UNPAYABLE) current.cause = price.isMemoryOverflow ? GasCause.MEMORY_OVERFLOW : GasCause.GAS_OVERFLOW;
  else if (refusal == REFUSED_STATIC) current.cause = GasCause.STATIC_FRAME;
  // The gas for the child is part of the reported cost, unless it is too large to be computed.
  const isNamed = requested == null || requested.saturated != u64.MAX_VALUE;
  if (requested != null && isNamed) current.forwarded = requested.saturated;
  if (named == UNPAYABLE || !isNamed) return refuse(Outcome.UNCOMPUTABLE, FrameError.OUT_OF_GAS);
  current.cost = named;
  return refuse(Outcome.OUT_OF_GAS, FrameError.OUT_OF_GAS);
}

/** The item with the gas that an instruction asks for its frame; null if it names none. @inline */
function requestedGas(opcode: u32, stack: Stack): Word | null {
  const number = <usize>instructionOf(opcode).gas;
  return number == 0 ? null : stack.item(number);
}

/** True for creations. Calls name the account that they call. @inline */
function isCreation(opcode: u32): bool {
  return opensFrame(opcode) && instructionOf(opcode).account == 0;
}

/** Gas that a call or creation passes to its frame. */
function gasForChild(opcode: u32, stack: Stack): u64 {
  const left = gas - <i64>price.gas;
  const requested = requestedGas(opcode, stack);
  if (requested != null) return forwardedOf(requested.saturated, left);
  return hasEip(EIP_150) ? left - left / 64 : left;
}

function noteFailure(opcode: u32, height: u32, stack: Stack): void {
  if (current.failure == FrameError.STATIC_STATE_CHANGE) return;
  noteDetail(EVENT_HAS_DETAIL, opcode | (current.cause << 8) | (height << 16));
  if (isCreation(opcode) && height >= 3) noteInitCodeSize(stack.third);
}

/**
 * The refund counter that recorders show. It includes the refund of the current SSTORE, which is known with its price.
 */
function shownRefund(opcode: u32): i64 {
  return opcode == Opcode.SSTORE && current.outcome == Outcome.DONE ? refund + price.refund : refund;
}

function recordNow(pc: u32, opcode: u32, stack: Stack): void {
  const entry = recordStep(frame, opcode, pc, gas, current.cost, current.forwarded, shownRefund(opcode));
  entry.outcome = <u8>current.outcome;
  if (isDeep(opcode)) entry.items = current.items;
  if (current.outcome == Outcome.DONE) openStep(frame, entry, opcode, stack);
}

// ---- Live steps.

function tellLive(pc: u32, opcode: u32, height: u32, stack: Stack): i32 {
  current.isReported = true;
  current.pc = pc;
  current.opcode = opcode;
  current.gas = gas;
  current.refund = shownRefund(opcode);
  current.height = height;
  current.stack = <u32>changetype<usize>(stack);
  current.memory = <u32>memoryStart;
  current.memorySize = memorySize;
  return LIVE_STEP;
}

/** Notifies the host that the last step of which it was notified failed, or is a REVERT. The frame ends when it next runs. */
export function tellFault(running: Frame, error: i32): i32 {
  raise(running, error);
  current.outcome = outcomeOf(error);
  return LIVE_FAULT;
}

/** Resets the notifications at the beginning of a transaction. */
export function beginSteps(): void {
  current.isReported = false;
}

/** @inline */
export function isLive(): bool {
  return wants(TRACE_LIVE);
}
