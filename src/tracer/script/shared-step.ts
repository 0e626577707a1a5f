/**
 * Writes the current step to the memory that a script shares with its host: numbers at fixed offsets, and the top of
 * the stack.
 */
import type { LiveStep } from "../../evm/event-sink.ts";
import { startsCreation } from "../../evm/opcodes.ts";
import { WORD_QUADS, writeWord } from "../../primitives/bytes/words.ts";
import { ITEMS_OFFSET, Place, SHARED_ITEMS } from "./prelude.ts";

/** Values that the step itself does not contain. */
export interface StepContext {
  /** 1 for the outermost frame. */
  readonly depth: number;
  /** Changes whenever another frame executes. */
  readonly frame: number;
  /** Refund counter, in gas. */
  readonly refund: number;
  /** True if the script reads the stack, so that its top is written to the shared memory. */
  readonly sharesStack: boolean;
}

/** Writes steps to the memory of one sandbox. A new one is made when that memory moves. */
export class SharedStep {
  readonly #numbers: Float64Array;
  readonly #lanes: BigUint64Array;

  /** @param shared - the memory; valid until it moves */
  constructor({ buffer, byteOffset }: Uint8Array) {
    this.#numbers = new Float64Array(buffer, byteOffset, ITEMS_OFFSET / 8);
    this.#lanes = new BigUint64Array(buffer, byteOffset + ITEMS_OFFSET, SHARED_ITEMS * WORD_QUADS);
  }

  write(live: LiveStep, { depth, frame, refund, sharesStack }: StepContext): void {
    const numbers = this.#numbers;
    const isCreate = startsCreation(live.opcode);
    numbers[Place.pc] = live.pc;
    numbers[Place.opcode] = live.opcode;
    numbers[Place.gas] = live.gas;
    numbers[Place.cost] = live.cost + (isCreate ? 0 : live.forwarded);
    numbers[Place.depth] = depth;
    numbers[Place.refund] = refund;
    numbers[Place.stackHeight] = live.stackHeight;
    numbers[Place.memoryLength] = live.memoryBytes;
    numbers[Place.frame] = frame;
    const shared = sharesStack ? Math.min(SHARED_ITEMS, live.stackHeight) : 0;
    numbers[Place.sharedItems] = shared;
    for (let index = 0; index < shared; index++) writeWord(this.#lanes, index * WORD_QUADS, live.stackItem(index));
  }
}
