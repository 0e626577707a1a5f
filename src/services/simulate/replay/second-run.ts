/**
 * Traces of more steps than are kept: they run once to learn how they end, and once more while their text is written.
 *
 * A plain run costs a fraction of what writing its steps does. For that, whatever can fail fails before the first byte is
 * out, and the text is the one that a whole recording gives. Only calls are kept from the first run, and a few thousand
 * steps at a time in the second, which waits for its reader and ends with it.
 */

import type { Chain } from "../../../chain/chain.ts";
import type { EventSink } from "../../../evm/event-sink.ts";
import type { ExecutionClock, ExecutionLimits } from "../../../executor/clock.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import type { Recording, RecordingRequest } from "../../../tracer/recording.ts";
import { StreamedSteps } from "../../../tracer/streamed-steps.ts";

/** Whoever reads an answer in order and once, while it is made. */
export interface PieceReader {
  /** Has a listener called when nobody reads any more, be the answer whole or not. */
  onEnd(listener: () => void): void;
  /** Default: {@link DEFAULT_BOUNDS}. */
  readonly bounds?: SecondRunBounds;
}

export interface SecondRunBounds {
  /** What the steps of one answer may take without being run twice. */
  readonly keptBytes: number;
  /** Buffers of steps that wait for their reader: with so many the run waits too. */
  readonly waitingBuffers: number;
}

/** Some 350,000 steps. */
const DEFAULT_BOUNDS: SecondRunBounds = { keptBytes: 32 * 2 ** 20, waitingBuffers: 2 };

export interface SecondRunRequest {
  readonly chain: Chain;
  readonly reader: PieceReader;
  /** Of the second run, without the time that it waits for its reader. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortState | undefined;
}

export class SecondRun {
  readonly #request: SecondRunRequest;
  readonly #waitingBuffers: number;
  /** Left of what may be kept. */
  #keptBytes: number;
  /** For each transaction in order: its steps, where they have to run again. */
  readonly #steps: (StreamedSteps | undefined)[] = [];
  /** Steps of the transaction that is running again. */
  #current: StreamedSteps | undefined;
  #clock: ExecutionClock | undefined;

  constructor(request: SecondRunRequest) {
    const { keptBytes, waitingBuffers } = request.reader.bounds ?? DEFAULT_BOUNDS;
    this.#request = request;
    this.#keptBytes = keptBytes;
    this.#waitingBuffers = waitingBuffers;
  }

  /** A recorder for the next transaction of the first run. */
  recorder(request: RecordingRequest): Recorder {
    return new Recorder(request, this.#keptBytes);
  }

  /**
   * What a transaction of the first run is traced from. To be called for each of them in order.
   *
   * @param recorder - undefined where nothing was recorded
   */
  recordingOf(recorder: Recorder | undefined): Recording | undefined {
    this.#keptBytes -= recorder?.steps?.size ?? 0;
    const steps = recorder && this.#streamed(recorder);
    this.#steps.push(steps);
    if (recorder === undefined || steps === undefined) return recorder;
    return { frames: recorder.frames, accesses: recorder.accesses, steps };
  }

  #streamed({ passedSteps: count, wants }: Recorder): StreamedSteps | undefined {
    if (count === undefined) return undefined;
    const waitingBuffers = this.#waitingBuffers;
    const onWait = (until: Promise<void>): Promise<void> => this.#clock?.pause(until) ?? until;
    return new StreamedSteps({ memory: wants.memory === true, count, waitingBuffers, onWait });
  }

  /**
   * Begins the second run, if there has to be one.
   *
   * @param run - runs everything again under limits, and asks for who is to hear of each transaction in order
   */
  start(run: (next: () => EventSink | undefined, limits: ExecutionLimits) => Promise<unknown>): void {
    if (this.#steps.every((steps) => steps === undefined)) return;
    const { chain, reader, timeoutMs, signal } = this.#request;
    const stopping = new AbortController();
    const stop = (): void => stopping.abort(signal?.reason);
    reader.onEnd(stop);
    signal?.addEventListener("abort", stop, { once: true });
    stopping.signal.addEventListener("abort", () => this.#discard(), { once: true });
    const clock = chain.executor.clock({ timeoutMs, signal: stopping.signal });
    this.#clock = clock;
    if (signal?.aborted === true) stop();
    chain
      .reading(() => run(() => this.#next(), clock))
      .then(
        () => this.#end(undefined),
        (error: unknown) => this.#end({ error }),
      )
      .finally(() => signal?.removeEventListener("abort", stop));
  }

  #next(): EventSink | undefined {
    this.#current?.end();
    this.#current = this.#steps.shift();
    return this.#current;
  }

  #end(failure: { readonly error: unknown } | undefined): void {
    for (const steps of [this.#current, ...this.#steps]) steps?.end(failure);
  }

  #discard(): void {
    for (const steps of [this.#current, ...this.#steps]) steps?.discard();
  }
}
