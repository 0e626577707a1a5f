/** Fills step buffers from JavaScript, for engines that do not write the format themselves. */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { writeWord } from "../primitives/bytes/words.ts";
import type { StepOutcome } from "./frames.ts";
import { FLAG_WORD, STEP_BYTES, STEP_WORDS, StepBuffer, StepByte, StepWord } from "./step-buffer.ts";

/** A step before its operation. */
export interface WrittenStep {
  readonly pc: number;
  readonly opcode: number;
  readonly frame: number;
  readonly memoryBytes: number;
  readonly gas: number;
  readonly cost: number;
  readonly forwarded: number;
  readonly refund: number;
}

const TWO_32 = 2 ** 32;
const FIRST_WRITES = 4096;
/** Bytes of memory writes after which a buffer counts as full. */
const MOST_WRITES = 2 ** 20;

/** Writes steps in order. Values set after a step began belong to that step. */
export class StepWriter {
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #quads: BigUint64Array;
  readonly #capacity: number;
  #writes = new Uint8Array(FIRST_WRITES);
  #written = 0;
  #first = 0;
  #length = 0;

  /** @param capacity - steps per buffer */
  constructor(capacity = 4096) {
    this.#capacity = capacity;
    this.#bytes = new Uint8Array(capacity * STEP_BYTES);
    this.#words = new Uint32Array(this.#bytes.buffer);
    this.#quads = new BigUint64Array(this.#bytes.buffer);
  }

  /** Number of steps so far, including those already taken. */
  get count(): number {
    return this.#first + this.#length;
  }

  /** True if {@link take} must be called before the next step. */
  get isFull(): boolean {
    return this.#length === this.#capacity || this.#written > MOST_WRITES;
  }

  /** Adds a step. */
  begin(step: WrittenStep): void {
    const row = this.#length++;
    this.#bytes.fill(0, row * STEP_BYTES, (row + 1) * STEP_BYTES);
    const words = this.#words;
    const at = row * STEP_WORDS;
    words[at + StepWord.pc] = step.pc;
    words[at + StepWord.frame] = step.frame;
    words[at + StepWord.memoryBytes] = step.memoryBytes;
    this.#bytes[row * STEP_BYTES + StepByte.opcode] = step.opcode;
    this.#number(at + StepWord.gas, step.gas);
    this.#number(at + StepWord.cost, step.cost);
    this.#number(at + StepWord.forwarded, step.forwarded);
    this.#number(at + StepWord.refund, step.refund);
  }

  /**
   * Writes a number as 64 bits. 2^64 is written as 2^64 - 1, because a JS number cannot distinguish the two.
   */
  #number(at: number, value: number): void {
    const high = Math.floor(value / TWO_32);
    this.#words[at] = high === TWO_32 ? TWO_32 - 1 : value % TWO_32;
    this.#words[at + 1] = high === TWO_32 ? TWO_32 - 1 : high;
  }

  setOutcome(outcome: StepOutcome): void {
    this.#bytes[(this.#length - 1) * STEP_BYTES + StepByte.outcome] = outcome;
  }

  setRefund(refund: number): void {
    this.#number((this.#length - 1) * STEP_WORDS + StepWord.refund, refund);
  }

  setWord(word: bigint): void {
    const at = (this.#length - 1) * STEP_BYTES;
    this.#bytes[at + StepByte.flags] = (this.#bytes[at + StepByte.flags] as number) | FLAG_WORD;
    writeWord(this.#quads, (at + StepByte.word) / 8, word);
  }

  /** Stores `length` bytes of `memory` from `offset` as the step's write; bytes beyond the end are zero. */
  setWrite(memory: Bytes, offset: number, length: number): void {
    const start = this.#written;
    this.#written += length;
    if (this.#written > this.#writes.length) {
      const grown = new Uint8Array(Math.max(this.#written, this.#writes.length * 2));
      grown.set(this.#writes.subarray(0, start));
      this.#writes = grown;
    }
    this.#writes.fill(0, start, this.#written);
    this.#writes.set(memory.subarray(offset, Math.min(offset + length, memory.length)), start);
    const at = (this.#length - 1) * STEP_WORDS;
    this.#words[at + StepWord.writeOffset] = offset;
    this.#words[at + StepWord.writeLength] = length;
    this.#words[at + StepWord.writeStart] = start;
  }

  /** Returns all steps since the last call; undefined if there are none. */
  take(): StepBuffer | undefined {
    if (this.#length === 0) return undefined;
    const bytes = this.#bytes.slice(0, this.#length * STEP_BYTES);
    const taken = new StepBuffer(this.#first, bytes, this.#writes.slice(0, this.#written));
    this.#first += this.#length;
    this.#length = 0;
    this.#written = 0;
    return taken;
  }
}
