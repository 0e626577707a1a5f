/** Runs writers one after the other, so that each sees the state its predecessor left. */
export class WriteQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Runs `task` when all earlier ones have ended, and gives its result. A failed task does not stop the next. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task);
    // The result belongs to the caller alone: it may be a thousand blocks.
    this.#tail = result.then(ignore, ignore);
    return result;
  }

  /** Settles when everything queued so far has ended. */
  async drained(): Promise<void> {
    await this.#tail;
  }
}

function ignore(): void {}
