/**
 * Steps as columns of typed arrays, in chunks: no object per step, nothing copied when it grows.
 *
 * A step takes 26 bytes outside the heap, 8 more where memory is recorded beside what it wrote, and 8 in the heap for its
 * result, which is the very bigint that went on the stack (24 bytes and more, unless something else has it as well).
 */
import type { Bytes } from "../primitives/bytes.ts";
import { BytePool } from "./byte-pool.ts";
import type { LiveStep, StepOutcome } from "./events.ts";
import type { MemoryWrite, StepRows, StepTable } from "./recording.ts";

const CHUNK_BITS = 12;
const CHUNK_STEPS = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_STEPS - 1;
/** Marks a step without a write; the pool numbers from 1. */
const NONE = 0;

/** Columns, and a bigint for two steps of three. */
const BYTES_PER_STEP = 46;
const BYTES_FOR_MEMORY = 8;
const NO_COLUMN = new Uint32Array(0);
/** Stands in for the results of a chunk until there is one. Never written. */
const NO_WORDS: readonly undefined[] = new Array(CHUNK_STEPS).fill(undefined);

/** The columns of {@link CHUNK_STEPS} steps. */
class Chunk implements StepRows {
  readonly first: number;
  length = 0;
  readonly frame = new Uint32Array(CHUNK_STEPS);
  readonly pc = new Uint32Array(CHUNK_STEPS);
  readonly opcode = new Uint8Array(CHUNK_STEPS);
  readonly outcome = new Uint8Array(CHUNK_STEPS);
  readonly memoryBytes: Uint32Array;
  readonly gas = new Float64Array(CHUNK_STEPS);
  readonly cost = new Float64Array(CHUNK_STEPS);
  readonly write: Uint32Array;
  /** Results. Stack items are immutable: they are held here, not copied. */
  words: readonly (bigint | undefined)[] = NO_WORDS;
  #ownWords: (bigint | undefined)[] | undefined;

  constructor(first: number, hasMemory: boolean) {
    this.first = first;
    this.memoryBytes = hasMemory ? new Uint32Array(CHUNK_STEPS) : NO_COLUMN;
    this.write = hasMemory ? new Uint32Array(CHUNK_STEPS) : NO_COLUMN;
  }

  setWord(row: number, word: bigint): void {
    if (this.#ownWords === undefined) {
      this.#ownWords = new Array<bigint | undefined>(CHUNK_STEPS).fill(undefined);
      this.words = this.#ownWords;
    }
    this.#ownWords[row] = word;
  }
}

export class StepColumns implements StepTable {
  readonly hasMemory: boolean;
  length = 0;
  readonly #chunks: Chunk[] = [];
  #last: Chunk;
  readonly #writes = new BytePool();
  // What few steps have, by step.
  readonly #forwarded = new Map<number, number>();
  readonly #gasAfter = new Map<number, number>();
  /** Steps at which the refund counter was another than at the step before, and what it was. */
  readonly #refundSteps: number[] = [];
  readonly #refunds: bigint[] = [];
  #lastRefund = 0n;

  constructor(hasMemory: boolean) {
    this.hasMemory = hasMemory;
    this.#last = new Chunk(0, hasMemory);
    this.#chunks.push(this.#last);
  }

  /** Adds a step before it runs and returns its index. */
  begin(frame: number, live: LiveStep): number {
    const step = this.length++;
    const at = step & CHUNK_MASK;
    if (at === 0 && step > 0) this.#addChunk();
    const chunk = this.#last;
    chunk.frame[at] = frame;
    chunk.pc[at] = live.pc;
    chunk.opcode[at] = live.stepOpcode;
    if (this.hasMemory) chunk.memoryBytes[at] = live.stepMemoryBytes;
    chunk.gas[at] = live.gas;
    chunk.cost[at] = live.stepCost;
    chunk.length = at + 1;
    if (live.stepForwarded !== 0) this.#forwarded.set(step, live.stepForwarded);
    if (live.gasRefund !== this.#lastRefund) this.#noteRefund(step, live.gasRefund);
    return step;
  }

  #addChunk(): void {
    this.#last = new Chunk(this.length - 1, this.hasMemory);
    this.#chunks.push(this.#last);
  }

  /** The refund counter with what the step itself earned, of the latest step. */
  setRefund(step: number, refund: bigint): void {
    if (refund !== this.#lastRefund) this.#noteRefund(step, refund);
  }

  #noteRefund(step: number, refund: bigint): void {
    this.#refundSteps.push(step);
    this.#refunds.push(refund);
    this.#lastRefund = refund;
  }

  #chunk(step: number): Chunk {
    return this.#chunks[step >> CHUNK_BITS] as Chunk;
  }

  /** Gas after a call or creation, which brings gas back; for other steps it follows from the cost. */
  setGasAfter(step: number, gas: number): void {
    this.#gasAfter.set(step, gas);
  }

  setOutcome(step: number, outcome: StepOutcome): void {
    this.#chunk(step).outcome[step & CHUNK_MASK] = outcome;
  }

  setWord(step: number, word: bigint): void {
    this.#chunk(step).setWord(step & CHUNK_MASK, word);
  }

  /** Keeps `length` bytes of `memory` from `offset` on as what the step wrote; beyond the end they are zero. */
  setWrite(step: number, memory: Bytes, offset: number, length: number): void {
    this.#chunk(step).write[step & CHUNK_MASK] = this.#writes.add(memory, offset, length);
  }

  get hasRefunds(): boolean {
    return this.#refundSteps.length > 0;
  }

  /** Bytes kept, roughly. */
  get size(): number {
    return this.length * (BYTES_PER_STEP + (this.hasMemory ? BYTES_FOR_MEMORY : 0)) + this.#writes.size;
  }

  rows(step: number): StepRows {
    return this.#chunk(step);
  }

  frame(step: number): number {
    return this.#chunk(step).frame[step & CHUNK_MASK] as number;
  }

  pc(step: number): number {
    return this.#chunk(step).pc[step & CHUNK_MASK] as number;
  }

  opcode(step: number): number {
    return this.#chunk(step).opcode[step & CHUNK_MASK] as number;
  }

  outcome(step: number): StepOutcome {
    return this.#chunk(step).outcome[step & CHUNK_MASK] as StepOutcome;
  }

  gas(step: number): number {
    return this.#chunk(step).gas[step & CHUNK_MASK] as number;
  }

  cost(step: number): number {
    return this.#chunk(step).cost[step & CHUNK_MASK] as number;
  }

  forwarded(step: number): number {
    return this.#forwarded.size === 0 ? 0 : (this.#forwarded.get(step) ?? 0);
  }

  gasAfter(step: number): number {
    const returned = this.#gasAfter.size === 0 ? undefined : this.#gasAfter.get(step);
    return returned ?? this.gas(step) - this.cost(step);
  }

  refund(step: number): number {
    if (this.#refundSteps.length === 0) return 0;
    let low = 0;
    let high = this.#refundSteps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#refundSteps[middle] as number) <= step) low = middle + 1;
      else high = middle;
    }
    return Number(this.#refunds[low - 1] ?? 0n);
  }

  memoryBytes(step: number): number {
    return this.#chunk(step).memoryBytes[step & CHUNK_MASK] ?? 0;
  }

  word(step: number): bigint | undefined {
    return this.#chunk(step).words[step & CHUNK_MASK];
  }

  write(step: number): MemoryWrite | undefined {
    const region = this.#chunk(step).write[step & CHUNK_MASK] ?? NONE;
    return region === NONE ? undefined : this.#writes.get(region);
  }
}
