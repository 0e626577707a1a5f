/**
 * One operation as EthereumJS' `step` event shows it, and how far it will come.
 *
 * The event comes before EthereumJS charges and checks anything, and for some operations after their gas handler refused
 * them: then it names no price, and the price follows from the operands here.
 */
import type { InterpreterStep } from "@ethereumjs/evm";
import type { LiveStep } from "../../evm/event-sink.ts";
import { type GasCause, StepOutcome } from "../../evm/frames.ts";
import { instructionOf } from "../../evm/instructions.ts";
import { Op, startsFrame } from "../../evm/opcodes.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import { callPrice, selfDestructPrice } from "./call-price.ts";
import { growthPrice, memoryNeeded, operand, wordsOf } from "./memory-price.ts";
import type { EngineRules, FrameFacts, Surroundings } from "./surroundings.ts";

const STACK_LIMIT = 1024;
/** SSTORE is refused with so much gas or less (EIP-2200). */
export const SSTORE_SENTRY = 2300n;
const MAX_GAS = 1n << 64n;
/** geth stops computing prices at 2^32 words of memory, which cost this much. */
const UNCOMPUTABLE_PRICE = 2 ** 55;
/** Price of a region of memory that reaches 2^64 and cannot be named in 64 bits. */
const UNNAMEABLE_PRICE = 2 ** 109 * 0.999;

/** How far an operation comes, and what it costs its frame; both in gas, as in a step buffer's record. */
interface Course {
  readonly outcome: StepOutcome;
  readonly cost: number;
  readonly forwarded: number;
  readonly cause: GasCause | undefined;
}

export class Operation implements LiveStep, Course {
  readonly opcode: number;
  readonly pc: number;
  readonly gas: number;
  readonly memoryBytes: number;
  readonly gasRefund: number;
  readonly outcome: StepOutcome;
  readonly cost: number;
  readonly forwarded: number;
  readonly cause: GasCause | undefined;
  /** Bottom first, before the operation. */
  readonly stack: readonly bigint[];
  /** Memory before the operation; what is missing of the active memory is zero. */
  readonly memory: Bytes;

  constructor(shown: ShownStep, opcode: number, { outcome, cost, forwarded, cause }: Course) {
    this.opcode = opcode;
    this.pc = shown.pc;
    this.gas = Number(shown.gasLeft);
    this.memoryBytes = Number(shown.memoryWordCount) * 32;
    this.gasRefund = Number(shown.gasRefund);
    this.outcome = outcome;
    this.cost = cost;
    this.forwarded = forwarded;
    this.cause = cause;
    this.stack = shown.stack;
    this.memory = shown.memory;
  }

  get stackHeight(): number {
    return this.stack.length;
  }

  stackItem(index: number): bigint {
    return operand(this.stack, index);
  }

  readMemory(offset: number, length: number): Bytes {
    const read = new Uint8Array(length);
    read.set(this.memory.subarray(offset, offset + length));
    return read;
  }
}

/** What a `step` event has, or what stands for one. */
export type ShownStep = Pick<InterpreterStep, "pc" | "gasLeft" | "gasRefund" | "stack" | "memory" | "memoryWordCount">;

/** Reads a `step` event. */
export function readOperation(step: InterpreterStep, frame: FrameFacts, surroundings: Surroundings): Operation {
  // The event names 0xfe for every undefined byte.
  const opcode = frame.code[step.pc] ?? Op.STOP;
  return new Operation(step, opcode, courseOf(step, opcode, frame, surroundings));
}

function courseOf(step: InterpreterStep, opcode: number, frame: FrameFacts, surroundings: Surroundings): Course {
  const { rules } = surroundings;
  const { fee } = step.opcode;
  const { stack, gasLeft } = step;
  const undispatched = { cost: fee, forwarded: 0, cause: undefined };
  if (step.opcode.name === "INVALID") return { ...undispatched, outcome: StepOutcome.undefinedOpcode };
  if (!fitsStack(opcode, stack.length)) return { ...undispatched, outcome: StepOutcome.stackError };
  if (opcode === Op.SSTORE && rules.hasSstoreSentry && !frame.isStatic && gasLeft <= SSTORE_SENTRY) {
    return { ...undispatched, outcome: StepOutcome.uncomputable, cause: "reentrancySentry" };
  }
  const isRefused = frame.isStatic && changesState(opcode, stack);
  const price = priceOf(step, opcode, frame, surroundings);
  const requested = isCall(opcode) ? operand(stack, 0) : 0n;
  const left = gasLeft - price;
  if (left < 0n || (!rules.keepsOneSixtyFourth && requested > left)) {
    const course = unpaid(price, requested, fee);
    return isRefused && course.cause === undefined ? { ...course, cause: "staticFrame" } : course;
  }
  const cost = Number(price);
  if (isRefused) return { outcome: StepOutcome.failed, cost, forwarded: 0, cause: undefined };
  const forwarded = startsFrame(opcode) ? Number(forwardedGas(opcode, requested, left, rules)) : 0;
  const isTooLong = isCreation(opcode) && operand(stack, 2) > rules.maxInitCodeSize;
  return { outcome: isTooLong ? StepOutcome.failed : StepOutcome.done, cost, forwarded, cause: undefined };
}

/** True if a stack of this height has the operands and the room that an opcode needs. */
export function fitsStack(opcode: number, height: number): boolean {
  const { pops, pushes } = instructionOf(opcode);
  return height >= pops && height - pops + pushes <= STACK_LIMIT;
}

function isCreation(opcode: number): boolean {
  return opcode === Op.CREATE || opcode === Op.CREATE2;
}

function isCall(opcode: number): boolean {
  return startsFrame(opcode) && !isCreation(opcode);
}

/** EthereumJS refuses these in a static frame before it charges them; TSTORE only afterwards. */
function changesState(opcode: number, stack: readonly bigint[]): boolean {
  if (opcode === Op.CALL) return operand(stack, 2) !== 0n;
  if (opcode >= Op.LOG0 && opcode <= Op.LOG4) return true;
  return opcode === Op.SSTORE || opcode === Op.SELFDESTRUCT || isCreation(opcode);
}

/** The price in gas, without what a child frame is given. */
function priceOf(step: InterpreterStep, opcode: number, frame: FrameFacts, surroundings: Surroundings): bigint {
  const { stack } = step;
  const fee = BigInt(step.opcode.fee);
  const told = step.opcode.dynamicFee ?? fee;
  // Gas handlers that refuse leave the static fee in the event.
  if (told !== fee) return told;
  const active = step.memoryWordCount * 32n;
  const growth = growthPrice(active, memoryNeeded(opcode, stack, active));
  if (isCall(opcode)) return callPrice(opcode, fee + growth, { step, frame, surroundings });
  if (opcode === Op.RETURNDATACOPY) return fee + growth + 3n * wordsOf(operand(stack, 2));
  if (!frame.isStatic) return told;
  if (opcode === Op.SELFDESTRUCT) return fee + selfDestructPrice(stack, step.account.balance, surroundings);
  if (opcode >= Op.LOG0 && opcode <= Op.LOG4) {
    return fee + growth + 375n * BigInt(opcode - Op.LOG0) + 8n * operand(stack, 1);
  }
  if (!isCreation(opcode)) return told;
  const perWord = (surroundings.rules.hasInitCodePrice ? 2n : 0n) + (opcode === Op.CREATE2 ? 6n : 0n);
  return fee + growth + perWord * wordsOf(operand(stack, 2));
}

/** An operation that cannot be paid. What a call asked for its child counts, where it can be named. */
export function unpaid(price: bigint, requested: bigint, fee: number): Course {
  const isComputable = Number(price) < UNCOMPUTABLE_PRICE && requested < MAX_GAS;
  return {
    outcome: isComputable ? StepOutcome.outOfGas : StepOutcome.uncomputable,
    cost: isComputable ? Number(price) : fee,
    forwarded: requested < MAX_GAS ? Number(requested) : 0,
    cause: causeOfPrice(price),
  };
}

/** Why a price cannot be paid, where that is not for want of gas alone. */
export function causeOfPrice(price: bigint): GasCause | undefined {
  if (Number(price) < UNCOMPUTABLE_PRICE) return undefined;
  return Number(price) < UNNAMEABLE_PRICE ? "gasOverflow" : "memoryOverflow";
}

/** What a call or creation hands on of what is left after its price (EIP-150). */
function forwardedGas(opcode: number, requested: bigint, left: bigint, rules: EngineRules): bigint {
  const most = rules.keepsOneSixtyFourth ? left - left / 64n : left;
  return isCall(opcode) && requested < most ? requested : most;
}
