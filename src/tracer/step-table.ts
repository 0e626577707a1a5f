/** All steps of a recording, in the engine's buffers, accessible by index. */
import type { StepBuffer } from "../evm/step-buffer.ts";
import type { Recording, StepStream } from "./recording.ts";

/** A recording whose steps are all in memory. */
export interface WholeRecording extends Recording {
  readonly steps: StepTable | undefined;
}

/** Steps by their number, from 0. */
export class StepTable implements StepStream {
  readonly #buffers: StepBuffer[] = [];
  /** The buffer that was read last, which usually holds the next step too. */
  #latest: StepBuffer | undefined;
  #length = 0;
  #size = 0;

  /** Appends a buffer. */
  add(steps: StepBuffer): void {
    this.#buffers.push(steps);
    this.#length = steps.first + steps.length;
    this.#size += steps.bytes.length + steps.writes.length;
  }

  get length(): number {
    return this.#length;
  }

  /** Bytes of all buffers. */
  get size(): number {
    return this.#size;
  }

  [Symbol.iterator](): Iterator<StepBuffer> {
    return this.#buffers[Symbol.iterator]();
  }

  /**
   * The buffer that holds a step.
   *
   * @throws {RangeError} for a step that is not in the table
   */
  bufferOf(step: number): StepBuffer {
    const latest = this.#latest;
    if (latest !== undefined && step >= latest.first && step < latest.first + latest.length) return latest;
    if (step < 0 || step >= this.#length) throw new RangeError(`StepTable: there is no step ${step}`);
    let low = 0;
    let high = this.#buffers.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#buffers[middle] as StepBuffer).first <= step) low = middle;
      else high = middle;
    }
    this.#latest = this.#buffers[low] as StepBuffer;
    return this.#latest;
  }
}
