/** Frames whose steps are being listed as struct logs, and what is kept of their codes. */
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import { Fragments } from "./fragments.ts";
import { MemoryText } from "./memory-text.ts";
import { StackText } from "./stack-text.ts";

/** Marks a place in a code whose operation has not been listed. */
const NOT_SEEN = -1;

/** What entries say of their place in a code, at one depth. */
export class EntryPlaces {
  /** `,{"pc":…,"op":"…","gas":` */
  readonly heads: Fragments;
  /** `,"gasCost":…,"depth":…,"stack":[` with the cost that was seen first. */
  readonly tails: Fragments;
  readonly costs: Float64Array;
  /** Items that PUSH operations push. */
  readonly pushes: Fragments;

  /** @param size - places; one more than the code is long, for the STOP behind its end */
  constructor(size: number) {
    this.heads = new Fragments(size);
    this.tails = new Fragments(size);
    this.costs = new Float64Array(size).fill(NOT_SEEN);
    this.pushes = new Fragments(size);
  }

  /** Keeps what is said behind the gas, if it is the first time. */
  keepTail(pc: number, cost: number, text: string): void {
    if (this.costs[pc] !== NOT_SEEN) return;
    this.costs[pc] = cost;
    this.tails.set(pc, text);
  }
}

const NO_PLACES = new EntryPlaces(0);

/** A frame whose steps are being listed. */
export class ListedFrame {
  readonly stack = new StackText();
  #memory: MemoryText | undefined;
  frame: CallFrame | undefined;
  places = NO_PLACES;
  returnData: Bytes = EMPTY_BYTES;
  childrenSeen = 0;

  /** Frames of one depth follow each other: what the last one left is used again. */
  begin(frame: CallFrame, places: EntryPlaces): void {
    this.frame = frame;
    this.places = places;
    this.returnData = EMPTY_BYTES;
    this.childrenSeen = 0;
    this.stack.clear();
    this.#memory?.clear();
  }

  get memory(): MemoryText {
    this.#memory ??= new MemoryText();
    return this.#memory;
  }
}
