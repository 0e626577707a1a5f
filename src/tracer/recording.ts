/**
 * What was recorded of one transaction or call: the one source of every trace format.
 *
 * Frames are in order of entry, parents before children, 0 the outermost. Steps are in order of dispatch across all frames.
 */
import type { AccountAccess } from "../evm/engine.ts";
import type { FrameStart, SelfDestruct } from "../evm/event-sink.ts";
import type { FailureDetail, FrameError } from "../evm/frames.ts";
import type { StepBuffer } from "../evm/step-buffer.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { Log } from "../primitives/rlp/log-list.ts";

export interface Recording {
  /** Empty when nothing ran or frames were not asked for. */
  readonly frames: readonly CallFrame[];
  /** Undefined when steps were not asked for. They may come only while they are read. */
  readonly steps: StepStream | undefined;
  /** Accounts and slots that opcodes looked at, in order of first sight; empty when not asked for. */
  readonly accesses: readonly AccountAccess[];
}

/** The steps of a transaction in their buffers, in order; a promise where the next buffer has yet to come. */
export type StepStream = Iterable<StepBuffer | Promise<void>>;

/** A frame from its beginning to its end. */
export interface CallFrame extends Omit<FrameStart, "to"> {
  readonly index: number;
  /** Index of the parent frame, -1 for the outermost. */
  readonly parent: number;
  /** False for calls and creations that never started (depth, balance, nonce): they have an error and nothing else. */
  readonly isStarted: boolean;
  /** Called address (for DELEGATECALL and CALLCODE the code's); for creations the new one, undefined if none came up. */
  readonly to: Bytes | undefined;
  /** Account whose storage and balance the frame works on; undefined as `to`. */
  readonly account: Bytes | undefined;
  readonly gasUsed: bigint;
  /** Return data, revert data or deployed code; empty on other failures. */
  readonly output: Bytes;
  /** Frontier: code that a creation returned and could not pay for; it stands without code. */
  readonly undeposited: Bytes | undefined;
  /** Code that ran: init code for creations, the delegate's under EIP-7702; empty for precompiles and code-less accounts. */
  readonly code: Bytes;
  readonly error: FrameError | undefined;
  readonly detail: FailureDetail | undefined;
  /** Indexes of the direct children, in order. */
  readonly children: readonly number[];
  readonly logs: readonly FrameLog[];
  /** SELFDESTRUCT that ended the frame. */
  readonly selfDestruct: SelfDestruct | undefined;
  /** Index behind the last step of the frame and its children. The frame's own first is behind {@link FrameStart.step}. */
  readonly stepEnd: number;
}

export interface FrameLog extends Log {
  /** Children that had started when the log was emitted. */
  readonly position: number;
  /** Logs before it in the transaction that had not been undone when it was emitted. */
  readonly index: number;
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
