/**
 * An EventSink for a block that is being built. It collects the addresses in the block's traces, and the call frames as
 * long as they are small.
 *
 * Recording costs little; a second run of the block for its traces would cost as much as the first.
 */
import type { FrameEnd, FrameStart, SelfDestruct, SinkWants } from "../evm/event-sink.ts";
import type { FrameError } from "../evm/frames.ts";
import { EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import { AddressCollector } from "./address-collector.ts";
import { Recorder } from "./recorder.ts";
import type { CallFrame } from "./recording.ts";

/** The call frames of each transaction of a block, in order. */
export interface BlockRecording {
  readonly frames: readonly (readonly CallFrame[])[];
  /** Estimated size in memory. */
  readonly bytes: number;
}

/** Records one block. If its frames take too many bytes, it drops them and keeps only the addresses. */
export class BlockRecorder extends AddressCollector {
  readonly #maxBytes: number;
  #frames: (readonly CallFrame[])[] | undefined;
  #bytes = 0;
  #current: Recorder | undefined;

  /** @param maxBytes - if the block's frames take more, all are dropped; 0 records no frames */
  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
    this.#frames = maxBytes === 0 ? undefined : [];
  }

  /** Input and output of frames only as long as these are needed. */
  override get wants(): SinkWants {
    return { frames: "all", data: this.#frames === undefined ? undefined : "all" };
  }

  /** Undefined if there was too much to keep. */
  get recording(): BlockRecording | undefined {
    return this.#frames && { frames: this.#frames, bytes: this.#bytes };
  }

  /** Begins a transaction, which may still be left out of the block. */
  begin(): void {
    this.#current = this.#frames && new Recorder();
  }

  /** Called after each transaction, except one that is left out of the block. */
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
    // Traces do not show the code, so it is not held in memory.
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

  /** Drops all frames if they take too much memory. */
  #checkSize(): void {
    if (this.#current === undefined || this.#bytes + this.#current.size <= this.#maxBytes) return;
    this.#frames = undefined;
    this.#current = undefined;
  }
}
