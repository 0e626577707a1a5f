/** Steps as columns of typed arrays that double when full: about 60 bytes a step, no object per step. */
import type { Bytes } from "../primitives/bytes.ts";
import { BytePool } from "./byte-pool.ts";
import type { LiveStep, StepOutcome } from "./events.ts";
import type { MemoryWrite, StepTable } from "./recording.ts";

const FIRST_CAPACITY = 1024;
/** Marks a step without a word or a write; both pools number from 1. */
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
  #gasAfter = new Float64Array(FIRST_CAPACITY);
  #refund = new Float64Array(FIRST_CAPACITY);
  #word = new Uint32Array(FIRST_CAPACITY);
  #write = new Uint32Array(FIRST_CAPACITY);
  /** Stack items are immutable: the pool holds them, it does not copy them. */
  readonly #words: bigint[] = [0n];
  readonly #writes = new BytePool();
  /** Gas given to children, by step; few steps have any. */
  readonly #forwarded = new Map<number, number>();

  constructor(hasMemory: boolean) {
    this.hasMemory = hasMemory;
  }

  /** Adds a step before it runs and returns its index. */
  begin(frame: number, live: LiveStep): number {
    const step = this.length++;
    if (step === this.#capacity) this.#grow();
    this.#frame[step] = frame;
    this.#pc[step] = live.stepPc;
    this.#opcode[step] = live.stepOpcode;
    this.#stackHeight[step] = live.stackHeight;
    this.#memoryBytes[step] = live.stepMemoryBytes;
    this.#gas[step] = live.stepGas;
    this.#cost[step] = live.stepCost;
    this.#gasAfter[step] = live.stepGas - live.stepCost;
    this.#refund[step] = live.stepRefund;
    if (live.stepForwarded !== 0) this.#forwarded.set(step, live.stepForwarded);
    return step;
  }

  setGasAfter(step: number, gas: number): void {
    this.#gasAfter[step] = gas;
  }

  setOutcome(step: number, outcome: StepOutcome): void {
    this.#outcome[step] = outcome;
  }

  setWord(step: number, word: bigint): void {
    this.#word[step] = this.#words.length;
    this.#words.push(word);
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
    return this.#gasAfter[step] as number;
  }

  refund(step: number): number {
    return this.#refund[step] as number;
  }

  stackHeight(step: number): number {
    return this.#stackHeight[step] as number;
  }

  memoryBytes(step: number): number {
    return this.#memoryBytes[step] as number;
  }

  word(step: number): bigint | undefined {
    const index = this.#word[step] as number;
    return index === NONE ? undefined : this.#words[index];
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
    this.#gasAfter = grow(this.#gasAfter, Float64Array);
    this.#refund = grow(this.#refund, Float64Array);
    this.#word = grow(this.#word, Uint32Array);
    this.#write = grow(this.#write, Uint32Array);
  }
}

type Grown = Uint8Array | Uint16Array | Uint32Array | Float64Array;
