/**
 * Steps as columns of typed arrays, in chunks: no object per step, nothing copied when it grows.
 *
 * A step takes 26 bytes outside the heap, 8 more where memory is recorded beside what it wrote, and 8 in the heap for its
 * result, which is the very bigint that went on the stack (24 bytes and more, unless something else has it as well).
 */
import type { Bytes } from "../primitives/bytes.ts";
import { BytePool } from "./byte-pool.ts";
import type { LiveStep, OpenRows, StepOutcome } from "./events.ts";
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
/** Steps of a recording's first chunk before it grows: most transactions are short. */
const FIRST_STEPS = 256;

/** The columns of up to {@link CHUNK_STEPS} steps. */
class Chunk implements StepRows, OpenRows {
  readonly first: number;
  length = 0;
  capacity: number;
  runningFrame = 0;
  frame: Uint32Array;
  pc: Uint32Array;
  opcode: Uint8Array;
  outcome: Uint8Array;
  memoryBytes: Uint32Array;
  gas: Float64Array;
  cost: Float64Array;
  write: Uint32Array;
  /** Results. Stack items are immutable: they are held here, not copied. */
  words: (bigint | undefined)[];

  constructor(first: number, hasMemory: boolean) {
    const capacity = first === 0 ? FIRST_STEPS : CHUNK_STEPS;
    this.first = first;
    this.capacity = capacity;
    this.frame = new Uint32Array(capacity);
    this.pc = new Uint32Array(capacity);
    this.opcode = new Uint8Array(capacity);
    this.outcome = new Uint8Array(capacity);
    this.memoryBytes = hasMemory ? new Uint32Array(capacity) : NO_COLUMN;
    this.gas = new Float64Array(capacity);
    this.cost = new Float64Array(capacity);
    this.write = hasMemory ? new Uint32Array(capacity) : NO_COLUMN;
    this.words = new Array(capacity);
  }

  /** Makes a small first chunk as large as the others. */
  grow(): void {
    this.capacity = CHUNK_STEPS;
    this.frame = widened(this.frame);
    this.pc = widened(this.pc);
    this.opcode = widened(this.opcode);
    this.outcome = widened(this.outcome);
    this.gas = widened(this.gas);
    this.cost = widened(this.cost);
    if (this.memoryBytes.length > 0) this.memoryBytes = widened(this.memoryBytes);
    if (this.write.length > 0) this.write = widened(this.write);
    this.words.length = CHUNK_STEPS;
  }
}

function widened<Column extends Uint8Array | Uint32Array | Float64Array>(column: Column): Column {
  const wide = new (column.constructor as new (length: number) => Column)(CHUNK_STEPS);
  wide.set(column);
  return wide;
}

export class StepColumns implements StepTable {
  readonly hasMemory: boolean;
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

  get length(): number {
    return this.#last.first + this.#last.length;
  }

  /** The rows that the next step goes to. */
  open(): Chunk {
    if (this.#last.length === this.#last.capacity) this.#makeRoom();
    return this.#last;
  }

  #makeRoom(): void {
    if (this.#last.capacity < CHUNK_STEPS) {
      this.#last.grow();
      return;
    }
    this.#last = new Chunk(this.length, this.hasMemory);
    this.#chunks.push(this.#last);
  }

  /** Adds a step before it runs and returns its index. */
  begin(frame: number, live: LiveStep): number {
    const chunk = this.open();
    const at = chunk.length++;
    const step = chunk.first + at;
    chunk.frame[at] = frame;
    chunk.pc[at] = live.pc;
    chunk.opcode[at] = live.stepOpcode;
    if (this.hasMemory) chunk.memoryBytes[at] = live.stepMemoryBytes;
    chunk.gas[at] = live.gas;
    chunk.cost[at] = live.stepCost;
    if (live.stepForwarded !== 0) this.#forwarded.set(step, live.stepForwarded);
    if (live.gasRefund !== this.#lastRefund) this.#noteRefund(step, live.gasRefund);
    return step;
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
    this.#chunk(step).words[step & CHUNK_MASK] = word;
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
