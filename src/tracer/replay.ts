/**
 * Rebuilds one frame's stack, memory and return data step by step, from the changes that steps record.
 *
 * Takes time linear in the steps, because unchanged data is not copied. Frames are independent, so that a format can
 * walk a frame without its children.
 */
import { StepOutcome } from "../evm/frames.ts";
import { instructionOf, MEMORY_REGIONS } from "../evm/instructions.ts";
import { isDup, isSwap, Op } from "../evm/opcodes.ts";
import type { StepBuffer } from "../evm/step-buffer.ts";
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import type { CallFrame } from "./recording.ts";
import { resultWord, returnDataAfter } from "./recording.ts";

const { DUP1, SWAP1, SWAPN, EXCHANGE } = Op;

/** More than gas can pay for. Only a recording from a damaged file can have as much. */
const MOST_MEMORY = 2 ** 30;

/** A bigint on the stack takes about as much. */
const ITEM_BYTES = 48;

/** The machine of one frame during a replay. Its members change with each {@link FrameMachine.apply}. */
export class FrameMachine {
  readonly frame: CallFrame;
  /** Bottom first. */
  readonly stack: bigint[] = [];
  returnData: Bytes = EMPTY_BYTES;
  #memory: Bytes = EMPTY_BYTES;

  constructor(frame: CallFrame) {
    this.frame = frame;
  }

  /** A machine of its own in the same state. */
  copy(): FrameMachine {
    const copy = new FrameMachine(this.frame);
    for (const item of this.stack) copy.stack.push(item);
    copy.returnData = this.returnData;
    copy.#memory = this.#memory.slice();
    return copy;
  }

  /** Bytes that a {@link copy} takes, roughly. */
  get size(): number {
    return this.#memory.length + this.stack.length * ITEM_BYTES;
  }

  /** Number of items on the stack. */
  get height(): number {
    return this.stack.length;
  }

  /** An operand of the next step; 0 is the top of the stack. Zero if the stack is too short. */
  operand(index: number): bigint {
    return this.stack[this.stack.length - 1 - index] ?? 0n;
  }

  /** A copy of memory; bytes that were never written are zero. */
  readMemory(offset: number, length: number): Bytes {
    const copy = new Uint8Array(length);
    copy.set(this.#memory.subarray(offset, Math.min(offset + length, this.#memory.length)));
    return copy;
  }

  /** The memory region that the next step names (`evm/memory-regions.ts`); length 0 if it names none. */
  region(opcode: number): { readonly offset: number; readonly length: number } {
    const region = MEMORY_REGIONS[opcode];
    if (region === undefined) return { offset: 0, length: 0 };
    const length = region.length < 0 ? region.fixedLength : Number(this.operand(region.length));
    return { offset: length === 0 ? 0 : Number(this.operand(region.offset)), length };
  }

  /**
   * Applies a step of this frame. A step that failed changes nothing.
   *
   * @param child - frame that a call or creation started, or tried to start
   */
  apply(steps: StepBuffer, row: number, child: CallFrame | undefined): void {
    if (steps.outcome(row) !== StepOutcome.done) return;
    const opcode = steps.opcode(row);
    if (child !== undefined) {
      this.returnData = returnDataAfter(child);
      const { offset, length } = this.region(opcode);
      this.#write(offset, this.returnData.subarray(0, length));
    } else if (steps.writeLength(row) > 0) this.#write(steps.writeOffset(row), steps.written(row));
    if (opcode === SWAPN || opcode === EXCHANGE) this.#swap(...steps.items(row));
    else this.#applyToStack(opcode);
    if (child !== undefined) this.stack.push(resultWord(child));
    else if (steps.hasWord(row)) this.stack.push(steps.word(row));
  }

  #applyToStack(opcode: number): void {
    const { stack } = this;
    if (isDup(opcode)) {
      stack.push(this.operand(opcode - DUP1));
    } else if (isSwap(opcode)) {
      this.#swap(1, opcode - SWAP1 + 2);
    } else for (let pops = instructionOf(opcode).pops; pops > 0; pops--) stack.pop();
  }

  /** Swaps two items, counted from 1 at the top. */
  #swap(upper: number, lower: number): void {
    const { stack } = this;
    const swapped = stack[stack.length - upper] as bigint;
    stack[stack.length - upper] = stack[stack.length - lower] as bigint;
    stack[stack.length - lower] = swapped;
  }

  #write(offset: number, bytes: Bytes): void {
    const end = offset + bytes.length;
    if (end > this.#memory.length) {
      if (end > MOST_MEMORY) throw new RangeError(`FrameMachine: a write at ${offset} is beyond any memory`);
      const grown = new Uint8Array(Math.max(end, this.#memory.length * 2));
      grown.set(this.#memory);
      this.#memory = grown;
    }
    this.#memory.set(bytes, offset);
  }
}
