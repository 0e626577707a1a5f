/** The event loop of a page or a worker. Counterpart of `primitives/platform/event-loop.ts`. */

/** A timer, or an interval. */
export type Timer = ReturnType<typeof setTimeout>;

const waiting: (() => void)[] = [];

/** A message is a task of its own, which timers are only after four milliseconds. */
const { port1, port2 } = new MessageChannel();
port1.addEventListener("message", () => waiting.shift()?.());
port1.start();

/** Runs a task when everything else that waits has had its turn. */
export function onNextTurn(task: () => void): void {
  waiting.push(task);
  port2.postMessage(undefined);
}

/** Waits until everything else that waits has had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise(onNextTurn);
}

/** Returns the timer: a page does not end because nothing happens in it. */
export const inBackground = (timer: Timer): Timer => timer;
