/**
 * What an engine tells whoever records a transaction: the seam between the rooms that run code and those that explain it.
 *
 * An engine calls an {@link EventSink}; a sink never calls back into the engine, but for the state that {@link
 * EventSink.begin} hands it. Byte arrays that are handed over belong to the sink. A sink implements what it wants and
 * leaves out the rest, which is not even collected.
 */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";
import type { Log } from "../primitives/rlp/log-list.ts";
import type { FailureDetail, FrameError, FrameKind, StepOutcome } from "./frames.ts";
import type { StateReader } from "./state-port.ts";
import type { StepBuffer } from "./step-buffer.ts";

/** What a sink wants to hear of. Everything that is not named here is left out. */
export interface SinkWants {
  /** Frames and self-destructs: all of them, or only the calls of one address, whatever stands there. */
  readonly frames?: "all" | Bytes | undefined;
  readonly logs?: boolean | undefined;
  /** Accounts and slots that opcodes look at: those that ran, or also those that were refused before they ran. */
  readonly accesses?: "done" | "attempted" | undefined;
  /** Steps: as they are recorded, in buffers; or one by one, while the frame stands at each of them. */
  readonly steps?: "recorded" | "live" | undefined;
  /** What recorded steps wrote to memory. */
  readonly memory?: boolean | undefined;
}

export interface EventSink {
  readonly wants: SinkWants;

  /** A transaction begins; `state` is what it sees, at any moment until it ends. */
  begin?(state: StateReader): void;

  enterFrame?(frame: FrameStart): void;
  exitFrame?(end: FrameEnd): void;
  /** A call or creation that never started a frame (depth, balance, nonce): no exit follows. */
  refuseFrame?(frame: FrameStart, error: FrameError): void;
  /** SELFDESTRUCT ran to its end in the current frame. */
  selfDestruct?(event: SelfDestruct): void;
  log?(log: Log): void;

  /** An opcode looks at an account. */
  accessAccount?(address: Bytes): void;
  /** SLOAD or SSTORE of a 32-byte slot. */
  accessSlot?(address: Bytes, slot: Bytes): void;

  /**
   * Takes the next recorded steps. They come in order; what a promise is returned for waits until it is settled, and the
   * run with it. Frames are told of independently, with the numbers of their steps.
   */
  takeSteps?(steps: StepBuffer): MaybePromise<void>;

  /** An operation was paid for and is about to run, or was refused, with an outcome other than `done`. */
  beginStep?(step: LiveStep, outcome: StepOutcome): void;
  /** The operation of the last {@link beginStep} failed after all; `done` for REVERT, which ran and ends its frame. */
  failStep?(step: LiveStep, outcome: StepOutcome): void;
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
  /** Call data, or init code. */
  readonly input: Bytes;
  /** The code address is an active precompile. */
  readonly isPrecompile: boolean;
  /** Number of the recorded step that starts the frame; -1 for the outermost one, and where no steps are recorded. */
  readonly step: number;
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
  /** Where a creation put, or would have put, its code; undefined for calls. */
  readonly createdAddress: Bytes | undefined;
  /**
   * Code that ran in a call (the delegate's under EIP-7702); empty for precompiles, accounts without code and creations.
   * The same array for the same code within one transaction.
   */
  readonly code: Bytes;
  /** Number behind the frame's last recorded step; 0 where no steps are recorded. */
  readonly stepEnd: number;
}

export interface SelfDestruct {
  readonly address: Bytes;
  readonly beneficiary: Bytes;
  /** wei of `address`, before the transfer */
  readonly balance: bigint;
}

/**
 * The running frame at one operation. Valid only during the call it is handed to.
 *
 * Gas amounts are JS numbers, exact below 2^53.
 */
export interface LiveStep {
  /** Byte offset of the operation. */
  readonly pc: number;
  readonly opcode: number;
  /** What the frame has before it pays for the operation. */
  readonly gas: number;
  /** Charged to this frame: static, memory expansion, access. The would-be cost if it could not be paid. */
  readonly cost: number;
  /** Handed to the child frame by a call or creation (63/64 rule applied, stipend not included). */
  readonly forwarded: number;
  /** Active memory before the operation, in bytes: a multiple of 32. */
  readonly memoryBytes: number;
  /** Refund counter of the transaction, in gas; what SSTORE earns is in it when the operation begins. */
  readonly gasRefund: number;
  readonly stackHeight: number;
  /** An item of the stack, 0 being the top. */
  stackItem(index: number): bigint;
  /** A copy of memory as it is now, zeros beyond what is active. */
  readMemory(offset: number, length: number): Bytes;
}
