/**
 * What an engine tells of a transaction, as plain values that can be compared.
 *
 * Bytes are hex digits. Members that were not asked for are empty.
 */
import type { FailureDetail, FrameError, FrameKind, StepOutcome } from "../../src/evm/frames.ts";

export type StoryEvent =
  | { readonly event: "enter" | "refuse"; readonly frame: StoryFrame; readonly error: FrameError | undefined }
  | { readonly event: "exit"; readonly end: StoryEnd }
  | { readonly event: "selfDestruct"; readonly address: string; readonly beneficiary: string; readonly balance: bigint }
  | { readonly event: "log"; readonly log: string };

export interface StoryFrame {
  readonly kind: FrameKind;
  readonly depth: number;
  readonly from: string;
  readonly to: string | undefined;
  readonly value: bigint;
  readonly gas: bigint;
  readonly input: string;
  readonly isPrecompile: boolean;
  readonly step: number;
}

export interface StoryEnd {
  readonly error: FrameError | undefined;
  readonly detail: FailureDetail | undefined;
  readonly gasUsed: bigint;
  readonly output: string;
  readonly undeposited: string | undefined;
  readonly createdAddress: string | undefined;
  readonly code: string;
  readonly stepEnd: number;
}

/** A step as it is recorded, and where it was told of live, what the frame looked like. */
export interface StoryStep {
  readonly frame: number;
  readonly pc: number;
  readonly opcode: number;
  outcome: StepOutcome;
  readonly gas: number;
  readonly cost: number;
  readonly forwarded: number;
  refund: number;
  readonly memoryBytes: number;
  word: bigint | undefined;
  /** Offset and bytes that it wrote to memory. */
  write: string | undefined;
  readonly stack?: readonly bigint[];
  readonly memory?: string;
}
