/** The operation at which a frame failed whose steps nobody listened to, from what EthereumJS leaves of its interpreter. */
import { EVMError, type ExecResult } from "@ethereumjs/evm";
import { type GasCause, StepOutcome } from "../../../evm/frames.ts";
import { Op } from "../../../evm/opcodes.ts";
import { EMPTY_BYTES } from "../../../primitives/bytes.ts";
import { causeOfPrice, fitsStack, type Operation, operationOf, type ShownStep } from "./operation.ts";
import { growthPrice, operand, wordsOf } from "./touched-memory.ts";

const texts = EVMError.errorMessages;

type RunState = NonNullable<ExecResult["runState"]>;

/**
 * The operation; undefined where no code ran. Its price is not known.
 *
 * Gas that ran out reads as zero, memory as empty, and the place in the code is not exact.
 */
export function lastOperation({ runState, exceptionError }: ExecResult): Operation | undefined {
  if (runState === undefined || exceptionError === undefined) return undefined;
  const { programCounter, code, opCode, gasLeft, gasRefund } = runState;
  // EthereumJS names 0xfe for every undefined byte.
  const isUndefined = exceptionError.error === texts.INVALID_OPCODE;
  const opcode = isUndefined ? (code[programCounter] ?? Op.STOP) : opCode;
  // EthereumJS moves on before it runs an operation. Two equal bytes in a row do not tell, and count as not moved.
  const hasMoved = code[programCounter] !== opcode;
  // Creations of too much init code have taken their operands.
  const stack = exceptionError.error === texts.INITCODE_SIZE_VIOLATION ? [] : runState.stack.getStack();
  // LOG1 to LOG4 take two operands before they find that topics are missing.
  if (hasMoved && opcode > Op.LOG0 && opcode <= Op.LOG4) stack.push(0n, 0n);
  const shown = { pc: programCounter, gasLeft, gasRefund, stack, memory: EMPTY_BYTES, memoryWordCount: 0n };
  // The code that was returned could not be paid for.
  const isUndeposited = hasMoved && opcode === Op.RETURN;
  const outcome = isUndeposited ? StepOutcome.done : outcomeOf(shown, opcode, runState, exceptionError.error);
  const cause = outcome === StepOutcome.outOfGas ? causeOf(shown, opcode) : undefined;
  return operationOf(shown, opcode, { outcome, cost: 0, forwarded: 0, cause });
}

function outcomeOf(shown: ShownStep, opcode: number, runState: RunState, text: string): StepOutcome {
  switch (text) {
    case texts.INVALID_OPCODE:
      return StepOutcome.undefinedOpcode;
    case texts.STACK_UNDERFLOW:
    case texts.STACK_OVERFLOW:
      return StepOutcome.stackError;
    case texts.INITCODE_SIZE_VIOLATION:
    case texts.STATIC_STATE_CHANGE:
      return StepOutcome.failed;
    case texts.OUT_OF_GAS:
      break;
    default:
      return StepOutcome.done;
  }
  if (!fitsStack(opcode, shown.stack.length)) return StepOutcome.stackError;
  return opcode === Op.RETURNDATACOPY && isOutOfBounds(shown, runState) ? StepOutcome.done : StepOutcome.outOfGas;
}

/** RETURNDATACOPY could be paid for, and reads beyond what was returned. */
function isOutOfBounds({ stack, gasLeft }: ShownStep, { returnBytes, memoryWordCount }: RunState): boolean {
  const length = operand(stack, 2);
  if (operand(stack, 1) + length <= BigInt(returnBytes.length)) return false;
  const growth = growthPrice(Op.RETURNDATACOPY, stack, memoryWordCount * 32n);
  return 3n + growth + 3n * wordsOf(length) <= gasLeft;
}

function causeOf({ stack, gasLeft }: ShownStep, opcode: number): GasCause | undefined {
  // Only the sentry of EIP-2200 leaves gas. Where there was none before, the cause is not known.
  if (opcode === Op.SSTORE) return gasLeft > 0n ? "reentrancySentry" : undefined;
  return causeOfPrice(growthPrice(opcode, stack, 0n));
}
