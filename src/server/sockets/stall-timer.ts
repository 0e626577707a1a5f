/** Detects a client that reads nothing of the data waiting for it. */

/**
 * A timer that runs while data waits, and restarts when some of it is sent. A socket's own timeout is not exact enough:
 * it may take up to twice the time.
 */
export class StallTimer {
  readonly #timeoutMs: number;
  readonly #onStall: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, onStall: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#onStall = onStall;
  }

  /** Starts the timer, unless it runs. */
  start(): void {
    this.#timer ??= setTimeout(this.#onStall, this.#timeoutMs);
  }

  /** Restarts the timer after some data was sent, or stops it. */
  moved(isMoreWaiting: boolean): void {
    if (isMoreWaiting) this.#timer?.refresh();
    else this.stop();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
