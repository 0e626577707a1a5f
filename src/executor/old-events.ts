/**
 * The events that the run loop of this room emits. {@link SinkBridge} translates them for the sinks of `evm/event-sink.ts`.
 *
 * Byte arrays that are handed over are live: the run loop goes on changing them.
 */
import type { FrameEnd, FrameStart, SelfDestruct } from "../evm/event-sink.ts";
import type { FrameError, Log, StepOutcome } from "../evm/frames.ts";
import type { Bytes } from "../primitives/bytes.ts";

export type OldFrameStart = Omit<FrameStart, "step">;
export type OldFrameEnd = Omit<FrameEnd, "stepEnd">;

/** The running frame at one operation. Valid only during the call it is handed to. */
export interface OldLiveStep {
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

/** Receives the events of one transaction or call, in order. */
export interface OldEventSink {
  readonly wantsFrames: boolean;
  readonly wantsLogs: boolean;
  readonly wantsAccesses: boolean;
  /** Of the accesses that it wants, also those of opcodes that were refused. */
  readonly wantsRefusedAccesses: boolean;
  readonly wantsSteps: boolean;

  enterFrame(frame: OldFrameStart): void;
  exitFrame(end: OldFrameEnd): void;
  /** A call or creation that never started a frame (depth, balance, nonce): no exit follows. */
  refuseFrame(frame: OldFrameStart, error: FrameError): void;
  selfDestruct(event: SelfDestruct): void;
  log(log: Log): void;

  accessAccount(address: Bytes): void;
  accessSlot(address: Bytes, slot: Bytes): void;

  /** An operation was paid for and is about to run. */
  beginStep(step: OldLiveStep): void;
  /** It ran; child frames' leftover gas is back. */
  endStep(step: OldLiveStep): void;
  /** It failed after {@link beginStep}. */
  failStep(step: OldLiveStep, outcome: StepOutcome): void;
  /** It failed before it could begin. */
  refuseStep(step: OldLiveStep, outcome: StepOutcome): void;
}
