/** The event loop: runs tasks in its next turn, and timers that do not keep the process alive. */

/** A timer, or an interval. */
export type Timer = ReturnType<typeof setTimeout>;

/** Runs a task when everything else that waits has had its turn. */
export function onNextTurn(task: () => void): void {
  setImmediate(task);
}

/** Waits until everything else that waits has had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Lets the process end while a timer runs. Returns the timer. */
export function inBackground(timer: Timer): Timer {
  return timer.unref();
}
