/** The event loop: runs tasks in its next turn, and divides long work between turns. */

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

/** Yields to the event loop during long work other than execution. Lives for one piece of work. */
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

/** Maps items one after another, yielding to the event loop during long lists. */
export async function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item, index: number) => Mapped,
): Promise<Mapped[]> {
  const breaks = new Breaks();
  const mapped: Mapped[] = [];
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index));
    const turn = breaks.check();
    if (turn !== undefined) await turn;
  }
  return mapped;
}
