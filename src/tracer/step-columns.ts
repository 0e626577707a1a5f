/**
 * All steps of a recording as columns of typed arrays, in chunks.
 *
 * A step takes 26 bytes outside the heap, 8 more where memory is recorded beside what it wrote, and 8 in the heap for its
 * result, which is the very bigint that went on the stack (24 bytes and more, unless something else has it as well).
 */
import type { Bytes } from "../primitives/bytes.ts";
import { BytePool } from "./byte-pool.ts";
import type { LiveStep, StepOutcome } from "./events.ts";
import type { MemoryWrite, StepRows } from "./recording.ts";
import { StepChunk } from "./step-chunk.ts";
import { ChunkedSteps, RefundCounter, type StepStore } from "./step-store.ts";

const CHUNK_BITS = 12;
const CHUNK_STEPS = 1 << CHUNK_BITS;
/** Marks a step without a write; the pool numbers from 1. */
const NONE = 0;

/** Columns, and a bigint for two steps of three. */
const BYTES_PER_STEP = 46;
const BYTES_FOR_MEMORY = 8;
/** Steps of a recording's first chunk before it grows: most transactions are short. */
const FIRST_STEPS = 256;

export class StepColumns extends ChunkedSteps implements StepStore {
  readonly hasMemory: boolean;
  readonly isPassing = false;
  readonly #chunks: StepChunk[] = [];
  #last: StepChunk;
  readonly #writes = new BytePool();
  readonly #refunds = new RefundCounter();
  // What few steps have, by step.
  readonly #forwarded = new Map<number, number>();
  readonly #gasAfter = new Map<number, number>();

  constructor(hasMemory: boolean) {
    super();
    this.hasMemory = hasMemory;
    this.#last = new StepChunk(0, FIRST_STEPS, hasMemory);
    this.#chunks.push(this.#last);
  }

  get length(): number {
    return this.#last.first + this.#last.length;
  }

  get latest(): number {
    return this.length - 1;
  }

  open(): StepChunk {
    if (this.#last.isFull) this.#makeRoom();
    return this.#last;
  }

  #makeRoom(): void {
    if (this.#last.capacity < CHUNK_STEPS) {
      this.#last.grow(CHUNK_STEPS);
      return;
    }
    this.#last = new StepChunk(this.length, CHUNK_STEPS, this.hasMemory);
    this.#chunks.push(this.#last);
  }

  begin(frame: number, live: LiveStep): number {
    const chunk = this.open();
    const step = chunk.first + chunk.add(frame, live);
    if (live.stepForwarded !== 0) this.#forwarded.set(step, live.stepForwarded);
    this.#refunds.note(step, live.gasRefund);
    return step;
  }

  setRefund(step: number, refund: bigint): void {
    this.#refunds.note(step, refund);
  }

  setGasAfter(step: number, gas: number): void {
    this.#gasAfter.set(step, gas);
  }

  setOutcome(step: number, outcome: StepOutcome): void {
    const chunk = this.chunkOf(step);
    chunk.outcome[step - chunk.first] = outcome;
  }

  setWord(step: number, word: bigint): void {
    const chunk = this.chunkOf(step);
    chunk.words[step - chunk.first] = word;
  }

  setWrite(step: number, memory: Bytes, offset: number, length: number): void {
    const chunk = this.chunkOf(step);
    chunk.write[step - chunk.first] = this.#writes.add(memory, offset, length);
  }

  get size(): number {
    return this.length * (BYTES_PER_STEP + (this.hasMemory ? BYTES_FOR_MEMORY : 0)) + this.#writes.size;
  }

  protected chunkOf(step: number): StepChunk {
    return this.#chunks[step >> CHUNK_BITS] as StepChunk;
  }

  rows(step: number): StepRows {
    return this.chunkOf(step);
  }

  forwarded(step: number): number {
    return this.#forwarded.size === 0 ? 0 : (this.#forwarded.get(step) ?? 0);
  }

  gasAfter(step: number): number {
    const returned = this.#gasAfter.size === 0 ? undefined : this.#gasAfter.get(step);
    return returned ?? this.gas(step) - this.cost(step);
  }

  refund(step: number): number {
    return this.#refunds.at(step);
  }

  write(step: number): MemoryWrite | undefined {
    const chunk = this.chunkOf(step);
    const region = chunk.write[step - chunk.first] ?? NONE;
    return region === NONE ? undefined : this.#writes.get(region);
  }
}
