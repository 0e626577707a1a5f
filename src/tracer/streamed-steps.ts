/**
 * A sink that passes each step buffer to a single reader while the transaction runs, and does not keep it.
 *
 * The run pauses while too many buffers wait to be read. The frames are known from a run before this one.
 */
import { InternalError } from "../errors/hindcast-error.ts";
import type { EventSink, SinkWants } from "../evm/event-sink.ts";
import type { StepBuffer } from "../evm/step-buffer.ts";
import type { StepStream } from "./recording.ts";

/** Facts about the steps, from a run before this one. */
export interface StreamRequest {
  /** Also record memory writes. */
  readonly memory: boolean;
  /** Number of steps in the run before. */
  readonly count: number;
  /** The run pauses while this many buffers wait to be read. */
  readonly waitingBuffers: number;
  /** Called with each promise for which the run pauses; the run awaits its result. */
  readonly onWait?: (until: Promise<void>) => Promise<void>;
}

/** Can be read once, while the transaction runs. */
export class StreamedSteps implements EventSink, StepStream {
  readonly wants: SinkWants;
  readonly #request: StreamRequest;
  readonly #waiting: StepBuffer[] = [];
  /** The buffer that is read, and records that were: traces of millions of steps would leave gigabytes of them. */
  #reading: StepBuffer | undefined;
  readonly #spares: Uint8Array[] = [];
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
    if (this.#isUnread) {
      this.#spares.push(steps.bytes);
      return undefined;
    }
    this.#waiting.push(steps);
    this.#wakeReader?.();
    if (!this.#isFull) return undefined;
    const emptied = this.#emptied();
    return this.#request.onWait?.(emptied) ?? emptied;
  }

  spareSteps(): Uint8Array | undefined {
    return this.#spares.pop();
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

  /** Ends the stream, with an error if the run failed. */
  end(failure?: { readonly error: unknown }): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#failure = failure;
    this.#wakeReader?.();
  }

  /** Ends the reading; the run continues without pauses. */
  discard(): void {
    this.#isUnread = true;
    this.#waiting.length = 0;
    this.#wakeRun?.();
  }

  /**
   * The buffers, for a single reader.
   *
   * @throws the error that ended the run; {InternalError} if the number of steps differs from the run before
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
    if (this.#reading !== undefined) this.#spares.push(this.#reading.bytes);
    const next = this.#waiting.shift();
    this.#reading = next;
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
