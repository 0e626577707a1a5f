/** The event loop: runs tasks in its next turn, and timers that do not keep the process alive. */

// Not the global function, which test runners replace by one that runs nothing, and Jest's jsdom leaves out.
import { setImmediate } from "node:timers";

/** A timer, or an interval. */
export type Timer = ReturnType<typeof setTimeout>;

/** Runs a task when everything else that waits has had its turn. */
export function onNextTurn(task: () => void): void {
  setImmediate(task);
}

/** Waits until everything else that waits has had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise(onNextTurn);
}

/** Lets the process end while a timer runs. Returns the timer. */
export function inBackground(timer: Timer): Timer {
  return timer.unref();
}
