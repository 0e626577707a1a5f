/** Finds the reason of a frame's failure from EthereumJS' error text and the frame's last operation. */
import { EVMError, type ExecResult } from "@ethereumjs/evm";
import { type FrameError, isCreation, type OpcodeFailure, StepOutcome } from "../../evm/frames.ts";
import { instructionOf } from "../../evm/instructions.ts";
import { Op } from "../../evm/opcodes.ts";
import { isCreating } from "./operation.ts";
import type { RunningFrame } from "./running-frame.ts";

const texts = EVMError.errorMessages;

/** By text, because several of EthereumJS' constants are identical. */
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
  [texts.INVALID_OPCODE, "invalidOpcode"],
  // Only for opcodes whose immediate names their stack items (EIP-8024).
  [texts.STACK_UNDERFLOW, "stackUnderflow"],
]);

/** Errors that precompiles have in common with other frames. Any other error of a precompile is `precompileFailed`. */
const PLAIN: ReadonlySet<FrameError> = new Set(["outOfGas", "insufficientBalance", "valueOverflow"]);

/** Operations that end a frame. If the frame failed after one, its returned code could not be deployed. */
export const ENDING: ReadonlySet<number> = new Set([Op.STOP, Op.RETURN, Op.REVERT, Op.SELFDESTRUCT]);

/** Reason of a frame's failure, and outcome of its last operation. */
export interface Failure {
  readonly error: FrameError;
  readonly detail?: OpcodeFailure | undefined;
  readonly outcome?: StepOutcome;
}

/**
 * The reason of a frame's failure; undefined if it succeeded, and for Frontier's creations that succeed without code.
 */
export function failureOf(
  { kind, last, message }: RunningFrame,
  result: ExecResult,
  isPrecompile: boolean,
): Failure | undefined {
  const text = result.exceptionError?.error;
  if (text === undefined || text === texts.CODESTORE_OUT_OF_GAS) return undefined;
  // EthereumJS appends the position of the jump.
  if (text.startsWith(texts.INVALID_JUMP)) return { error: "invalidJump", outcome: StepOutcome.badJump };
  const error = BY_TEXT.get(text) ?? "internal";
  if (last === undefined) return { error: isPrecompile && !PLAIN.has(error) ? "precompileFailed" : error };
  const { outcome, opcode, stackHeight } = last;
  const initCodeSize = isCreating(opcode) && stackHeight > 2 ? last.stackItem(2) : undefined;
  const detail: OpcodeFailure = { opcode, stackHeight, cause: undefined, initCodeSize };
  if (outcome === StepOutcome.undefinedOpcode) return { error: "invalidOpcode", detail, outcome };
  if (outcome === StepOutcome.stackError) {
    const isUnderflow = stackHeight < instructionOf(opcode).pops;
    return { error: isUnderflow ? "stackUnderflow" : "stackOverflow", detail, outcome };
  }
  if (error === "initCodeSizeExceeded") return { error, detail, outcome: StepOutcome.failed };
  if (error === "staticStateChange") return { error, outcome: StepOutcome.failed };
  if (error !== "outOfGas") return { error };
  if (outcome !== StepOutcome.done) {
    // EthereumJS charges only this state change before it refuses it.
    const cause = opcode === Op.TSTORE && message.isStatic ? "staticFrame" : undefined;
    return { error, detail: { ...detail, cause }, outcome };
  }
  if (isCreation(kind) && ENDING.has(opcode)) return { error: "codeStoreOutOfGas" };
  // EthereumJS refused it before it computed the price.
  if (opcode === Op.RETURNDATACOPY) return { error: "outOfBounds", outcome: StepOutcome.failed };
  if (opcode !== Op.SSTORE) return { error, detail, outcome: StepOutcome.outOfGas };
  return { error, detail: { ...detail, cause: "reentrancySentry" }, outcome: StepOutcome.uncomputable };
}
