/** The comparisons with the selector of the call data, which choose the function of a call frame. */
import type { SelectorJump } from "../source/functions/selector-jumps.ts";

/** Follows the comparisons of one frame. */
export class FunctionChoice {
  /** Those that have not found it equal; undefined after one has, and if there is none. */
  #choices: ReadonlyMap<number, SelectorJump> | undefined;
  /** The last of them. */
  #choice: SelectorJump | undefined;

  /** @param selector - undefined if the call data select no function */
  constructor(jumps: readonly SelectorJump[], selector: bigint | undefined) {
    const choices = jumps.filter(({ value }) => value === selector);
    if (choices.length > 0) this.#choices = new Map(choices.map((choice) => [choice.pc, choice]));
  }

  /** True before the function is chosen. The code for that may have ranges of functions that compute the same. */
  isOpenAt(pc: number): boolean {
    if (this.#choices === undefined) return false;
    const { pc: last = -1, isTakenIfEqual } = this.#choice ?? {};
    const isChosen = this.#choice !== undefined && (pc !== last + 1) === isTakenIfEqual;
    if (isChosen) this.#choices = undefined;
    this.#choice = this.#choices?.get(pc);
    return !isChosen;
  }
}
