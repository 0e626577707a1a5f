/** Steps as columns of typed arrays that double when full: about 60 bytes a step, no object per step. */
import type { Bytes } from "../primitives/bytes.ts";
import { BytePool } from "./byte-pool.ts";
import type { LiveStep, StepOutcome } from "./events.ts";
import type { MemoryWrite, StepTable } from "./recording.ts";

const FIRST_CAPACITY = 4096;
/** Marks a step without a write; the pool numbers from 1. */
const NONE = 0;

const BYTES_PER_STEP = 60;

export class StepColumns implements StepTable {
  readonly hasMemory: boolean;
  length = 0;
  #capacity = FIRST_CAPACITY;
  #frame = new Uint32Array(FIRST_CAPACITY);
  #pc = new Uint32Array(FIRST_CAPACITY);
  #opcode = new Uint8Array(FIRST_CAPACITY);
  #outcome = new Uint8Array(FIRST_CAPACITY);
  #stackHeight = new Uint16Array(FIRST_CAPACITY);
  #memoryBytes = new Uint32Array(FIRST_CAPACITY);
  #gas = new Float64Array(FIRST_CAPACITY);
  #cost = new Float64Array(FIRST_CAPACITY);
  #write = new Uint32Array(FIRST_CAPACITY);
  /** Result of a step, by step. Stack items are immutable: they are held here, not copied. */
  readonly #words: (bigint | undefined)[] = [];
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
  }

  /** Adds a step before it runs and returns its index. */
  begin(frame: number, live: LiveStep): number {
    const step = this.length++;
    if (step === this.#capacity) this.#grow();
    this.#frame[step] = frame;
    this.#pc[step] = live.pc;
    this.#opcode[step] = live.stepOpcode;
    this.#stackHeight[step] = live.stackHeight;
    this.#memoryBytes[step] = live.stepMemoryBytes;
    this.#gas[step] = live.gas;
    this.#cost[step] = live.stepCost;
    this.#words.push(undefined);
    if (live.stepForwarded !== 0) this.#forwarded.set(step, live.stepForwarded);
    if (live.gasRefund !== this.#lastRefund) this.#noteRefund(step, live.gasRefund);
    return step;
  }

  #noteRefund(step: number, refund: bigint): void {
    this.#refundSteps.push(step);
    this.#refunds.push(refund);
    this.#lastRefund = refund;
  }

  /** Gas after a call or creation, which brings gas back; for other steps it follows from the cost. */
  setGasAfter(step: number, gas: number): void {
    this.#gasAfter.set(step, gas);
  }

  setOutcome(step: number, outcome: StepOutcome): void {
    this.#outcome[step] = outcome;
  }

  setWord(step: number, word: bigint): void {
    this.#words[step] = word;
  }

  /** Keeps `length` bytes of `memory` from `offset` on as what the step wrote; beyond the end they are zero. */
  setWrite(step: number, memory: Bytes, offset: number, length: number): void {
    this.#write[step] = this.#writes.add(memory, offset, length);
  }

  /** Bytes kept, roughly. */
  get size(): number {
    return this.length * BYTES_PER_STEP + this.#writes.size;
  }

  frame(step: number): number {
    return this.#frame[step] as number;
  }

  pc(step: number): number {
    return this.#pc[step] as number;
  }

  opcode(step: number): number {
    return this.#opcode[step] as number;
  }

  outcome(step: number): StepOutcome {
    return this.#outcome[step] as StepOutcome;
  }

  gas(step: number): number {
    return this.#gas[step] as number;
  }

  cost(step: number): number {
    return this.#cost[step] as number;
  }

  forwarded(step: number): number {
    return this.#forwarded.get(step) ?? 0;
  }

  gasAfter(step: number): number {
    return this.#gasAfter.get(step) ?? this.gas(step) - this.cost(step);
  }

  refund(step: number): number {
    let low = 0;
    let high = this.#refundSteps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#refundSteps[middle] as number) <= step) low = middle + 1;
      else high = middle;
    }
    return Number(this.#refunds[low - 1] ?? 0n);
  }

  stackHeight(step: number): number {
    return this.#stackHeight[step] as number;
  }

  memoryBytes(step: number): number {
    return this.#memoryBytes[step] as number;
  }

  word(step: number): bigint | undefined {
    return this.#words[step];
  }

  write(step: number): MemoryWrite | undefined {
    const index = this.#write[step] as number;
    return index === NONE ? undefined : this.#writes.get(index);
  }

  #grow(): void {
    this.#capacity *= 2;
    const { length } = this.#frame;
    const grow = <Column extends Grown>(column: Column, make: new (size: number) => Column): Column => {
      const grown = new make(length * 2);
      grown.set(column);
      return grown;
    };
    this.#frame = grow(this.#frame, Uint32Array);
    this.#pc = grow(this.#pc, Uint32Array);
    this.#opcode = grow(this.#opcode, Uint8Array);
    this.#outcome = grow(this.#outcome, Uint8Array);
    this.#stackHeight = grow(this.#stackHeight, Uint16Array);
    this.#memoryBytes = grow(this.#memoryBytes, Uint32Array);
    this.#gas = grow(this.#gas, Float64Array);
    this.#cost = grow(this.#cost, Float64Array);
    this.#write = grow(this.#write, Uint32Array);
  }
}

type Grown = Uint8Array | Uint16Array | Uint32Array | Float64Array;
