/** Reports requests that take long, while they run. */
import { inBackground, type Timer } from "../../primitives/platform/event-loop.ts";

/** Milliseconds between two checks. A request is reported at each check that finds it running for this long. */
const LOOK_EVERY_MS = 5_000;

interface Running {
  readonly method: string;
  /** Milliseconds, by the clock of {@link performance}. */
  readonly since: number;
}

/** One for each node. Its timer runs while requests do. */
export class SlowRequests {
  readonly #onSlow: (method: string, elapsedMs: number) => void;
  readonly #running = new Set<Running>();
  #timer: Timer | undefined;

  /** @param onSlow - called with a method that has run for five seconds, and every five seconds after that */
  constructor(onSlow: (method: string, elapsedMs: number) => void) {
    this.#onSlow = onSlow;
  }

  /** Registers a running request. Returns a function to call when it ends. */
  begin(method: string): () => void {
    const request: Running = { method, since: performance.now() };
    this.#running.add(request);
    this.#timer ??= inBackground(setInterval(() => this.#look(), LOOK_EVERY_MS));
    return () => this.#running.delete(request);
  }

  #look(): void {
    if (this.#running.size === 0) this.close();
    const now = performance.now();
    for (const { method, since } of this.#running) if (now - since >= LOOK_EVERY_MS) this.#onSlow(method, now - since);
  }

  /** Stops checking until the next request begins. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
