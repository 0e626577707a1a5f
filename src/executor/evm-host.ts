/** What the run loop of a frame works with: the rules, the clock and whoever watches. */
import type { EVM, EVMError, EVMRunCallOpts, ExecResult, PrecompileFunc } from "@ethereumjs/evm";
import type { CallMessage } from "./call-message.ts";
import type { ExecutionClock } from "./evm-clock.ts";
import type { Frame, FrameSurroundings, OpenCall } from "./evm-frame.ts";
import type { EvmObserver } from "./evm-observer.ts";
import type { Common } from "./evm-types.ts";
import type { OldEventSink } from "./old-events.ts";
import type { OpcodeEntry } from "./opcode-table.ts";

/** Everything a run is given beside its message. */
export interface CoreRun {
  readonly block: NonNullable<EVMRunCallOpts["block"]>;
  readonly blockchain: EVM["blockchain"];
  /** wei per gas */
  readonly gasPrice: bigint;
  readonly clock: ExecutionClock;
  readonly sink: OldEventSink | undefined;
}

export interface FrameHost extends FrameSurroundings {
  readonly common: Common;
  readonly table: readonly OpcodeEntry[];
  readonly clock: ExecutionClock;
  /** Present only while something is recorded. */
  readonly observer: EvmObserver | undefined;
  /** Present only while steps are recorded. */
  readonly steps: OldEventSink | undefined;
  /** Begins the frame of a call: a checkpoint, the value's way, run state. */
  openFrame(call: OpenCall): Frame;
  /** Ends it again, keeping or undoing what it did. */
  closeFrame(frame: Frame, error: EVMError | undefined): ExecResult;
  /** Makes a call of a precompile, from its begin to its end. Those of the newer curves answer later. */
  callPrecompile(precompile: PrecompileFunc, message: CallMessage): ExecResult | Promise<ExecResult>;
  /** The frame is about to end because an opcode could not be dispatched. */
  noteFailure(frame: Frame): void;
  /** Init code has returned. */
  noteInitCodeEnd(frame: Frame): void;
}
