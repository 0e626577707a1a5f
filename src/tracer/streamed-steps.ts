/**
 * Steps that are read while they are recorded: a sink that hands each buffer on to its one reader, and forgets it.
 *
 * The run waits while enough buffers wait to be read. The frames are known from a run before this one.
 */
import { InternalError } from "../errors/hindcast-error.ts";
import type { EventSink, SinkWants } from "../evm/event-sink.ts";
import type { StepBuffer } from "../evm/step-buffer.ts";
import type { StepStream } from "./recording.ts";

export interface StreamRequest {
  /** Record what steps wrote to memory. */
  readonly memory: boolean;
  /** Steps that the run before had. */
  readonly count: number;
  /** The run waits as soon as so many buffers wait to be read. */
  readonly waitingBuffers: number;
  /** Told of each promise that the run is to wait for; the run gets what this returns. */
  readonly onWait?: (until: Promise<void>) => Promise<void>;
}

export class StreamedSteps implements EventSink, StepStream {
  readonly wants: SinkWants;
  readonly #request: StreamRequest;
  readonly #waiting: StepBuffer[] = [];
  #count = 0;
  #isEnded = false;
  #isUnread = false;
  #failure: { readonly error: unknown } | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeRun: (() => void) | undefined;

  constructor(request: StreamRequest) {
    this.wants = { steps: "recorded", memory: request.memory };
    this.#request = request;
  }

  takeSteps(steps: StepBuffer): Promise<void> | undefined {
    this.#count = steps.first + steps.length;
    if (this.#isUnread) return undefined;
    this.#waiting.push(steps);
    this.#wakeReader?.();
    if (!this.#isFull) return undefined;
    const emptied = this.#emptied();
    return this.#request.onWait?.(emptied) ?? emptied;
  }

  get #isFull(): boolean {
    return this.#waiting.length >= this.#request.waitingBuffers;
  }

  async #emptied(): Promise<void> {
    while (this.#isFull) {
      await new Promise<void>((resolve) => {
        this.#wakeRun = resolve;
      });
    }
  }

  /** The run is over, with an error where it did not come to its end. */
  end(failure?: { readonly error: unknown }): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#failure = failure;
    this.#wakeReader?.();
  }

  /** Nobody reads any more: the run goes on without waiting. */
  discard(): void {
    this.#isUnread = true;
    this.#waiting.length = 0;
    this.#wakeRun?.();
  }

  /**
   * The buffers for their reader: there is one.
   *
   * @throws the error that ended the run, and {InternalError} if the run had other steps than the one before
   */
  [Symbol.iterator](): Iterator<StepBuffer | Promise<void>> {
    return {
      next: () => this.#next(),
      return: () => {
        this.discard();
        return { done: true, value: undefined };
      },
    };
  }

  #next(): IteratorResult<StepBuffer | Promise<void>> {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      this.#wakeRun?.();
      return { value: next };
    }
    if (!this.#isEnded) return { value: this.#coming() };
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#count !== this.#request.count) {
      throw new InternalError({ code: "INTERNAL_ERROR", what: "A run differed from the one before." });
    }
    return { done: true, value: undefined };
  }

  async #coming(): Promise<void> {
    while (this.#waiting.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }
}
