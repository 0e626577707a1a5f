/** Runs writers one after the other, so that each starts from the state that the one before it left. */
export class WriteQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Runs `task` when all earlier ones have ended, and gives its result. A failed task does not stop the next. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task);
    // The queue does not hold on to the result, which may be a thousand blocks.
    this.#tail = result.then(ignore, ignore);
    return result;
  }

  /** Resolves when all tasks queued so far have ended. */
  async drained(): Promise<void> {
    await this.#tail;
  }
}

function ignore(): void {}
