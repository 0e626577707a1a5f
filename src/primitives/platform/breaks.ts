/** Yields to the event loop during long work other than execution. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Longest time in milliseconds between two yields, plus one step. */
const SLICE_MS = 5;

/** Lives for one piece of work. */
export class Breaks {
  #sliceStart = performance.now();

  /**
   * Must be called after each small step.
   *
   * @returns undefined if there is no need to wait
   */
  check(): Promise<void> | undefined {
    return performance.now() - this.#sliceStart < SLICE_MS ? undefined : this.#take();
  }

  async #take(): Promise<void> {
    await nextTurn();
    this.#sliceStart = performance.now();
  }
}
