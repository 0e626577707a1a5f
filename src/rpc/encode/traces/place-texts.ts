/**
 * Keeps text that all trace items of one program counter share: it is stored with the first item and copied for later
 * ones.
 */
import { type Bytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { Fragments } from "../stream/fragments.ts";

type Span = readonly [start: number, end: number];

/** Spans of an item's text before and after the number that differs between items of one program counter. */
export interface PlaceSpans {
  readonly head: Span;
  readonly tail: Span;
}

/** The shared texts of one code, by program counter. One for each code of an answer. */
export class PlaceTexts {
  /**
   * For each program counter, the index of its first text in {@link texts}; the second follows it. -1 if nothing is
   * stored.
   */
  readonly indexes: Int32Array;
  /** Gas cost that each text contains, by index. */
  readonly costs: number[] = [];
  readonly texts = new Fragments();

  /** @param code - its program counters are the places; the implicit STOP after the end is one more */
  constructor(code: Bytes = EMPTY_BYTES) {
    this.indexes = new Int32Array(code.length + 1).fill(-1);
  }

  /** Stores the two texts of an item for a program counter, unless it has texts already. */
  keep(pc: number, cost: number, source: Bytes, { head, tail }: PlaceSpans): void {
    if (this.indexes[pc] !== -1) return;
    this.indexes[pc] = this.texts.add(source, head[0], head[1]);
    this.texts.add(source, tail[0], tail[1]);
    this.costs.push(cost, cost);
  }
}
