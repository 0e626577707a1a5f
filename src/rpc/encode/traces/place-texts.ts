/**
 * Text that items of a trace have in common which stand at the same place in a code: kept when an item is written for the
 * first time, copied each time the place is met again.
 */
import { type Bytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { Fragments } from "../stream/fragments.ts";

type Span = readonly [start: number, end: number];

/** Where the texts of an item stand before and behind the number in which items of a place differ. */
export interface PlaceSpans {
  readonly head: Span;
  readonly tail: Span;
}

export class PlaceTexts {
  /** For each place, the index of its first text in {@link texts}, its second is behind it; -1 for a place without. */
  readonly indexes: Int32Array;
  /** The costs that the texts are of, by index. */
  readonly costs: number[] = [];
  readonly texts = new Fragments();

  /** @param code - that of the places; there is one more place, for the STOP behind the end */
  constructor(code: Bytes = EMPTY_BYTES) {
    this.indexes = new Int32Array(code.length + 1).fill(-1);
  }

  /** Keeps two texts that stand in `source` for a place, unless it has some already. */
  keep(pc: number, cost: number, source: Bytes, { head, tail }: PlaceSpans): void {
    if (this.indexes[pc] !== -1) return;
    this.indexes[pc] = this.texts.add(source, head[0], head[1]);
    this.texts.add(source, tail[0], tail[1]);
    this.costs.push(cost, cost);
  }
}
