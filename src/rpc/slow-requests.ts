/** Tells of requests that take long, while they run. */

/** Milliseconds between two looks: a request is told of after the first that finds it running, and at each one later. */
const LOOK_EVERY_MS = 5_000;

interface Running {
  readonly method: string;
  /** Milliseconds, by the clock of {@link performance}. */
  readonly since: number;
}

export class SlowRequests {
  readonly #onSlow: (method: string, elapsedMs: number) => void;
  readonly #running = new Set<Running>();
  #timer: NodeJS.Timeout | undefined;

  /** @param onSlow - hears of a method that has run for five seconds, and every five seconds after that */
  constructor(onSlow: (method: string, elapsedMs: number) => void) {
    this.#onSlow = onSlow;
  }

  /** A request begins. Returns what to call at its end. */
  begin(method: string): () => void {
    const request: Running = { method, since: performance.now() };
    this.#running.add(request);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return () => this.#running.delete(request);
  }

  #look(): void {
    if (this.#running.size === 0) this.close();
    const now = performance.now();
    for (const { method, since } of this.#running) if (now - since >= LOOK_EVERY_MS) this.#onSlow(method, now - since);
  }

  /** Looks no more until the next request begins. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
