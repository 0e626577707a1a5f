/** What a {@link StepRecorder} puts steps in, and what is read of steps that stand in chunks. */
import type { Bytes } from "../primitives/bytes.ts";
import type { LiveStep, StepOutcome } from "./events.ts";
import type { MemoryWrite, StepRows, StepTable } from "./recording.ts";
import type { StepChunk } from "./step-chunk.ts";

/** Where steps go. They are numbered from 0 in order of dispatch. */
export interface StepStore {
  readonly hasMemory: boolean;
  /** Index of the latest step, -1 before the first. */
  readonly latest: number;
  /** Bytes kept, roughly. */
  readonly size: number;
  /** Rows with room for the next step. */
  open(): StepChunk;
  /** Adds a step before it runs and returns its index. */
  begin(frame: number, live: LiveStep): number;
  setOutcome(step: number, outcome: StepOutcome): void;
  setWord(step: number, word: bigint): void;
  /** Gas after a call or creation, which brings gas back; for other steps it follows from the cost. */
  setGasAfter(step: number, gas: number): void;
  /** The refund counter with what the step itself earned, of the latest step. */
  setRefund(step: number, refund: bigint): void;
  /** Keeps `length` bytes of `memory` from `offset` on as what the step wrote; beyond the end they are zero. */
  setWrite(step: number, memory: Bytes, offset: number, length: number): void;
}

/** Reads steps one by one from the chunks that they stand in. */
export abstract class ChunkedSteps implements StepTable {
  abstract readonly length: number;
  abstract readonly hasMemory: boolean;
  abstract readonly isPassing: boolean;

  abstract rows(step: number): StepRows | Promise<void>;
  abstract forwarded(step: number): number;
  abstract gasAfter(step: number): number;
  abstract refund(step: number): number;
  abstract write(step: number): MemoryWrite | undefined;
  /** The chunk that a step stands in. */
  protected abstract chunkOf(step: number): StepChunk;

  frame(step: number): number {
    const chunk = this.chunkOf(step);
    return chunk.frame[step - chunk.first] as number;
  }

  pc(step: number): number {
    const chunk = this.chunkOf(step);
    return chunk.pc[step - chunk.first] as number;
  }

  opcode(step: number): number {
    const chunk = this.chunkOf(step);
    return chunk.opcode[step - chunk.first] as number;
  }

  outcome(step: number): StepOutcome {
    const chunk = this.chunkOf(step);
    return chunk.outcome[step - chunk.first] as StepOutcome;
  }

  gas(step: number): number {
    const chunk = this.chunkOf(step);
    return chunk.gas[step - chunk.first] as number;
  }

  cost(step: number): number {
    const chunk = this.chunkOf(step);
    return chunk.cost[step - chunk.first] as number;
  }

  memoryBytes(step: number): number {
    const chunk = this.chunkOf(step);
    return chunk.memoryBytes[step - chunk.first] ?? 0;
  }

  word(step: number): bigint | undefined {
    const chunk = this.chunkOf(step);
    return chunk.words[step - chunk.first];
  }
}

/** Values of the refund counter: few, since few steps change it. */
export class RefundCounter {
  /** Steps at which it was another than at the step before, and what it was. */
  readonly #steps: number[] = [];
  readonly #values: bigint[] = [];
  #last = 0n;

  /** Notes what it was when a step was paid for. Steps come in order. */
  note(step: number, value: bigint): void {
    if (value === this.#last) return;
    this.#steps.push(step);
    this.#values.push(value);
    this.#last = value;
  }

  at(step: number): number {
    if (this.#steps.length === 0) return 0;
    let low = 0;
    let high = this.#steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#steps[middle] as number) <= step) low = middle + 1;
      else high = middle;
    }
    return Number(this.#values[low - 1] ?? 0n);
  }

  /** Lets go of what nobody asks for who asks from a step on. */
  forgetBefore(step: number): void {
    let count = 0;
    while ((this.#steps[count + 1] ?? Number.POSITIVE_INFINITY) <= step) count++;
    this.#steps.splice(0, count);
    this.#values.splice(0, count);
  }
}
