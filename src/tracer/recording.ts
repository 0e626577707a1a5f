/**
 * The recording of one transaction or call, from which every trace format is made.
 *
 * Frames are in order of entry, parents before children, 0 is the outermost. Steps are in order of dispatch across all
 * frames.
 */
import type { AccountAccess } from "../evm/engine.ts";
import type { FrameStart, SelfDestruct } from "../evm/event-sink.ts";
import { type FailureDetail, type FrameError, isCreation } from "../evm/frames.ts";
import type { StepBuffer } from "../evm/step-buffer.ts";
import { type Bytes, bytesToBigInt, EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import type { Log } from "../primitives/rlp/log-list.ts";

/** Plain data: formats read it as often as they like, and never change it. */
export interface Recording {
  /** Empty if nothing ran or frames were not asked for. */
  readonly frames: readonly CallFrame[];
  /** Undefined if steps were not asked for. They may be produced while they are read. */
  readonly steps: StepStream | undefined;
  /** Accounts and slots that opcodes accessed, in order of first access; empty if not asked for. */
  readonly accesses: readonly AccountAccess[];
}

/** The step buffers of a transaction in order. A promise means that the next buffer is not ready yet. */
export type StepStream = Iterable<StepBuffer | Promise<void>>;

/** A completed frame. */
export interface CallFrame extends Omit<FrameStart, "to"> {
  readonly index: number;
  /** Index of the parent frame, -1 for the outermost. */
  readonly parent: number;
  /**
   * False for calls and creations that never started (depth, balance, nonce): apart from the request they have only an
   * error.
   */
  readonly isStarted: boolean;
  /**
   * Called address (for DELEGATECALL and CALLCODE that of the code); for creations the new address, undefined if it was
   * not determined.
   */
  readonly to: Bytes | undefined;
  /** Account whose storage and balance the frame uses; undefined if `to` is. */
  readonly account: Bytes | undefined;
  readonly gasUsed: bigint;
  /** Return data, revert data or deployed code; empty after other failures. */
  readonly output: Bytes;
  /** Frontier: code that a creation returned but could not pay for; the contract stays without code. */
  readonly undeposited: Bytes | undefined;
  /**
   * Executed code: init code for creations, the delegate's code under EIP-7702; empty for precompiles and accounts
   * without code.
   */
  readonly code: Bytes;
  readonly error: FrameError | undefined;
  readonly detail: FailureDetail | undefined;
  /** Indexes of the direct children in order. */
  readonly children: readonly number[];
  readonly logs: readonly FrameLog[];
  /** The SELFDESTRUCT that ended the frame. */
  readonly selfDestruct: SelfDestruct | undefined;
  /** Index after the last step of the frame and its children. Its first step is {@link FrameStart.step}. */
  readonly stepEnd: number;
}

/** True if neither the frame nor a frame around it failed. */
export function lasted(frames: readonly CallFrame[], frame: CallFrame): boolean {
  for (let each: CallFrame | undefined = frame; each !== undefined; each = frames[each.parent]) {
    if (each.error !== undefined) return false;
  }
  return true;
}

/** A log with its position among the calls of its frame. */
export interface FrameLog extends Log {
  /** Number of children that had started when the log was emitted. */
  readonly position: number;
  /** Number of logs before it in the transaction, without reverted ones at the time it was emitted. */
  readonly index: number;
}

/** The data that a recorder keeps. */
export interface RecordingRequest {
  readonly logs?: boolean;
  readonly accesses?: boolean;
  readonly steps?: boolean;
  /** Memory writes of steps; only with `steps`. */
  readonly memory?: boolean;
  /** Most bytes to record, estimated; default: the node's limit `recordingMemory`. */
  readonly maxBytes?: number;
}

// Results of a call or creation in the calling frame are derived from the child frame, so that no step records them.

/** The item pushed on the stack: 1 or the new address; 0 if the call or creation failed or did not start. */
export function resultWord({ kind, error, to }: CallFrame): bigint {
  if (error !== undefined) return 0n;
  return isCreation(kind) ? bytesToBigInt(to ?? EMPTY_BYTES) : 1n;
}

/**
 * The return data buffer (EIP-211). The part of it that fits is also written to the output region of a call.
 *
 * @see https://eips.ethereum.org/EIPS/eip-211
 */
export function returnDataAfter({ kind, error, isStarted, output }: CallFrame): Bytes {
  if (error === "reverted") return output;
  return error === undefined && isStarted && !isCreation(kind) ? output : EMPTY_BYTES;
}

/**
 * Gas of a frame after one of its own operations. Gas that a child frame did not use is returned, including the
 * stipend; all of it if the child did not start. If the operation was not executed: gas before it minus its cost.
 *
 * @param child - frame that a call or creation started, or tried to start
 */
export function gasAfter(steps: StepBuffer, row: number, child: CallFrame | undefined): number {
  const left = steps.gas(row) - steps.cost(row);
  return child === undefined ? left : left - steps.forwarded(row) + Number(child.gas - child.gasUsed);
}
