/** Requests of one connection that wait or run, and a limit for those of all connections together. */

/** Bytes that a request is counted with beside its text, for the values read from it and the answer being made. */
const BYTES_PER_REQUEST = 64 * 1024;

/** Bytes of the requests that all connections of a server have sent and that are not yet answered. */
export class RequestsInHand {
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes - beyond it a connection that has a running request is not read */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isFull(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }
}

/** The limit of requests that run at a time, and the function that runs them. */
export interface RequestQueueOptions {
  /** Most concurrent requests of the connection. */
  readonly maxConcurrentRequests: number;
  readonly inHand: RequestsInHand;
  /** True while no further request may start because earlier answers were not read. */
  readonly isHeld: () => boolean;
  /** Answers a request. Never rejects. */
  readonly serve: (text: string) => Promise<void>;
  /** Called whenever a request has ended. */
  readonly onEnd: () => void;
}

/** One for each connection. Requests start in the order in which they came. */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  /** Requests that had been read before reading paused. */
  readonly #waiting: string[] = [];
  #running = 0;

  constructor(options: RequestQueueOptions) {
    this.#options = options;
  }

  /** True if no request waits or runs. */
  get isEmpty(): boolean {
    return this.#running === 0 && this.#waiting.length === 0;
  }

  /** True if no further request may start. A connection may always have one, so that it is never forgotten. */
  get isFull(): boolean {
    const { maxConcurrentRequests, inHand, isHeld } = this.#options;
    return isHeld() || (this.#running > 0 && (this.#running >= maxConcurrentRequests || inHand.isFull));
  }

  push(text: string): void {
    this.#options.inHand.add(weight(text));
    this.#waiting.push(text);
    this.startNext();
  }

  /** Forgets the requests that wait. */
  clear(): void {
    for (const text of this.#waiting) this.#options.inHand.add(-weight(text));
    this.#waiting.length = 0;
  }

  /** Starts the requests that may start. To be called when answers were read. */
  startNext(): void {
    while (!this.isFull) {
      const text = this.#waiting.shift();
      if (text === undefined) return;
      void this.#run(text);
    }
  }

  async #run(text: string): Promise<void> {
    this.#running++;
    await this.#options.serve(text);
    this.#running--;
    this.#options.inHand.add(-weight(text));
    this.startNext();
    this.#options.onEnd();
  }
}

const weight = (text: string): number => text.length + BYTES_PER_REQUEST;
