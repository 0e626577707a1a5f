/** What the items of a trace say of their place in a code: kept once, copied each time the place is met again. */
import { Fragments } from "./fragments.ts";

/** Marks a place whose operation has not been listed. */
const NOT_SEEN = -1;

export class CodePlaces {
  /** Text before the number that differs from item to item. */
  readonly heads: Fragments;
  /** Text behind it. */
  readonly tails: Fragments;
  /** Cost that was seen first, which the texts are of. */
  readonly costs: Float64Array;
  /** Items that PUSH operations push. */
  readonly pushes: Fragments;

  /** @param size - places */
  constructor(size: number) {
    this.heads = new Fragments(size);
    this.tails = new Fragments(size);
    this.costs = new Float64Array(size).fill(NOT_SEEN);
    this.pushes = new Fragments(size);
  }

  /** True for a place that has not been seen with a cost; from now on it has. */
  protected takes(pc: number, cost: number): boolean {
    if (this.costs[pc] !== NOT_SEEN) return false;
    this.costs[pc] = cost;
    return true;
  }
}
