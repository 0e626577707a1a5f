/** Frames whose steps are being listed as struct logs, and what is kept of their codes. */
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import { CodePlaces } from "./code-places.ts";
import { MemoryText } from "./memory-text.ts";
import { StackText } from "./stack-text.ts";

/**
 * What entries say of their place in a code, at one depth: `,{"pc":…,"op":"…","gas":` before the gas, and behind it
 * `,"gasCost":…,"depth":…,"stack":[`. One place more than the code is long, for the STOP behind its end.
 */
export class EntryPlaces extends CodePlaces {
  /** Keeps what is said behind the gas, if it is the first time. */
  keepTail(pc: number, cost: number, text: string): void {
    if (this.takes(pc, cost)) this.tails.set(pc, text);
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
