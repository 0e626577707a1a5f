/** Frames and steps in words: how a frame came to be, why it ended, how far an operation came. No client's wording. */
import type { CurveFault } from "../primitives/curves/curve-answer.ts";

/** Why a frame ended exceptionally. The trace formats have a table of texts each. */
export type FrameError =
  | "outOfGas"
  | "codeStoreOutOfGas"
  | "codeSizeExceeded"
  | "initCodeSizeExceeded"
  | "createCollision"
  | "reverted"
  | "invalidOpcode"
  | "invalidJump"
  | "stackUnderflow"
  | "stackOverflow"
  | "staticStateChange"
  | "outOfBounds"
  | "invalidCode"
  | "precompileFailed"
  | "insufficientBalance"
  | "callTooDeep"
  | "nonceOverflow"
  | "valueOverflow"
  | "internal";

/** How a frame came to be. The outermost is `call` or `create`. */
export const FrameKind = {
  call: 0,
  callCode: 1,
  delegateCall: 2,
  staticCall: 3,
  create: 4,
  create2: 5,
} as const;
export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

/** True for CREATE, CREATE2 and creation transactions. */
export function isCreation(kind: FrameKind): boolean {
  return kind >= FrameKind.create;
}

/** True for CALLCODE and DELEGATECALL: the frame works on the account of its caller. */
export function runsForeignCode(kind: FrameKind): boolean {
  return kind === FrameKind.callCode || kind === FrameKind.delegateCall;
}

/** Frames below the outermost one that a transaction may have at a time (yellow paper §8). */
export const CALL_DEPTH_LIMIT = 1024;

/** What error texts name of a failure. */
export type FailureDetail = OpcodeFailure | PrecompileFailure;

/** The opcode that a frame could not dispatch. */
export interface OpcodeFailure {
  readonly opcode: number;
  /** Stack items before that opcode. */
  readonly stackHeight: number;
  /**
   * Why gas ran out, where that is not simply a price: a region of memory beyond 2^64, a price beyond any gas limit, the
   * EIP-2200 sentry, or in a static frame, which would have refused the opcode anyway.
   */
  readonly cause: GasCause | undefined;
  /** Bytes of init code given to CREATE or CREATE2; undefined for other opcodes. */
  readonly initCodeSize: bigint | undefined;
}

export type GasCause = "memoryOverflow" | "gasOverflow" | "reentrancySentry" | "staticFrame";

/** What a precompile found wrong with its input. */
export type PrecompileFault =
  | CurveFault
  /** An operand of modular exponentiation that is longer than it may be. */
  | "modexpLength"
  /** The last byte of blake2f's input. */
  | "finalFlag";

export interface PrecompileFailure {
  readonly fault: PrecompileFault;
}

/** How far an operation came. */
export const StepOutcome = {
  /** Ran to its end; STOP, RETURN, REVERT and SELFDESTRUCT too. */
  done: 0,
  /** Its gas could not be paid; the cost is known. */
  outOfGas: 1,
  /** Could be paid for and failed all the same: static violation, return data out of bounds, init code too large. */
  failed: 2,
  /** JUMP or JUMPI to a place that is no destination. */
  badJump: 3,
  /** Never dispatched: undefined opcode. */
  undefinedOpcode: 4,
  /** Never dispatched: too few or too many stack items. */
  stackError: 5,
  /** Never dispatched: its gas cannot be computed (memory beyond any limit), or the EIP-2200 sentry refused it. */
  uncomputable: 6,
} as const;
export type StepOutcome = (typeof StepOutcome)[keyof typeof StepOutcome];
