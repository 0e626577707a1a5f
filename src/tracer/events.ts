/**
 * What an executor tells whoever records it: the vocabulary between the room that runs code and the room that explains it.
 *
 * The executor calls an {@link EventSink}; a sink never calls back. Bytes handed over are live: a sink copies what it
 * keeps. What a sink does not want is not emitted, and costs nothing.
 */
import type { Bytes } from "../primitives/bytes.ts";

/** Why a frame ended exceptionally, in no client's wording: the formats have a table each. */
export type FrameError =
  | "outOfGas"
  | "codeStoreOutOfGas"
  | "codeSizeExceeded"
  | "initCodeSizeExceeded"
  | "createCollision"
  | "refundExhausted"
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

/** A frame at its beginning. */
export interface FrameStart {
  readonly kind: FrameKind;
  /** 0 for the outermost frame. */
  readonly depth: number;
  /** Account in whose context the calling opcode ran: the sender, or the storage owner of the parent frame. */
  readonly from: Bytes;
  /** Address that was called; for DELEGATECALL and CALLCODE the code's address. Undefined for a creation. */
  readonly to: Bytes | undefined;
  /** wei; for DELEGATECALL the value inherited from the parent frame. */
  readonly value: bigint;
  /** Gas the frame starts with, stipend included. */
  readonly gas: bigint;
  /** Call data, or init code. Live. */
  readonly input: Bytes;
  /** The code address is an active precompile. */
  readonly isPrecompile: boolean;
}

/** What error texts name of a failure. */
export type FailureDetail = OpcodeFailure | PrecompileFailure;

/** What a precompile found wrong with its input. */
export type PrecompileFault =
  | "inputLength"
  /** bn254's pairing takes pairs of points. */
  | "pairingLength"
  /** The last byte of blake2f's input. */
  | "finalFlag"
  /** A number not below the field's modulus. */
  | "fieldElement"
  /** A BLS12-381 field element that does not begin with 16 zeros. */
  | "fieldElementTopBytes"
  | "bn254Point"
  | "blsPoint"
  /** The hash of a KZG commitment. */
  | "versionedHash"
  | "kzgProof";

export interface PrecompileFailure {
  readonly fault: PrecompileFault;
}

/** The opcode that a frame could not dispatch. */
export interface OpcodeFailure {
  readonly opcode: number;
  /** Stack items before that opcode. */
  readonly stackHeight: number;
  /**
   * Why gas ran out, where that is not simply a price: a region of memory beyond 2^64, a price beyond any gas limit, the
   * EIP-2200 sentry, or in a static frame, which would have refused the opcode anyway.
   */
  readonly cause: "memoryOverflow" | "gasOverflow" | "reentrancySentry" | "staticFrame" | undefined;
  /** Bytes of init code given to CREATE or CREATE2; undefined for other opcodes. */
  readonly initCodeSize: bigint | undefined;
}

/** A frame at its end. */
export interface FrameEnd {
  readonly error: FrameError | undefined;
  /** Undefined unless the frame ended by an opcode that could not be dispatched, or by a precompile. */
  readonly detail: FailureDetail | undefined;
  /** Gas used inside the frame: everything it had on an exceptional halt. */
  readonly gasUsed: bigint;
  /** Return data, revert data or deployed code; empty on other failures. */
  readonly output: Bytes;
  /**
   * Frontier: code that the init code returned and that could not be paid for. The creation stands, without code; from
   * Homestead on it fails with `codeStoreOutOfGas` instead.
   */
  readonly undeposited: Bytes | undefined;
  /** Where a creation put, or would have put, its code; undefined where it never came to an address. */
  readonly createdAddress: Bytes | undefined;
  /** Code that ran in a call frame (the delegate's under EIP-7702); empty for precompiles and accounts without code. */
  readonly code: Bytes;
}

/** One log as the EVM emitted it. */
export interface Log {
  readonly address: Bytes;
  readonly topics: readonly Bytes[];
  readonly data: Bytes;
}

/**
 * The running frame at one operation. Live: valid only during the call it is handed to.
 *
 * Gas amounts are JS numbers, exact below 2^53.
 */
export interface LiveStep {
  /** Byte offset of the operation, until it ran. */
  readonly pc: number;
  /** Before the operation ran, what the frame had before paying for it; afterwards what is left. */
  readonly gas: number;
  /** Bottom first; only the first `stackHeight` items count. */
  readonly stack: readonly bigint[];
  readonly stackHeight: number;
  /** May be longer or shorter than the active memory; what is missing is zero. */
  readonly memory: Bytes;
  /** Refund counter of the transaction, in gas. */
  readonly gasRefund: bigint;

  readonly stepOpcode: number;
  /** Charged to this frame: static, memory expansion, access. The would-be cost if it could not be paid. */
  readonly stepCost: number;
  /** Handed to the child frame by a call or creation (63/64 rule applied, stipend not included). */
  readonly stepForwarded: number;
  /** Active memory before the operation, in bytes: a multiple of 32. */
  readonly stepMemoryBytes: number;
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

/** How a sink is told of a plain operation: one that changes only its frame. */
export const Telling = {
  /** By events, as of every other operation. */
  events: 0,
  /** By a row that the executor fills. */
  row: 1,
  /** By a row with the item that the operation left on top. */
  rowAndWord: 2,
} as const;
export type Telling = (typeof Telling)[keyof typeof Telling];

/**
 * Steps as columns that the executor fills itself: events cost several times as much as the opcodes they tell of
 * (measured: a loop of plain opcodes took 2.5 times its time with events, 1.7 times with rows).
 */
export interface OpenRows {
  /** Rows filled. The executor counts up. */
  length: number;
  readonly capacity: number;
  /** Index of the running frame, for each row. */
  readonly runningFrame: number;
  readonly frame: Uint32Array;
  readonly pc: Uint32Array;
  readonly opcode: Uint8Array;
  readonly gas: Float64Array;
  readonly cost: Float64Array;
  /** Left alone by the executor where it is empty. */
  readonly memoryBytes: Uint32Array;
  readonly words: (bigint | undefined)[];
}

/** A sink that takes rows. */
export interface RowSink extends EventSink {
  /** {@link Telling} by opcode. The first operation after any event is told by events all the same. */
  readonly telling: Uint8Array;
  /** Rows with room for more: asked for after events, and where the last ones are full. */
  openRows(): OpenRows;
  /** The operation of the last row did not run to its end; an event says how. */
  reopenRow(): void;
}

/** Receives the events of one transaction or call, in order. */
export interface EventSink {
  /** Frames, self-destructs. */
  readonly wantsFrames: boolean;
  readonly wantsLogs: boolean;
  /** Accounts and slots that opcodes look at. */
  readonly wantsAccesses: boolean;
  /** Of those that it wants, also what opcodes were to look at that were refused. */
  readonly wantsRefusedAccesses?: boolean;
  readonly wantsSteps: boolean;
  /** Itself, where it takes rows of plain operations instead of events. */
  readonly rowSink?: RowSink | undefined;

  enterFrame(frame: FrameStart): void;
  exitFrame(end: FrameEnd): void;
  /** A call or creation that never started a frame (depth, balance, nonce): no exit follows. */
  refuseFrame(frame: FrameStart, error: FrameError): void;
  /** SELFDESTRUCT ran to its end in the current frame; `balance` is from before the transfer, in wei. */
  selfDestruct(address: Bytes, beneficiary: Bytes, balance: bigint): void;
  log(log: Log): void;

  /** An opcode looks at an account; the address is live. */
  accessAccount(address: Bytes): void;
  /** SLOAD or SSTORE of a 32-byte slot; both live. */
  accessSlot(address: Bytes, slot: Bytes): void;

  /** An operation was paid for and is about to run. */
  beginStep(step: LiveStep): void;
  /** It ran; child frames' leftover gas is back. */
  endStep(step: LiveStep): void;
  /** It failed after {@link beginStep}. */
  failStep(step: LiveStep, outcome: StepOutcome): void;
  /** It failed before it could begin. */
  refuseStep(step: LiveStep, outcome: StepOutcome): void;
}
