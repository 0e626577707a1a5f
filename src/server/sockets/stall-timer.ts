/** Tells when a reader takes nothing of what waits for it. */

/**
 * A clock that runs while something waits, and begins anew whenever some of it leaves. A socket's own timeout is no such
 * clock: it looks at the connection once in a while, so that up to twice the time may pass.
 */
export class StallTimer {
  readonly #timeoutMs: number;
  readonly #onStall: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, onStall: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#onStall = onStall;
  }

  /** Something waits from now on, if nothing did before. */
  start(): void {
    this.#timer ??= setTimeout(this.#onStall, this.#timeoutMs);
  }

  /** Some of it has left. */
  moved(isMoreWaiting: boolean): void {
    if (isMoreWaiting) this.#timer?.refresh();
    else this.stop();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
