/** One operation, as EthereumJS tells of it before it runs. */
import type { ExecResult, InterpreterStep } from "@ethereumjs/evm";
import { type Hardfork, isAtLeast } from "../../chainspec/hardforks/hardforks.ts";
import type { LiveStep } from "../../evm/event-sink.ts";
import { FrameKind, StepOutcome } from "../../evm/frames.ts";
import { instructionOf, staticGas } from "../../evm/instructions.ts";
import { isDup, isPush, isSwap, Op } from "../../evm/opcodes.ts";
import { type Bytes, bigIntToFixedBytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";

const STACK_LIMIT = 1024;
const ADDRESS_MASK = (1n << 160n) - 1n;
/** Gas that a called frame gets on top where value moves (yellow paper, G_callstipend). */
const STIPEND = 2300;
/** The largest price that a step buffer can hold. An absurdly large region of memory costs more. */
const MAX_PRICE = 2 ** 64;
/** EthereumJS reads what a REVERT would return before it charges it: more than so many bytes are not worth it. */
export const READABLE_BYTES = 2n ** 26n;

const KINDS: ReadonlyMap<number, FrameKind> = new Map([
  [Op.CALL, FrameKind.call],
  [Op.CALLCODE, FrameKind.callCode],
  [Op.DELEGATECALL, FrameKind.delegateCall],
  [Op.STATICCALL, FrameKind.staticCall],
  [Op.CREATE, FrameKind.create],
  [Op.CREATE2, FrameKind.create2],
]);

export interface Operation extends LiveStep {
  /** As far as it follows from the stack and the price; what EthereumJS refuses in other ways counts as done here. */
  readonly outcome: StepOutcome;
  /** The kind of frame that it starts. */
  readonly starts: FrameKind | undefined;
}

/** The members of a `step` event that are read here. They are made up for an operation that had no event. */
type ShownStep = Pick<InterpreterStep, "pc" | "gasLeft" | "gasRefund" | "stack" | "memory" | "memoryWordCount">;

/** Reads a `step` event. EthereumJS names 0xfe for every undefined byte, so the opcode is read from the code. */
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
  // EIP-150 keeps a 64th back.
  const left = gasLeft - dynamicFee;
  const most = isAtLeast(hardfork, "tangerineWhistle") ? left - left / 64n : left;
  const requested = operation.stackItem(0);
  return Object.assign(operation, { forwarded: Number(isCreating(opcode) || requested > most ? most : requested) });
}

function operationOf(shown: ShownStep, opcode: number, outcome: StepOutcome, cost: number): Operation {
  const { pc, stack, memory } = shown;
  return {
    ...{ pc, opcode, outcome, cost, forwarded: 0, starts: KINDS.get(opcode) },
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
 * The last operation of a frame where EthereumJS told of none, from what the frame leaves: the STOP behind the end of code
 * (yellow paper §9.4.4), or a REVERT. The operands of a REVERT that ran are gone, and read zero.
 *
 * @param gas - of the frame before the operation, as the refund counter
 * @param hasRun - false for one that could not be paid, or had no operands
 */
export function unheardOperation(
  runState: NonNullable<ExecResult["runState"]>,
  opcode: number,
  { gas, gasRefund, hasRun }: { readonly gas: number; readonly gasRefund: bigint; readonly hasRun: boolean },
): Operation {
  const { programCounter } = runState;
  const left = runState.stack.getStack();
  const isRevert = opcode === Op.REVERT;
  // A REVERT that could not be paid has already counted its region, which may be larger than any memory. One without
  // operands has counted nothing.
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
 * True if EthereumJS may be listened to when the operation behind this one is next.
 *
 * It may not before a REVERT of unknown size: EthereumJS reads what it would return before it is paid for, and a region
 * that cannot be allocated throws out of the whole run.
 */
export function mayHearNext(operation: Operation, code: Bytes, hardfork: Hardfork): boolean {
  const { pc, opcode, stackItem } = operation;
  if (staticGas(Op.REVERT, hardfork) === undefined) return true;
  const { immediate } = instructionOf(opcode);
  const jumps = opcode === Op.JUMP || (opcode === Op.JUMPI && stackItem(1) !== 0n);
  if (jumps || code[pc + 1 + immediate] !== Op.REVERT) return true;
  // What compilers put before a REVERT.
  if (!isPush(opcode) && !isDup(opcode) && !isSwap(opcode)) return false;
  const size = stackItem(opcode === Op.SWAP1 || !isSwap(opcode) ? 0 : 1);
  if (size === 0n) return true;
  const pushed = (): bigint => bytesToBigInt(code.slice(pc + 1, pc + 1 + immediate));
  const offset = isPush(opcode) ? pushed() : stackItem(isDup(opcode) ? opcode - Op.DUP1 : opcode - Op.SWAP1 + 1);
  return offset + size <= READABLE_BYTES;
}

/** Gas of a frame behind an operation that ran. */
export function gasBehind(operation: Operation, childGas: bigint): number {
  return operation.gas - operation.cost + stipendOf(operation) - Number(childGas);
}

/** Gas that a call hands to its child beside what it takes off the caller. */
export function stipendOf({ opcode, stackItem }: Operation): number {
  return (opcode === Op.CALL || opcode === Op.CALLCODE) && stackItem(2) !== 0n ? STIPEND : 0;
}

export function isCreating(opcode: number): boolean {
  return opcode === Op.CREATE || opcode === Op.CREATE2;
}

/** The address in a word, whose first twelve bytes do not count. */
export function addressOf(word: bigint): Bytes {
  return bigIntToFixedBytes(word & ADDRESS_MASK, 20);
}

/** The region of memory that two operands name. */
export function readRegion({ stackItem, readMemory }: LiveStep, offset: number, length: number): Bytes {
  return readMemory(Number(stackItem(offset)), Number(stackItem(length)));
}
