/** Why a frame failed, from EthereumJS' error text and the operation at which it ended. */
import { EVMError } from "@ethereumjs/evm";
import { type FailureDetail, type FrameError, type OpcodeFailure, StepOutcome } from "../../../evm/frames.ts";
import { instructionOf } from "../../../evm/instructions.ts";
import { Op } from "../../../evm/opcodes.ts";
import type { Bytes } from "../../../primitives/bytes.ts";
import type { Operation } from "./operation.ts";
import { precompileFault } from "./precompile-faults.ts";

const texts = EVMError.errorMessages;

/** By text, not identity: several of EthereumJS' constants share one. */
const BY_TEXT: ReadonlyMap<string, FrameError> = new Map<string, FrameError>([
  [texts.OUT_OF_GAS, "outOfGas"],
  [texts.CODESIZE_EXCEEDS_MAXIMUM, "codeSizeExceeded"],
  [texts.INITCODE_SIZE_VIOLATION, "initCodeSizeExceeded"],
  [texts.CREATE_COLLISION, "createCollision"],
  [texts.REVERT, "reverted"],
  [texts.STATIC_STATE_CHANGE, "staticStateChange"],
  [texts.INVALID_BYTECODE_RESULT, "invalidCode"],
  [texts.INSUFFICIENT_BALANCE, "insufficientBalance"],
  [texts.VALUE_OVERFLOW, "valueOverflow"],
]);

/** Texts of calls that fail before anything runs. */
const TRANSFER_TEXTS: ReadonlySet<string> = new Set([texts.INSUFFICIENT_BALANCE, texts.VALUE_OVERFLOW]);

export interface Failure {
  readonly error: FrameError;
  readonly detail: FailureDetail | undefined;
}

/** A frame that ended with an error. */
export interface FailedFrame {
  /** EthereumJS' text. */
  readonly text: string;
  readonly isCreation: boolean;
  /** Number of the address at which the precompile is at home that was called; undefined where code was. */
  readonly precompile: number | undefined;
  readonly input: Bytes;
  /** The last operation; undefined where none ran. */
  readonly last: Operation | undefined;
}

/** Why a frame failed; undefined for Frontier's creations that stand although their code could not be paid. */
export function failureOf({ text, isCreation, precompile, input, last }: FailedFrame): Failure | undefined {
  if (text === texts.CODESTORE_OUT_OF_GAS) return undefined;
  if (precompile !== undefined && !TRANSFER_TEXTS.has(text)) return precompileFailure(text, precompile, input);
  if (last !== undefined && last.outcome !== StepOutcome.done) return failureOfOperation(last, text);
  if (text === texts.OUT_OF_GAS && last?.opcode === Op.RETURNDATACOPY)
    return { error: "outOfBounds", detail: undefined };
  if (text === texts.OUT_OF_GAS && isCreation) return { error: "codeStoreOutOfGas", detail: undefined };
  // EthereumJS appends where the jump stands.
  const error = text.startsWith(texts.INVALID_JUMP) ? "invalidJump" : (BY_TEXT.get(text) ?? "internal");
  return { error, detail: undefined };
}

function precompileFailure(text: string, home: number, input: Bytes): Failure {
  if (text === texts.OUT_OF_GAS) return { error: "outOfGas", detail: undefined };
  const fault = precompileFault(text, home, input);
  return { error: "precompileFailed", detail: fault && { fault } };
}

/** The failure of an operation that did not come to its end, and which EthereumJS may know by another name. */
function failureOfOperation(last: Operation, text: string): Failure {
  const { opcode, stackHeight } = last;
  const isCreation = opcode === Op.CREATE || opcode === Op.CREATE2;
  const initCodeSize = isCreation ? last.stack[stackHeight - 3] : undefined;
  const detail: OpcodeFailure = { opcode, stackHeight, cause: last.cause, initCodeSize };
  switch (last.outcome) {
    case StepOutcome.undefinedOpcode:
      return { error: "invalidOpcode", detail };
    case StepOutcome.stackError:
      return { error: stackHeight < instructionOf(opcode).pops ? "stackUnderflow" : "stackOverflow", detail };
    case StepOutcome.failed:
      // Nothing is known of operands that are off the stack already.
      return text === texts.INITCODE_SIZE_VIOLATION
        ? { error: "initCodeSizeExceeded", detail: initCodeSize === undefined ? undefined : detail }
        : { error: "staticStateChange", detail: undefined };
    default:
      return { error: "outOfGas", detail };
  }
}
