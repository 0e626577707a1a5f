/**
 * What was recorded of one transaction or call: the one source of every trace format.
 *
 * Interfaces only, so that a binary buffer of another engine can stand behind them. Frames are in order of entry, parents
 * before children, 0 the outermost. Steps are in order of dispatch across all frames.
 */
import type { Bytes } from "../primitives/bytes.ts";
import type { FailureDetail, FrameError, FrameKind, Log, StepOutcome } from "./events.ts";

export interface Recording {
  /** Empty when nothing ran or frames were not asked for. */
  readonly frames: readonly CallFrame[];
  /** Undefined when steps were not asked for. */
  readonly steps: StepTable | undefined;
  /** Accounts and slots that opcodes looked at, in order of first sight; empty when not asked for. */
  readonly accesses: readonly AccountAccess[];
}

export interface CallFrame {
  readonly index: number;
  /** Index of the parent frame, -1 for the outermost. */
  readonly parent: number;
  readonly kind: FrameKind;
  readonly depth: number;
  /** False for calls and creations that never started (depth, balance, nonce): they have an error and nothing else. */
  readonly isStarted: boolean;
  /** Sender, or storage owner of the parent frame. */
  readonly from: Bytes;
  /** Called address (for DELEGATECALL and CALLCODE the code's); for creations the new one, undefined if none came up. */
  readonly to: Bytes | undefined;
  /** Account whose storage and balance the frame works on; undefined as `to`. */
  readonly account: Bytes | undefined;
  /** wei; inherited for DELEGATECALL. */
  readonly value: bigint;
  /** Gas at the first instruction, stipend included. */
  readonly gas: bigint;
  readonly gasUsed: bigint;
  /** Call data, or init code. */
  readonly input: Bytes;
  /** Return data, revert data or deployed code; empty on other failures. */
  readonly output: Bytes;
  /** Frontier: code that a creation returned and could not pay for; it stands without code. */
  readonly undeposited: Bytes | undefined;
  /** Code that ran: init code for creations, the delegate's under EIP-7702; empty for precompiles and code-less accounts. */
  readonly code: Bytes;
  readonly isPrecompile: boolean;
  readonly error: FrameError | undefined;
  readonly detail: FailureDetail | undefined;
  /** Indexes of the direct children, in order. */
  readonly children: readonly number[];
  readonly logs: readonly FrameLog[];
  /** SELFDESTRUCT that ended the frame. */
  readonly selfDestruct: SelfDestruct | undefined;
  /** Index of the step that started the frame, -1 for the outermost or without steps. The frame's own first is next. */
  readonly step: number;
  /** Index behind the last step of the frame and its children. */
  readonly stepEnd: number;
}

export interface FrameLog extends Log {
  /** Children that had started when the log was emitted. */
  readonly position: number;
  /** Logs before it in the transaction that had not been undone when it was emitted. */
  readonly index: number;
}

export interface SelfDestruct {
  readonly address: Bytes;
  readonly beneficiary: Bytes;
  /** wei, before the transfer */
  readonly balance: bigint;
}

export interface AccountAccess {
  readonly address: Bytes;
  readonly slots: readonly Bytes[];
}

/** A region of memory that a step wrote. */
export interface MemoryWrite {
  readonly offset: number;
  readonly bytes: Bytes;
}

/** Consecutive steps as columns, for whoever reads all of them: a call for each number would cost more than its use. */
export interface StepRows {
  /** Step of the first row. */
  readonly first: number;
  readonly length: number;
  readonly frame: Uint32Array;
  readonly pc: Uint32Array;
  readonly opcode: Uint8Array;
  readonly outcome: Uint8Array;
  /** Empty without memory. */
  readonly memoryBytes: Uint32Array;
  readonly gas: Float64Array;
  readonly cost: Float64Array;
  readonly words: readonly (bigint | undefined)[];
}

/** Steps by index. Gas as JS numbers. Stack and memory are rebuilt by replaying, see FrameMachine. */
export interface StepTable {
  readonly length: number;
  readonly hasMemory: boolean;
  /** Steps are being run again while they are read: in order, by their rows, and those of rows before are gone. */
  readonly isPassing: boolean;
  /** The rows among which a step is. While it has yet to run again: what to wait for before asking once more. */
  rows(step: number): StepRows | Promise<void>;
  frame(step: number): number;
  pc(step: number): number;
  opcode(step: number): number;
  outcome(step: number): StepOutcome;
  /** Gas before the operation. */
  gas(step: number): number;
  /** Charged to the frame, without what a child was given. */
  cost(step: number): number;
  /** Given to a child frame, without stipend. */
  forwarded(step: number): number;
  /** Gas after the operation, child frames' leftovers included; before minus cost where it did not run. */
  gasAfter(step: number): number;
  /** Refund counter when the operation was paid for. */
  refund(step: number): number;
  /** Active memory before, in bytes; 0 without memory. */
  memoryBytes(step: number): number;
  /** The item left on top by an operation that makes one. */
  word(step: number): bigint | undefined;
  write(step: number): MemoryWrite | undefined;
}

/** What a recorder is asked to keep. */
export interface RecordingRequest {
  readonly logs?: boolean;
  readonly accesses?: boolean;
  readonly steps?: boolean;
  /** Memory writes of steps; only with `steps`. */
  readonly memory?: boolean;
  /** Most bytes to keep; default 1 GiB. */
  readonly maxBytes?: number;
}
