/** One operation before it runs, how far it will come, and what it costs. */
import type { InterpreterStep } from "@ethereumjs/evm";
import type { LiveStep } from "../../../evm/event-sink.ts";
import { type GasCause, StepOutcome } from "../../../evm/frames.ts";
import { instructionOf } from "../../../evm/instructions.ts";
import type { Bytes } from "../../../primitives/bytes.ts";
import { operand } from "./touched-memory.ts";

const STACK_LIMIT = 1024;
const MAX_GAS = 1n << 64n;
/** geth stops computing prices at 2^32 words of memory, which cost this much. */
const UNCOMPUTABLE_PRICE = 2 ** 55;
/** Price of a region of memory that reaches 2^64 and cannot be named in 64 bits. */
const UNNAMEABLE_PRICE = 2 ** 109 * 0.999;

/** How far an operation comes, and what it costs its frame; in gas, as in the record of a step buffer. */
export interface Course {
  readonly outcome: StepOutcome;
  readonly cost: number;
  readonly forwarded: number;
  readonly cause: GasCause | undefined;
}

export interface Operation extends LiveStep, Course {
  /** Bottom first, before the operation. */
  readonly stack: readonly bigint[];
  /** Memory before the operation; what is missing of the active memory is zero. */
  readonly memory: Bytes;
}

/** What a `step` event has, or what stands for one. */
export type ShownStep = Pick<InterpreterStep, "pc" | "gasLeft" | "gasRefund" | "stack" | "memory" | "memoryWordCount">;

/** An operation that takes a course. */
export function operationOf(shown: ShownStep, opcode: number, course: Course): Operation {
  const { pc, stack, memory } = shown;
  const { outcome, cost, forwarded, cause } = course;
  return {
    // By its members: an object that goes on after a spread takes twenty times as long to make (measured on Node 20).
    outcome,
    cost,
    forwarded,
    cause,
    opcode,
    pc,
    stack,
    memory,
    gas: Number(shown.gasLeft),
    gasRefund: Number(shown.gasRefund),
    memoryBytes: Number(shown.memoryWordCount) * 32,
    stackHeight: stack.length,
    stackItem: (index) => operand(stack, index),
    readMemory: (offset, length) => {
      const read = new Uint8Array(length);
      read.set(memory.subarray(offset, offset + length));
      return read;
    },
  };
}

/** The course of an operation that runs. */
export function doneAt(cost: number, forwarded = 0): Course {
  return { outcome: StepOutcome.done, cost, forwarded, cause: undefined };
}

/**
 * The course of an operation that cannot be paid.
 *
 * @param requested - what a call asks for its child, which counts where it can be named
 * @param fee - the static fee, for where the price cannot be computed
 */
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

/** True if a stack of this height has the operands and the room that an opcode needs. */
export function fitsStack(opcode: number, height: number): boolean {
  const { pops, pushes } = instructionOf(opcode);
  return height >= pops && height - pops + pushes <= STACK_LIMIT;
}

/** The region of memory that two operands name. */
export function readRegion(operation: Operation, offset: number, length: number): Bytes {
  return operation.readMemory(Number(operation.stackItem(offset)), Number(operation.stackItem(length)));
}
