/** All steps of a recording, by number, in the buffers that the engine filled. */
import { StepOutcome } from "../evm/frames.ts";
import { startsFrame } from "../evm/opcodes.ts";
import type { StepBuffer } from "../evm/step-buffer.ts";
import type { Bytes } from "../primitives/bytes.ts";
import { gasAfter, resultWord } from "./call-results.ts";
import type { CallFrame, StepStream } from "./recording.ts";

export class StepTable implements StepStream {
  readonly hasMemory: boolean;
  readonly #frames: readonly CallFrame[];
  readonly #buffers: StepBuffer[] = [];
  /** The buffer that was read last: the next step to be read is as a rule there too. */
  #latest: StepBuffer | undefined;
  #length = 0;
  #size = 0;

  /** @param frames - of the same recording; they need not be complete before the table is read */
  constructor(frames: readonly CallFrame[], hasMemory: boolean) {
    this.#frames = frames;
    this.hasMemory = hasMemory;
  }

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
    const found = this.#buffers[placeOf(this.#buffers.length, (place) => (this.#buffers[place]?.first ?? 0) <= step)];
    if (found === undefined || step >= this.#length) throw new RangeError(`StepTable: there is no step ${step}`);
    this.#latest = found;
    return found;
  }

  /** The frame that a step started or was refused; undefined for all but calls and creations that ran. */
  childOf(step: number): CallFrame | undefined {
    if (this.outcome(step) !== StepOutcome.done || !startsFrame(this.opcode(step))) return undefined;
    return this.#frames[placeOf(this.#frames.length, (place) => (this.#frames[place]?.step ?? 0) <= step)];
  }

  pc(step: number): number {
    const buffer = this.bufferOf(step);
    return buffer.pc(step - buffer.first);
  }

  opcode(step: number): number {
    const buffer = this.bufferOf(step);
    return buffer.opcode(step - buffer.first);
  }

  outcome(step: number): StepOutcome {
    const buffer = this.bufferOf(step);
    return buffer.outcome(step - buffer.first);
  }

  /** Index of the frame. */
  frame(step: number): number {
    const buffer = this.bufferOf(step);
    return buffer.frame(step - buffer.first);
  }

  /** Gas before the operation. */
  gas(step: number): number {
    const buffer = this.bufferOf(step);
    return buffer.gas(step - buffer.first);
  }

  /** Gas charged to the frame, without what a child was given. */
  cost(step: number): number {
    const buffer = this.bufferOf(step);
    return buffer.cost(step - buffer.first);
  }

  /** Gas given to a child frame, without the stipend. */
  forwarded(step: number): number {
    const buffer = this.bufferOf(step);
    return buffer.forwarded(step - buffer.first);
  }

  /** Gas after the operation, what a child frame left included; before minus cost where the operation did not run. */
  gasAfter(step: number): number {
    const buffer = this.bufferOf(step);
    return gasAfter(buffer, step - buffer.first, this.childOf(step));
  }

  /** Refund counter of the transaction, in gas. */
  refund(step: number): number {
    const buffer = this.bufferOf(step);
    return buffer.refund(step - buffer.first);
  }

  /** Active memory before the operation, in bytes. */
  memoryBytes(step: number): number {
    const buffer = this.bufferOf(step);
    return buffer.memoryBytes(step - buffer.first);
  }

  /** The item left on top by an operation that makes one. */
  word(step: number): bigint | undefined {
    const child = this.childOf(step);
    if (child !== undefined) return resultWord(child);
    const buffer = this.bufferOf(step);
    const row = step - buffer.first;
    return buffer.hasWord(row) ? buffer.word(row) : undefined;
  }

  /** What the operation wrote to memory; for calls see `call-results.ts`. */
  write(step: number): { readonly offset: number; readonly bytes: Bytes } | undefined {
    const buffer = this.bufferOf(step);
    const row = step - buffer.first;
    if (buffer.writeLength(row) === 0) return undefined;
    return { offset: buffer.writeOffset(row), bytes: buffer.written(row) };
  }
}

/** The last of `length` places at which a condition holds that holds up to some place and not beyond; -1 for none. */
function placeOf(length: number, holds: (place: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
