/** All steps of a recording, by number, in the buffers that the engine filled. */
import { StepOutcome } from "../evm/frames.ts";
import { startsFrame } from "../evm/opcodes.ts";
import type { StepBuffer } from "../evm/step-buffer.ts";
import type { Bytes } from "../primitives/bytes.ts";
import { gasAfter, resultWord } from "./call-results.ts";
import type { CallFrame, Recording, StepStream } from "./recording.ts";

/** One step. Gas as JS numbers. Stack and memory are rebuilt by replaying, see FrameMachine. */
export interface Step {
  /** Index of the frame. */
  readonly frame: number;
  /** Byte offset of the operation in the frame's code. */
  readonly pc: number;
  readonly opcode: number;
  readonly outcome: StepOutcome;
  /** Gas before the operation. */
  readonly gas: number;
  /** Gas charged to the frame, without what a child was given. */
  readonly cost: number;
  /** Gas given to a child frame, without the stipend. */
  readonly forwarded: number;
  /** Gas after the operation, what a child frame left included; before minus cost where the operation did not run. */
  readonly gasAfter: number;
  /** Refund counter of the transaction, in gas. */
  readonly refund: number;
  /** Active memory before the operation, in bytes. */
  readonly memoryBytes: number;
  /** The item left on top by an operation that makes one. */
  readonly word: bigint | undefined;
  /** What the operation wrote to memory; for calls it follows from `call-results.ts`. */
  readonly write: { readonly offset: number; readonly bytes: Bytes } | undefined;
}

/** A recording all of which is there. */
export interface WholeRecording extends Recording {
  readonly steps: StepTable | undefined;
}

export class StepTable implements StepStream {
  readonly #frames: readonly CallFrame[];
  readonly #buffers: StepBuffer[] = [];
  /** The buffer that was read last: the next step to be read is as a rule there too. */
  #latest: StepBuffer | undefined;
  #length = 0;
  #size = 0;

  /** @param frames - of the same recording; they need not be complete before the table is read */
  constructor(frames: readonly CallFrame[]) {
    this.#frames = frames;
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
    const found = lastThat(this.#buffers, ({ first }) => first <= step);
    if (found === undefined || step >= this.#length) throw new RangeError(`StepTable: there is no step ${step}`);
    this.#latest = found;
    return found;
  }

  /**
   * A step by its number.
   *
   * @throws {RangeError} for a step that is not in the table
   */
  at(step: number): Step {
    const buffer = this.bufferOf(step);
    const row = step - buffer.first;
    const child = this.childOf(step);
    const ownWord = buffer.hasWord(row) ? buffer.word(row) : undefined;
    const hasWrite = buffer.writeLength(row) > 0;
    return {
      frame: buffer.frame(row),
      pc: buffer.pc(row),
      opcode: buffer.opcode(row),
      outcome: buffer.outcome(row),
      gas: buffer.gas(row),
      cost: buffer.cost(row),
      forwarded: buffer.forwarded(row),
      gasAfter: gasAfter(buffer, row, child),
      refund: buffer.refund(row),
      memoryBytes: buffer.memoryBytes(row),
      word: child === undefined ? ownWord : resultWord(child),
      write: hasWrite ? { offset: buffer.writeOffset(row), bytes: buffer.written(row) } : undefined,
    };
  }

  /** The frame that a step started or was refused; undefined for all but calls and creations that ran. */
  childOf(step: number): CallFrame | undefined {
    const buffer = this.bufferOf(step);
    const row = step - buffer.first;
    if (buffer.outcome(row) !== StepOutcome.done || !startsFrame(buffer.opcode(row))) return undefined;
    return lastThat(this.#frames, (frame) => frame.step <= step);
  }
}

/** The last item of which a condition holds that holds of all before it. */
function lastThat<Item>(items: readonly Item[], holds: (item: Item) => boolean): Item | undefined {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return items[low - 1];
}
