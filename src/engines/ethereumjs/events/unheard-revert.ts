/**
 * REVERT, of which EthereumJS cannot always tell.
 *
 * Before its `step` event EthereumJS reads what REVERT would return, whether or not it was paid for: a region beyond what
 * can be allocated throws out of the whole run. So nobody listens where that may happen, and the operation is read from
 * what the frame leaves.
 */
import { EVMError, type ExecResult } from "@ethereumjs/evm";
import { StepOutcome } from "../../../evm/frames.ts";
import { instructionOf } from "../../../evm/instructions.ts";
import { isDup, isPush, isSwap, Op } from "../../../evm/opcodes.ts";
import { type Bytes, bytesToBigInt, EMPTY_BYTES } from "../../../primitives/bytes.ts";
import { doneAt, type Operation, operationOf, unpaid } from "./operation.ts";
import { growthPrice, memoryNeeded } from "./touched-memory.ts";

const texts = EVMError.errorMessages;
const WORD_MASK = (1n << 256n) - 1n;

/** Bytes that EthereumJS may read before a REVERT is paid for. */
const READABLE_BYTES = 2n ** 26n;

/** Operations whose result, as an offset in memory, is small. */
const SMALL_RESULTS: ReadonlySet<number> = new Set([
  ...[Op.LT, Op.GT, Op.SLT, Op.SGT, Op.EQ, Op.ISZERO, Op.BYTE, Op.PC, Op.MSIZE],
  ...[Op.CALLDATASIZE, Op.CODESIZE, Op.EXTCODESIZE, Op.RETURNDATASIZE],
  ...[Op.CALL, Op.CALLCODE, Op.DELEGATECALL, Op.STATICCALL],
]);

/** True if EthereumJS may be listened to when the operation behind this one is next. */
export function mayHearNext(operation: Operation, code: Bytes): boolean {
  const { pc, opcode } = operation;
  const jumps = opcode === Op.JUMP || (opcode === Op.JUMPI && operation.stackItem(1) !== 0n);
  if (jumps || code[pc + 1 + instructionOf(opcode).immediate] !== Op.REVERT) return true;
  const { top, second } = itemsBehind(operation, code);
  if (second === 0n) return true;
  if (top === undefined && !SMALL_RESULTS.has(opcode)) return false;
  return (top ?? 0n) + second <= READABLE_BYTES;
}

/** The two items on top of the stack behind an operation; the upper one undefined where that is not worked out. */
function itemsBehind(operation: Operation, code: Bytes): { readonly top: bigint | undefined; readonly second: bigint } {
  const { pc, opcode } = operation;
  const item = (index: number): bigint => operation.stackItem(index);
  const { pops, pushes, immediate } = instructionOf(opcode);
  if (isPush(opcode)) return { top: readImmediate(code, pc + 1, immediate), second: item(0) };
  if (isDup(opcode)) return { top: item(opcode - Op.DUP1), second: item(0) };
  if (isSwap(opcode)) return { top: item(pops - 1), second: opcode === Op.SWAP1 ? item(0) : item(1) };
  if (pushes === 0) return { top: item(pops), second: item(pops + 1) };
  return { top: resultOf(operation), second: item(pops) };
}

/** An operand of PUSH, with zeros where the code ends within it. */
function readImmediate(code: Bytes, at: number, length: number): bigint {
  const bytes = new Uint8Array(length);
  bytes.set(code.subarray(at, at + length));
  return bytesToBigInt(bytes);
}

/** Results of what compilers put before a REVERT. */
function resultOf(operation: Operation): bigint | undefined {
  const upper = operation.stackItem(0);
  const lower = operation.stackItem(1);
  switch (operation.opcode) {
    case Op.ADD:
      return (upper + lower) & WORD_MASK;
    case Op.SUB:
      return (upper - lower) & WORD_MASK;
    case Op.AND:
      return upper & lower;
    case Op.MLOAD:
      return bytesToBigInt(operation.readMemory(Number(upper), 32));
    default:
      return undefined;
  }
}

/** A REVERT of which nothing was heard, and what the operation before it left on top, where that is known. */
export interface UnheardRevert {
  readonly operation: Operation;
  readonly topBefore: bigint | undefined;
  readonly memoryBefore: Bytes;
}

/**
 * The REVERT that ended a frame without an event; undefined where none did.
 *
 * @param last - the last operation that was heard; undefined where REVERT was the first
 * @param gas - what the frame had left behind it
 */
export function unheardRevert(
  { runState, exceptionError }: ExecResult,
  last: Operation | undefined,
  { code, gas }: { readonly code: Bytes; readonly gas: number },
): UnheardRevert | undefined {
  const text = exceptionError?.error;
  if (runState?.opCode !== Op.REVERT || last?.opcode === Op.REVERT || text === undefined) return undefined;
  // Init code that reverted may be told of by what EthereumJS says of its data.
  const hasRun = text !== texts.OUT_OF_GAS && text !== texts.STACK_UNDERFLOW;
  const { top, second } = last === undefined ? { top: undefined, second: 0n } : itemsBehind(last, code);
  const left = runState.stack.getStack();
  const stack = hasRun ? [...left, second, top ?? 0n] : left;
  const active = last === undefined ? 0n : memoryNeeded(last.opcode, last.stack, BigInt(last.memoryBytes));
  const memory = active === 0n ? EMPTY_BYTES : runState.memory.read(0, Number(active));
  const pc = hasRun ? runState.programCounter - 1 : runState.programCounter;
  const shown = {
    pc,
    gasLeft: BigInt(gas),
    gasRefund: BigInt(last?.gasRefund ?? 0),
    stack,
    memory,
    memoryWordCount: active / 32n,
  };
  let course = doneAt(gas - Number(runState.gasLeft));
  if (left.length < 2 && !hasRun) course = { ...doneAt(0), outcome: StepOutcome.stackError };
  else if (!hasRun) course = unpaid(growthPrice(Op.REVERT, stack, active), 0n, 0);
  return {
    operation: operationOf(shown, Op.REVERT, course),
    topBefore: hasRun ? top : left.at(-1),
    memoryBefore: memory,
  };
}
