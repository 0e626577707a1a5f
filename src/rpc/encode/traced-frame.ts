/** Frames whose operations are being listed in a vmTrace, and what is kept of their codes. */
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes.ts";
import type { CallFrame, MemoryWrite, StepTable } from "../../tracer/recording.ts";
import { CodePlaces } from "./code-places.ts";
import { StackText } from "./stack-text.ts";

const MAX_KEPT_MEMORY = 16 * 1024;
/**
 * What operations say of their place in a code: from the comma before the operation on, to the number behind `used` where
 * it pushes nothing or always the same, else to the items that it pushed, or to the memory that it touched; and what is
 * behind `used`, of an operation without a frame of its own.
 */
export class OperationPlaces extends CodePlaces {
  /** Keeps what is said of a place, if it is the first time. */
  keep(pc: number, cost: number, head: string, tail: string): void {
    if (!this.takes(pc, cost)) return;
    this.heads.set(pc, head);
    this.tails.set(pc, tail);
  }
}

const NO_PLACES = new OperationPlaces(0);

/** A frame whose operations are being listed. */
export class TracedFrame {
  readonly stack = new StackText();
  frame: CallFrame | undefined;
  places = NO_PLACES;
  /** What follows the list: the rest of the operation that it belongs to. */
  tail = "";
  isEmpty = true;
  /** Steps that wrote memory and have not been looked at: only calls show what was there before them. */
  readonly unwritten: number[] = [];
  #memory: Bytes = EMPTY_BYTES;

  /** Frames of one depth follow each other: what the last one left is used again. */
  begin(frame: CallFrame, places: OperationPlaces, tail: string): void {
    this.frame = frame;
    this.places = places;
    this.tail = tail;
    this.isEmpty = true;
    this.stack.clear();
    this.unwritten.length = 0;
    // Filling what a large frame left would cost every small one after it.
    if (this.#memory.length > MAX_KEPT_MEMORY) this.#memory = EMPTY_BYTES;
    else this.#memory.fill(0);
  }

  /** Memory as it is now. `steps` is what was recorded of {@link unwritten}. */
  memoryNow(steps: StepTable): Bytes {
    for (const step of this.unwritten) {
      const write = steps.write(step);
      if (write !== undefined) this.write(write);
    }
    this.unwritten.length = 0;
    return this.#memory;
  }

  write({ offset, bytes }: MemoryWrite): void {
    const end = offset + bytes.length;
    if (end > this.#memory.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.#memory.length));
      grown.set(this.#memory);
      this.#memory = grown;
    }
    this.#memory.set(bytes, offset);
  }
}
