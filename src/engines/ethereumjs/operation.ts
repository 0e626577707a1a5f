/** One operation, from EthereumJS' `step` event before it runs. */
import type { ExecResult, InterpreterStep } from "@ethereumjs/evm";
import { hasEip } from "../../chainspec/hardforks/eips.ts";
import type { Hardfork } from "../../chainspec/hardforks/hardforks.ts";
import type { LiveStep } from "../../evm/event-sink.ts";
import { FrameKind, StepOutcome } from "../../evm/frames.ts";
import { instructionOf, staticGas } from "../../evm/instructions.ts";
import { isDup, isPush, isSwap, Op } from "../../evm/opcodes.ts";
import { type Bytes, bigIntToFixedBytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";

const STACK_LIMIT = 1024;
const ADDRESS_MASK = (1n << 160n) - 1n;
/** Additional gas of a called frame if value is transferred (yellow paper, G_callstipend). */
const STIPEND = 2300;
/** Largest price in a step buffer. An extremely large memory region costs more. */
const MAX_PRICE = 2 ** 64;
/** Most bytes of a REVERT that are read, because EthereumJS reads its data before it charges for it. */
export const READABLE_BYTES = 2n ** 26n;

const KINDS: ReadonlyMap<number, FrameKind> = new Map([
  [Op.CALL, FrameKind.call],
  [Op.CALLCODE, FrameKind.callCode],
  [Op.DELEGATECALL, FrameKind.delegateCall],
  [Op.STATICCALL, FrameKind.staticCall],
  [Op.CREATE, FrameKind.create],
  [Op.CREATE2, FrameKind.create2],
]);

/** An operation that is about to run, with the outcome that it will have. */
export interface Operation extends LiveStep {
  /** As far as stack and price show; operations that EthereumJS refuses for other reasons count as done here. */
  readonly outcome: StepOutcome;
  /** Kind of frame that it starts. */
  readonly starts: FrameKind | undefined;
}

/** The members of a `step` event that are used. For an operation without an event they are made up. */
type ShownStep = Pick<InterpreterStep, "pc" | "gasLeft" | "gasRefund" | "stack" | "memory" | "memoryWordCount">;

/** Converts a `step` event. EthereumJS names every undefined byte 0xfe, so the opcode is read from the code. */
export function readStep(step: InterpreterStep, code: Bytes, hardfork: Hardfork): Operation {
  const { stack, gasLeft } = step;
  const opcode = code[step.pc] ?? Op.STOP;
  const fee = staticGas(opcode, hardfork);
  if (fee === undefined) return operationOf(step, opcode, StepOutcome.undefinedOpcode, 0);
  const { pops, pushes } = instructionOf(opcode);
  const fits = stack.length >= pops && stack.length - pops + pushes <= STACK_LIMIT;
  if (!fits) return operationOf(step, opcode, StepOutcome.stackError, fee);
  const { dynamicFee = BigInt(fee) } = step.opcode;
  const outcome = dynamicFee > gasLeft ? StepOutcome.outOfGas : StepOutcome.done;
  const operation = operationOf(step, opcode, outcome, Math.min(Number(dynamicFee), MAX_PRICE));
  if (operation.starts === undefined || outcome !== StepOutcome.done) return operation;
  // EIP-150 keeps back one 64th.
  const left = gasLeft - dynamicFee;
  const most = hasEip(hardfork, 150) ? left - left / 64n : left;
  const requested = operation.stackItem(0);
  return Object.assign(operation, { forwarded: Number(isCreating(opcode) || requested > most ? most : requested) });
}

/** Members are listed one by one: spreading a second literal took a third of the time of every step. */
function operationOf(shown: ShownStep, opcode: number, outcome: StepOutcome, cost: number): Operation {
  const { pc, stack, memory } = shown;
  return {
    pc,
    opcode,
    outcome,
    cost,
    forwarded: 0,
    starts: KINDS.get(opcode),
    gas: Number(shown.gasLeft),
    gasRefund: Number(shown.gasRefund),
    memoryBytes: Number(shown.memoryWordCount) * 32,
    stackHeight: stack.length,
    stackItem: (index) => stack[stack.length - 1 - index] ?? 0n,
    readMemory: (offset, length) => {
      const read = new Uint8Array(length);
      read.set(memory.subarray(offset, offset + length));
      return read;
    },
  };
}

/**
 * The last operation of a frame for which EthereumJS emitted no step: the implicit STOP after the end of the code
 * (yellow paper §9.4.4), or a REVERT. The operands of a completed REVERT are unknown, and zero here.
 *
 * @param gas - of the frame before the operation; likewise the refund counter
 * @param hasRun - false if it could not be paid, or had too few operands
 */
export function unheardOperation(
  runState: NonNullable<ExecResult["runState"]>,
  opcode: number,
  { gas, gasRefund, hasRun }: { readonly gas: number; readonly gasRefund: bigint; readonly hasRun: boolean },
): Operation {
  const { programCounter } = runState;
  const left = runState.stack.getStack();
  const isRevert = opcode === Op.REVERT;
  // A REVERT that could not be paid has counted its region, which may be larger than any memory; one with too few
  // operands has not.
  const isCounted = hasRun || left.length < 2;
  const memoryWordCount = isCounted ? runState.memoryWordCount : 0n;
  const shown = {
    pc: isRevert && hasRun ? programCounter - 1 : programCounter,
    stack: isRevert && hasRun ? [...left, 0n, 0n] : left,
    memory: runState.memory.read(0, Number(memoryWordCount) * 32),
    ...{ gasLeft: BigInt(gas), gasRefund, memoryWordCount },
  };
  if (hasRun) return operationOf(shown, opcode, StepOutcome.done, gas - Number(runState.gasLeft));
  return operationOf(shown, opcode, left.length < 2 ? StepOutcome.stackError : StepOutcome.outOfGas, 0);
}

/**
 * True if EthereumJS may emit `step` for the next operation.
 *
 * Not before a REVERT of unknown size: EthereumJS reads its data before charging for it, and a region that cannot be
 * allocated would throw out of the run.
 */
export function mayHearNext(operation: Operation, code: Bytes, hardfork: Hardfork): boolean {
  const { pc, opcode, stackItem } = operation;
  if (staticGas(Op.REVERT, hardfork) === undefined) return true;
  const { immediate } = instructionOf(opcode);
  const jumps = opcode === Op.JUMP || (opcode === Op.JUMPI && stackItem(1) !== 0n);
  if (jumps || code[pc + 1 + immediate] !== Op.REVERT) return true;
  // Code that compilers put before a REVERT.
  if (!isPush(opcode) && !isDup(opcode) && !isSwap(opcode)) return false;
  const size = stackItem(opcode === Op.SWAP1 || !isSwap(opcode) ? 0 : 1);
  if (size === 0n) return true;
  const pushed = (): bigint => bytesToBigInt(code.slice(pc + 1, pc + 1 + immediate));
  const offset = isPush(opcode) ? pushed() : stackItem(isDup(opcode) ? opcode - Op.DUP1 : opcode - Op.SWAP1 + 1);
  return offset + size <= READABLE_BYTES;
}

/** Gas of a frame after a completed operation. */
export function gasBehind(operation: Operation, childGas: bigint): number {
  return operation.gas - operation.cost + stipendOf(operation) - Number(childGas);
}

/** Gas that a call gives to its child in addition to what it takes from the caller. */
export function stipendOf({ opcode, stackItem }: Operation): number {
  return (opcode === Op.CALL || opcode === Op.CALLCODE) && stackItem(2) !== 0n ? STIPEND : 0;
}

/** True for CREATE and CREATE2. */
export function isCreating(opcode: number): boolean {
  return opcode === Op.CREATE || opcode === Op.CREATE2;
}

/** The address in a word; its first twelve bytes are ignored. */
export function addressOf(word: bigint): Bytes {
  return bigIntToFixedBytes(word & ADDRESS_MASK, 20);
}

/** The memory region named by two operands. */
export function readRegion({ stackItem, readMemory }: LiveStep, offset: number, length: number): Bytes {
  return readMemory(Number(stackItem(offset)), Number(stackItem(length)));
}
