/**
 * Steps that are read while their run is heard a second time: a few chunks of rows that are filled, read and used again.
 *
 * How calls end is known from the first time, so that every row but that of the running step is as it stays.
 */
import { InternalError } from "../errors/hindcast-error.ts";
import type { Bytes } from "../primitives/bytes.ts";
import { BytePool } from "./byte-pool.ts";
import type { CallSteps } from "./call-steps.ts";
import type { LiveStep, StepOutcome } from "./events.ts";
import type { MemoryWrite, StepRows } from "./recording.ts";
import { StepChunk } from "./step-chunk.ts";
import { ChunkedSteps, RefundCounter, type StepStore } from "./step-store.ts";

/** How much is held at a time. */
export interface PassingBounds {
  /** Rows of a chunk. */
  readonly chunkSteps: number;
  /** Bytes written to memory with which a chunk ends before it is full. */
  readonly chunkBytes: number;
  /** Chunks that wait to be read: so many, and the run is to wait as well. */
  readonly waitingChunks: number;
}

export const DEFAULT_PASSING_BOUNDS: PassingBounds = { chunkSteps: 4096, chunkBytes: 2 ** 20, waitingChunks: 2 };

class PassingChunk extends StepChunk {
  readonly writes = new BytePool();

  override restart(first: number): void {
    super.restart(first);
    this.writes.clear();
  }
}

export class PassingSteps extends ChunkedSteps implements StepStore {
  readonly isPassing = true;
  readonly length: number;
  readonly hasMemory: boolean;
  readonly #calls: CallSteps;
  readonly #bounds: PassingBounds;
  readonly #refunds = new RefundCounter();
  /** Where the next step goes. */
  #last: PassingChunk;
  /** Full and unread, in order; the first one is being read. */
  readonly #waiting: PassingChunk[] = [];
  readonly #used: PassingChunk[] = [];
  #isEnded = false;
  #failure: { readonly error: unknown } | undefined;
  #isUnread = false;
  #wakeReader: (() => void) | undefined;
  #wakeRun: (() => void) | undefined;
  /** Called when the run is to wait with the next step: see {@link emptied}. */
  onFull: (() => void) | undefined;
  /** Called when the reader waits for rows. */
  onWanted: (() => void) | undefined;

  /** @param calls - what the first run left */
  constructor(calls: CallSteps, bounds: PassingBounds = DEFAULT_PASSING_BOUNDS) {
    super();
    this.length = calls.length;
    this.hasMemory = calls.hasMemory;
    this.#calls = calls;
    this.#bounds = bounds;
    this.#last = this.#chunkFrom(0);
  }

  #chunkFrom(first: number): PassingChunk {
    const used = this.#used.pop();
    if (used === undefined) return new PassingChunk(first, this.#bounds.chunkSteps, this.hasMemory);
    used.restart(first);
    return used;
  }

  // What the run does.

  get latest(): number {
    return this.#last.first + this.#last.length - 1;
  }

  /** Nothing is kept. */
  get size(): number {
    return 0;
  }

  open(): StepChunk {
    if (this.#last.isFull || this.#last.writes.size > this.#bounds.chunkBytes) this.#passOn();
    return this.#last;
  }

  /** Everything in the latest chunk is as it stays: the step before the next one is over, or is a call. */
  #passOn(): void {
    const full = this.#last;
    this.#last = this.#chunkFrom(full.first + full.length);
    if (this.#isUnread) this.#used.push(full);
    else this.#waiting.push(full);
    this.#wakeReader?.();
    if (this.isFull) this.onFull?.();
  }

  begin(frame: number, live: LiveStep): number {
    this.open();
    const chunk = this.#last;
    const at = chunk.add(frame, live);
    const step = chunk.first + at;
    this.#refunds.note(step, live.gasRefund);
    const call = this.#calls.at(step);
    if (call !== undefined) {
      chunk.outcome[at] = call.outcome;
      chunk.words[at] = call.word;
    }
    return step;
  }

  setOutcome(step: number, outcome: StepOutcome): void {
    if (step >= this.#last.first) this.#last.outcome[step - this.#last.first] = outcome;
  }

  setWord(step: number, word: bigint): void {
    if (step >= this.#last.first) this.#last.words[step - this.#last.first] = word;
  }

  setGasAfter(): void {}

  setRefund(step: number, refund: bigint): void {
    this.#refunds.note(step, refund);
  }

  setWrite(step: number, memory: Bytes, offset: number, length: number): void {
    const chunk = this.#last;
    // What a call wrote is known, and may come when its row has been passed on.
    if (this.#calls.at(step) === undefined) chunk.write[step - chunk.first] = chunk.writes.add(memory, offset, length);
  }

  /** Says that the run is over, with an error where it did not come to its end. */
  end(failure?: { readonly error: unknown }): void {
    if (this.#isEnded) return;
    this.#failure = failure;
    this.#passOn();
    this.#isEnded = true;
    this.#wakeReader?.();
  }

  /** The run is to wait with the next step. */
  get isFull(): boolean {
    return this.#waiting.length >= this.#bounds.waitingChunks;
  }

  /** Settles once there is room again. */
  async emptied(): Promise<void> {
    while (this.isFull) {
      await new Promise<void>((resolve) => {
        this.#wakeRun = resolve;
      });
    }
  }

  // What the reader does.

  /** Says that nobody reads any more: the run goes on without waiting. */
  discard(): void {
    this.#isUnread = true;
    this.#used.push(...this.#waiting.splice(0));
    this.#wakeRun?.();
  }

  rows(step: number): StepRows | Promise<void> {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (step < next.first + next.length) return next;
      this.#waiting.shift();
      this.#used.push(next);
      this.#refunds.forgetBefore(step);
      this.#wakeRun?.();
    }
    this.onWanted?.();
    const coming = this.#coming();
    // Whoever asked may look at it only later.
    coming.catch(() => {});
    return coming;
  }

  async #coming(): Promise<void> {
    while (this.#waiting.length === 0) {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#isEnded)
        throw new InternalError({ code: "INTERNAL_ERROR", what: "A run differed from the one before." });
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  protected chunkOf(step: number): PassingChunk {
    const chunk = this.#waiting[0];
    if (chunk !== undefined && step >= chunk.first && step < chunk.first + chunk.length) return chunk;
    throw new RangeError(`PassingSteps: step ${step} is not in the rows that are being read`);
  }

  forwarded(step: number): number {
    return this.#calls.at(step)?.forwarded ?? 0;
  }

  gasAfter(step: number): number {
    return this.#calls.at(step)?.gasAfter ?? this.gas(step) - this.cost(step);
  }

  refund(step: number): number {
    return this.#refunds.at(step);
  }

  write(step: number): MemoryWrite | undefined {
    const call = this.#calls.at(step);
    if (call !== undefined) return call.write;
    const chunk = this.chunkOf(step);
    const region = chunk.write[step - chunk.first] ?? 0;
    return region === 0 ? undefined : chunk.writes.get(region);
  }
}
