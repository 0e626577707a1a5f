/** The event loop: what runs in its next turn, and long work that lets others have theirs. */

/** Longest time in milliseconds that work may block the event loop, not including the step that exceeds it. */
const SLICE_MS = 5;

/** Runs a task when everything else that waits has had its turn. */
export function onNextTurn(task: () => void): void {
  setImmediate(task);
}

/** Waits until everything else that waits has had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Waits for some milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** Gives the event loop its turn in long work that is no execution of code. */
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
