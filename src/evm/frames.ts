/** Kinds, failures and outcomes of frames and operations, independent of any client's texts. */
import type { CurveFault } from "../primitives/curves/curve-answer.ts";

/** Reasons of an exceptional halt, in the order in which the WebAssembly core numbers them, from 1 on. */
export const FRAME_ERRORS = [
  "outOfGas",
  "codeStoreOutOfGas",
  "codeSizeExceeded",
  "initCodeSizeExceeded",
  "createCollision",
  "reverted",
  "invalidOpcode",
  "invalidJump",
  "stackUnderflow",
  "stackOverflow",
  "staticStateChange",
  "outOfBounds",
  "invalidCode",
  "precompileFailed",
  "insufficientBalance",
  "callTooDeep",
  "nonceOverflow",
  "valueOverflow",
  "internal",
] as const;
/** Reason of an exceptional halt. Each trace format has its own texts. */
export type FrameError = (typeof FRAME_ERRORS)[number];

/** The opcode or transaction that started a frame. The outermost frame is a `call` or a `create`. */
export const FrameKind = {
  call: 0,
  callCode: 1,
  delegateCall: 2,
  staticCall: 3,
  create: 4,
  create2: 5,
} as const;
/** The number of a kind. */
export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

/** True for CREATE, CREATE2 and creation transactions. */
export function isCreation(kind: FrameKind): boolean {
  return kind >= FrameKind.create;
}

/** True for CALLCODE and DELEGATECALL, which run other code on the caller's own account. */
export function runsForeignCode(kind: FrameKind): boolean {
  return kind === FrameKind.callCode || kind === FrameKind.delegateCall;
}

/** Deepest nesting of frames below the outermost one (yellow paper §8). */
export const CALL_DEPTH_LIMIT = 1024;

/** Values that error texts of a failure need. */
export type FailureDetail = OpcodeFailure | PrecompileFailure;

/** The opcode that could not be dispatched. */
export interface OpcodeFailure {
  readonly opcode: number;
  /** Number of stack items before the opcode. */
  readonly stackHeight: number;
  /**
   * Reason for running out of gas, other than an ordinary price: a memory region beyond 2^64, a price beyond any gas
   * limit, the EIP-2200 sentry, or a static frame in which the opcode is forbidden.
   */
  readonly cause: GasCause | undefined;
  /** Bytes of init code of a CREATE or CREATE2; undefined for other opcodes. */
  readonly initCodeSize: bigint | undefined;
}

/** Reasons why an operation ran out of gas although its price is not just too high, numbered by the core from 1 on. */
export const GAS_CAUSES = ["memoryOverflow", "gasOverflow", "reentrancySentry", "staticFrame"] as const;
/** Reason why an operation ran out of gas, unless its ordinary price was too high. */
export type GasCause = (typeof GAS_CAUSES)[number];

/** Fault of a precompile's input. */
export type PrecompileFault =
  | CurveFault
  /** An operand of modular exponentiation is too long. */
  | "modexpLength"
  /** The last byte of blake2f's input is invalid. */
  | "finalFlag";

/** Failure of a precompile. It uses up all gas of the frame. */
export interface PrecompileFailure {
  readonly fault: PrecompileFault;
}

/** Outcome of an operation. */
export const StepOutcome = {
  /** Completed, including STOP, RETURN, REVERT and SELFDESTRUCT. */
  done: 0,
  /** Its gas could not be paid; the cost is known. */
  outOfGas: 1,
  /** Paid for, but failed: static violation, return data out of bounds, init code too long. */
  failed: 2,
  /** JUMP or JUMPI to an invalid destination. */
  badJump: 3,
  /** Not dispatched: undefined opcode. */
  undefinedOpcode: 4,
  /** Not dispatched: too few or too many stack items. */
  stackError: 5,
  /** Not dispatched: its gas cannot be computed (memory beyond any limit), or the EIP-2200 sentry refused it. */
  uncomputable: 6,
} as const;
/** The number of an outcome. */
export type StepOutcome = (typeof StepOutcome)[keyof typeof StepOutcome];
