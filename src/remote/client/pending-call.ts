/** A call that has no result yet. */
import type { RequestOptions, UpstreamCall } from "../upstream.ts";
import type { Endpoint } from "./endpoint.ts";

/** Lives until its caller has an answer, over all repetitions. */
export class PendingCall implements UpstreamCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly promise: Promise<unknown>;
  /** Milliseconds that a lagging node gets to learn of a block. */
  readonly lagMs: number;
  /** Nodes that cannot answer it. */
  readonly unable = new Set<Endpoint>();
  /** Number of failed attempts, except those refused for the pace. */
  attempts = 0;
  /** Number of refusals for the length of its message. */
  splits = 0;
  /** Number of times that it waited for a node to learn of its block. */
  lags = 0;
  readonly #onAnsweredBy: RequestOptions["onAnsweredBy"];
  readonly #onSettled: (() => void)[] = [];
  #isSettled = false;
  // The promise sets both synchronously.
  #resolve: (result: unknown) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  /** If the signal aborts, the call is rejected with its reason. */
  constructor({ method, params }: UpstreamCall, options: RequestOptions & { readonly lagMs: number }) {
    const { signal, lagMs, onAnsweredBy } = options;
    this.lagMs = lagMs;
    this.#onAnsweredBy = onAnsweredBy;
    this.method = method;
    this.params = params;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (signal === undefined) return;
    const stop = (): void => this.reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    this.#onSettled.push(() => signal.removeEventListener("abort", stop));
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Resolves the call, unless it has ended. @param label - of the node that answered */
  resolve(result: unknown, label: string): void {
    if (!this.#settle()) return;
    this.#onAnsweredBy?.(label);
    this.#resolve(result);
  }

  /** Rejects the call, unless it has ended. */
  reject(error: unknown): void {
    if (this.#settle()) this.#reject(error);
  }

  /** Calls a function when the call ends. */
  onSettled(run: () => void): void {
    this.#onSettled.push(run);
  }

  #settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    for (const run of this.#onSettled.splice(0)) run();
    return true;
  }
}
