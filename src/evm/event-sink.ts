/**
 * Events of an engine during a transaction, and the sinks that receive them.
 *
 * A sink never calls back into the engine, except to read the state passed to {@link EventSink.begin}. Byte arrays
 * passed to a sink do not change, and it must not change them: several events may share one. A sink implements only the
 * members that it needs; other data is not collected.
 */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";
import type { Log } from "../primitives/rlp/log-list.ts";
import type { FailureDetail, FrameError, FrameKind, StepOutcome } from "./frames.ts";
import type { StateReader } from "./state-port.ts";
import type { StepBuffer } from "./step-buffer.ts";

/** Selects the events of a sink. Unselected data is not collected. */
export interface SinkWants {
  /** Frames and self-destructs: all of them, or only calls of one address. */
  readonly frames?: "all" | Bytes | undefined;
  /**
   * Includes input and output in frame events: in all, in those of the outermost frame, or in those of calls of one
   * address, which is that of `frames` if `frames` is one. Both are empty elsewhere. May change while a transaction
   * runs: later frames then have what is wanted by then.
   */
  readonly data?: "all" | "outermost" | Bytes | undefined;
  readonly logs?: boolean | undefined;
  /** Accounts and slots accessed by opcodes that ran; with `attempted` also by opcodes that failed before. */
  readonly accesses?: "done" | "attempted" | undefined;
  /** Steps: recorded in buffers, or reported one by one while the frame is at each of them. */
  readonly steps?: "recorded" | "live" | undefined;
  /** Includes memory writes in recorded steps. */
  readonly memory?: boolean | undefined;
}

/**
 * Receives the events of a transaction. Engines do not collect events that {@link EventSink.wants} leaves out, so that
 * these cost nothing.
 */
export interface EventSink {
  readonly wants: SinkWants;
  /**
   * Estimated bytes that it has recorded; default 0. Clients' executions that take much memory wait for each other, with
   * what is recorded of them.
   */
  readonly size?: number;

  /** A transaction begins. `state` can be read, with its changes, until it ends. */
  begin?(state: StateReader): void;

  enterFrame?(frame: FrameStart): void;
  exitFrame?(end: FrameEnd): void;
  /** A call or creation did not start a frame (depth, balance, nonce). No exit follows. */
  refuseFrame?(frame: FrameStart, error: FrameError): void;
  /** A SELFDESTRUCT of the current frame is complete. */
  selfDestruct?(event: SelfDestruct): void;
  log?(log: Log): void;

  /** An opcode accesses an account. */
  accessAccount?(address: Bytes): void;
  /** SLOAD or SSTORE of a 32-byte slot. */
  accessSlot?(address: Bytes, slot: Bytes): void;

  /**
   * Receives the next recorded steps, in order. If a promise is returned, the run pauses until it settles. Frame events
   * come independently, with the indexes of their steps.
   */
  takeSteps?(steps: StepBuffer): MaybePromise<void>;
  /** Records of earlier steps that are no longer read, which later ones may overwrite. Default: none. */
  spareSteps?(): Uint8Array | undefined;

  /** An operation is paid for and about to run; or it failed already, and the outcome is not `done`. */
  beginStep?(step: LiveStep, outcome: StepOutcome): void;
  /**
   * The operation of the last {@link beginStep} failed; or it is a REVERT, which ends its frame with outcome `done`.
   */
  failStep?(step: LiveStep, outcome: StepOutcome): void;
}

/** The beginning of a frame. */
export interface FrameStart {
  readonly kind: FrameKind;
  /** 0 for the outermost frame. */
  readonly depth: number;
  /** Account in whose context the calling opcode ran: the sender, or the storage owner of the parent frame. */
  readonly from: Bytes;
  /** Called address; for DELEGATECALL and CALLCODE that of the code. Undefined for a creation. */
  readonly to: Bytes | undefined;
  /** wei; for DELEGATECALL the value inherited from the parent frame. */
  readonly value: bigint;
  /** Gas of the frame, including the stipend. */
  readonly gas: bigint;
  /** Call data, or init code, as far as {@link SinkWants.data} includes it. */
  readonly input: Bytes;
  /** True if the code address is an active precompile. */
  readonly isPrecompile: boolean;
  /** Index of the recorded step that starts the frame; -1 for the outermost frame, and if no steps are recorded. */
  readonly step: number;
}

/** The end of a frame. */
export interface FrameEnd {
  readonly error: FrameError | undefined;
  /** Set only if the frame ended at an opcode that could not be dispatched, or in a precompile that failed. */
  readonly detail: FailureDetail | undefined;
  /** Gas used inside the frame; all of its gas after an exceptional halt. */
  readonly gasUsed: bigint;
  /** Return data, revert data or deployed code, as far as {@link SinkWants.data} includes it; empty on other failures. */
  readonly output: Bytes;
  /**
   * Only in Frontier: code that the init code returned but could not pay for. The creation succeeds without code. From
   * Homestead on it fails with `codeStoreOutOfGas` instead.
   */
  readonly undeposited: Bytes | undefined;
  /** Address of a creation's contract, even if it failed; undefined for calls. */
  readonly createdAddress: Bytes | undefined;
  /**
   * Executed code of a call (the delegate's under EIP-7702); empty for precompiles, accounts without code and
   * creations. Always the same array for the same code within one transaction.
   */
  readonly code: Bytes;
  /** Index after the frame's last recorded step; 0 if no steps are recorded. */
  readonly stepEnd: number;
}

/** A SELFDESTRUCT that took place, also where the account stays (EIP-6780). */
export interface SelfDestruct {
  readonly address: Bytes;
  readonly beneficiary: Bytes;
  /** wei of `address`, before the transfer */
  readonly balance: bigint;
}

/**
 * The executing frame at one operation. Valid only during the call that receives it.
 *
 * Gas amounts are JS numbers, exact below 2^53.
 */
export interface LiveStep {
  /** Byte offset of the operation. */
  readonly pc: number;
  readonly opcode: number;
  /** Gas of the frame before the operation is paid for. */
  readonly gas: number;
  /** Gas charged to this frame: static price, memory expansion, access. If it could not be paid, the required gas. */
  readonly cost: number;
  /** Gas given to the child frame by a call or creation (63/64 rule applied, stipend not included). */
  readonly forwarded: number;
  /** Active memory before the operation, in bytes: a multiple of 32. */
  readonly memoryBytes: number;
  /** Refund counter of the transaction, in gas; it includes the refund of a current SSTORE. */
  readonly gasRefund: number;
  readonly stackHeight: number;
  /** An item of the stack; 0 is the top. */
  stackItem(index: number): bigint;
  /** A copy of the present memory; zero beyond its active part. */
  readMemory(offset: number, length: number): Bytes;
}
