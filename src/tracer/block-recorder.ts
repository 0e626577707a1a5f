/**
 * An EventSink for a block that is being built: whose accounts stand in its traces, and the call frames themselves as
 * long as they stay small. Kept, they cost next to nothing; a second run of the block costs as much as the first.
 */
import type { FrameEnd, FrameStart, SelfDestruct } from "../evm/event-sink.ts";
import type { FrameError } from "../evm/frames.ts";
import { EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import { AddressCollector } from "./address-collector.ts";
import { Recorder } from "./recorder.ts";
import type { CallFrame } from "./recording.ts";

/** The call frames of each transaction of a block, in order. */
export interface BlockRecording {
  readonly frames: readonly (readonly CallFrame[])[];
  /** What they take, roughly. */
  readonly bytes: number;
}

export class BlockRecorder extends AddressCollector {
  readonly #maxBytes: number;
  #frames: (readonly CallFrame[])[] | undefined;
  #bytes = 0;
  #current: Recorder | undefined;

  /** @param maxBytes - once the block's frames take more, none of them are kept; with 0 none are from the start */
  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
    this.#frames = maxBytes === 0 ? undefined : [];
  }

  /** Undefined where there was too much to keep. */
  get recording(): BlockRecording | undefined {
    return this.#frames && { frames: this.#frames, bytes: this.#bytes };
  }

  /** A transaction begins, which need not get into the block. */
  begin(): void {
    this.#current = this.#frames && new Recorder();
  }

  /** After it ran; it is not called for one that the block does not take. */
  endTransaction(): void {
    this.#frames?.push(this.#current?.frames ?? []);
    this.#bytes += this.#current?.size ?? 0;
    this.#current = undefined;
  }

  override enterFrame(frame: FrameStart): void {
    super.enterFrame(frame);
    this.#current?.enterFrame(frame);
    this.#checkSize();
  }

  override exitFrame(end: FrameEnd): void {
    super.exitFrame(end);
    // Code stands in no trace, and must not be kept alive by one.
    this.#current?.exitFrame({ ...end, code: EMPTY_BYTES });
    this.#checkSize();
  }

  override refuseFrame(frame: FrameStart, error: FrameError): void {
    super.refuseFrame(frame, error);
    this.#current?.refuseFrame(frame, error);
    this.#checkSize();
  }

  override selfDestruct(event: SelfDestruct): void {
    super.selfDestruct(event);
    this.#current?.selfDestruct(event);
  }

  /** Gives up all frames when they are too much. */
  #checkSize(): void {
    if (this.#current === undefined || this.#bytes + this.#current.size <= this.#maxBytes) return;
    this.#frames = undefined;
    this.#current = undefined;
  }
}
