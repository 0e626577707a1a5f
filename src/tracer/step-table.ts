/** All steps of a recording, by number, in the buffers that the engine filled. */
import type { StepBuffer } from "../evm/step-buffer.ts";
import type { Recording, StepStream } from "./recording.ts";

/** A recording all of which is there. */
export interface WholeRecording extends Recording {
  readonly steps: StepTable | undefined;
}

export class StepTable implements StepStream {
  readonly #buffers: StepBuffer[] = [];
  /** The buffer that was read last: the next step to be read is as a rule there too. */
  #latest: StepBuffer | undefined;
  #length = 0;
  #size = 0;

  /** Adds the buffer that follows. */
  add(steps: StepBuffer): void {
    this.#buffers.push(steps);
    this.#length = steps.first + steps.length;
    this.#size += steps.bytes.length + steps.writes.length;
  }

  get length(): number {
    return this.#length;
  }

  /** Bytes that the buffers take. */
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
