/**
 * Makes long traces without keeping their steps: the transaction runs once to learn its result, and again while the
 * text is written.
 *
 * A run without recording takes a fraction of the time that writing its steps takes. The first run raises all errors
 * before any text is sent. It keeps only calls; the second run keeps a few thousand steps at a time, waits for its
 * reader, and ends with it.
 */

import type { ChainChanges, ChainRules } from "../../../chain/readable-chain.ts";
import type { EventSink } from "../../../evm/event-sink.ts";
import type { ExecutionClock, ExecutionLimits } from "../../../executor/clock.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import { heldMemory } from "../../../primitives/platform/held-memory.ts";
import { listInTurns } from "../../../primitives/platform/turns.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import type { Recording, RecordingRequest } from "../../../tracer/recording.ts";
import { StreamedSteps } from "../../../tracer/streamed-steps.ts";

/** The memory for an answer that is read once, in order, while it is made. */
export interface StreamBounds {
  /** Most bytes of steps of one answer that are held; beyond it the transaction runs twice. */
  readonly heldBytes: number;
  /** Number of step buffers that may wait for the reader; then the run waits too. */
  readonly waitingBuffers: number;
}

/** Most bytes of recordings that are not worth counting. */
const LITTLE_BYTES = 2 ** 20;

/** Enough for some 85,000 steps. To run more of them again takes a small part of the time in which they are written. */
export const STREAM_BOUNDS: StreamBounds = { heldBytes: 8 * 2 ** 20, waitingBuffers: 2 };

/** A list; with bounds of a stream, its items are made when they are read, once, in order. */
export type ListOf<Item, Bounds extends StreamBounds | undefined> = Bounds extends StreamBounds
  ? Iterable<Item>
  : Item[];

/** Items as a list, or as they are if they are read once. */
export async function asRead<Item, Bounds extends StreamBounds | undefined>(
  items: Iterable<Item>,
  streamed: Bounds,
): Promise<ListOf<Item, Bounds>> {
  return (streamed === undefined ? await listInTurns(items) : items) as ListOf<Item, Bounds>;
}

/** The chain of the transactions, and the limits of both runs. */
export interface SecondRunRequest {
  readonly chain: Pick<ChainRules & ChainChanges, "executor" | "readers">;
  readonly bounds: StreamBounds;
  /** Time limit of the second run in milliseconds, without its waiting for the reader. */
  readonly timeoutMs: number | undefined;
  /** Aborts if the answer is no longer read. */
  readonly signal: AbortState | undefined;
}

/** Lives for one answer. Recorders of the first run come from {@link recorder}; {@link start} begins the second. */
export class SecondRun {
  readonly #request: SecondRunRequest;
  /** Bytes that may still be held. */
  #heldBytes: number;
  /** Bytes of all recordings of the first run. */
  #recordedBytes = 0;
  /** For each transaction in order: its steps, if it has to run again. */
  readonly #steps: (StreamedSteps | undefined)[] = [];
  /** Steps of the transaction that is running again. */
  #current: StreamedSteps | undefined;
  #clock: ExecutionClock | undefined;

  constructor(request: SecondRunRequest) {
    this.#request = request;
    this.#heldBytes = request.bounds.heldBytes;
  }

  /** A recorder for the next transaction of the first run. */
  recorder(request: RecordingRequest): Recorder {
    return new Recorder(request, this.#heldBytes);
  }

  /**
   * The recording from which a transaction of the first run is traced. Must be called for each transaction, in order.
   *
   * @param recorder - undefined if nothing was recorded
   */
  recordingOf(recorder: Recorder | undefined): Recording | undefined {
    this.#heldBytes -= recorder?.steps?.size ?? 0;
    this.count(recorder);
    const steps = recorder && this.#streamed(recorder);
    this.#steps.push(steps);
    if (recorder === undefined || steps === undefined) return recorder;
    return { frames: recorder.frames, accesses: recorder.accesses, steps };
  }

  /** Counts a recording of the first run. The answer is made of it while it is read, so that the client decides how long. */
  count(recorder: Recorder | undefined): void {
    this.#recordedBytes += recorder?.size ?? 0;
  }

  #streamed({ passedSteps: count, wants }: Recorder): StreamedSteps | undefined {
    if (count === undefined) return undefined;
    const { waitingBuffers } = this.#request.bounds;
    const onWait = (until: Promise<void>): Promise<void> => this.#clock?.pause(until) ?? until;
    return new StreamedSteps({ memory: wants.memory === true, count, waitingBuffers, onWait });
  }

  /**
   * Must be called after the first run. Begins the second, if one is needed.
   *
   * @param run - runs everything again under the given limits, and calls `next` for the sink of each transaction in
   * order
   */
  start(run: (next: () => EventSink | undefined, limits: ExecutionLimits) => Promise<unknown>): void {
    const { chain, timeoutMs, signal } = this.#request;
    if (signal !== undefined) this.#holdUntilRead(signal);
    if (this.#steps.every((steps) => steps === undefined)) return;
    const clock = chain.executor.clock({ timeoutMs, signal });
    this.#clock = clock;
    const discard = (): void => this.#discard();
    if (signal?.aborted === true) discard();
    signal?.addEventListener("abort", discard, { once: true });
    chain.readers
      .reading(() => run(() => this.#next(), clock))
      .then(
        () => this.#end(undefined),
        (error: unknown) => this.#end({ error }),
      )
      .finally(() => signal?.removeEventListener("abort", discard));
  }

  #holdUntilRead(signal: AbortState): void {
    const bytes = this.#recordedBytes;
    if (bytes < LITTLE_BYTES || signal.aborted) return;
    const held = heldMemory();
    held.add(bytes);
    let left = bytes;
    const release = (): void => {
      held.add(-left);
      // A signal that follows another may call twice, and the other may be that of a connection.
      left = 0;
      signal.removeEventListener("abort", release);
    };
    signal.addEventListener("abort", release, { once: true });
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
