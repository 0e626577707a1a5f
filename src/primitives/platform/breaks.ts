/** Gives the event loop its turn in long work that is no execution of code. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** How long such work may keep the event loop to itself, in milliseconds; one step more comes on top of it. */
const SLICE_MS = 5;

export class Breaks {
  #sliceStart = performance.now();

  /**
   * To be called after each small step.
   *
   * @returns nothing where there is no need to wait
   */
  check(): Promise<void> | undefined {
    return performance.now() - this.#sliceStart < SLICE_MS ? undefined : this.#take();
  }

  async #take(): Promise<void> {
    await nextTurn();
    this.#sliceStart = performance.now();
  }
}
