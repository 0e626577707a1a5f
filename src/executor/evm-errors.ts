/** EthereumJS' error texts in the house's words (trace formats §1.8). */
import { EVMError, type ExecResult } from "@ethereumjs/evm";
import type { FrameError } from "../evm/frames.ts";
import type { Bytes } from "../primitives/bytes.ts";

const texts = EVMError.errorMessages;

/** By text, not identity: several of EthereumJS' constants share one. Precompile failures are whatever is not listed. */
const BY_TEXT: ReadonlyMap<string, FrameError> = new Map<string, FrameError>([
  [texts.OUT_OF_GAS, "outOfGas"],
  [texts.CODESTORE_OUT_OF_GAS, "codeStoreOutOfGas"],
  [texts.CODESIZE_EXCEEDS_MAXIMUM, "codeSizeExceeded"],
  [texts.INITCODE_SIZE_VIOLATION, "initCodeSizeExceeded"],
  [texts.CREATE_COLLISION, "createCollision"],
  [texts.REFUND_EXHAUSTED, "outOfGas"],
  [texts.REVERT, "reverted"],
  [texts.INVALID_OPCODE, "invalidOpcode"],
  [texts.INVALID_EOF_FORMAT, "invalidOpcode"],
  [texts.STACK_UNDERFLOW, "stackUnderflow"],
  [texts.STACK_OVERFLOW, "stackOverflow"],
  [texts.STATIC_STATE_CHANGE, "staticStateChange"],
  [texts.INVALID_BYTECODE_RESULT, "invalidCode"],
  [texts.INSUFFICIENT_BALANCE, "insufficientBalance"],
  [texts.VALUE_OVERFLOW, "valueOverflow"],
  [texts.INTERNAL_ERROR, "internal"],
]);

const PRECOMPILE_TEXTS: ReadonlySet<string> = new Set([
  texts.OUT_OF_RANGE,
  texts.INVALID_INPUT_LENGTH,
  texts.INVALID_INPUTS,
  texts.INVALID_COMMITMENT,
  texts.INVALID_PROOF,
  texts.BLS_12_381_POINT_NOT_ON_CURVE,
  texts.BLS_12_381_INPUT_EMPTY,
  texts.BLS_12_381_FP_NOT_IN_FIELD,
  texts.BN254_FP_NOT_IN_FIELD,
]);

/**
 * A precompile's result, which EthereumJS calls reverted where a point is not on its curve or a proof does not hold. No
 * precompile reverts: it fails, takes all its gas and gives nothing back.
 */
export function precompileResult(result: ExecResult): ExecResult {
  if (result.exceptionError?.error !== texts.REVERT) return result;
  return { ...result, exceptionError: new EVMError(texts.INVALID_INPUTS) };
}

/** Our text for RETURNDATACOPY beyond the buffer, which EthereumJS does not tell from running out of gas. */
export const OUT_OF_BOUNDS = "return data out of bounds";

/**
 * Why a creation failed, or that it did not, where its init code returned `code`.
 *
 * EthereumJS calls a code deposit that cannot be paid plainly out of gas, and reports Frontier's as an error although
 * the creation stands.
 */
export function creationErrorOf(text: string, code: Bytes | undefined): FrameError | undefined {
  if (text === texts.CODESTORE_OUT_OF_GAS) return undefined;
  return code !== undefined && text === texts.OUT_OF_GAS ? "codeStoreOutOfGas" : frameErrorOf(text);
}

/** The reason behind an EthereumJS error text. */
export function frameErrorOf(text: string): FrameError {
  const known = BY_TEXT.get(text);
  if (known !== undefined) return known;
  // EthereumJS appends " at <code hash>/<address>:<pc>".
  if (text.startsWith(texts.INVALID_JUMP)) return "invalidJump";
  if (text === OUT_OF_BOUNDS) return "outOfBounds";
  return PRECOMPILE_TEXTS.has(text) ? "precompileFailed" : "internal";
}

/** True for the errors that end a frame, false for everything that must leave the EVM. */
export function isEvmError(error: unknown): error is EVMError {
  return typeof error === "object" && error !== null && "errorType" in error && error.errorType === "EVMError";
}
