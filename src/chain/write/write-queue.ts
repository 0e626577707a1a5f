/** Runs writers one by one, so that each starts from the state of the one before. */
export class WriteQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Runs `task` after all earlier ones and returns its result. A failed task does not stop the next. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task);
    // The result may be a thousand blocks, so the queue does not keep it in memory.
    this.#tail = result.then(ignore, ignore);
    return result;
  }

  /** Resolves when all tasks queued so far have ended. */
  async drained(): Promise<void> {
    await this.#tail;
  }
}

function ignore(): void {}
