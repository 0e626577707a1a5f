/** A call from the moment it is requested until it has a result or an error. */
import type { RequestOptions, UpstreamCall } from "../upstream.ts";
import type { Endpoint } from "./endpoint.ts";

export class PendingCall implements UpstreamCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly promise: Promise<unknown>;
  /** How long a node that lags is given, milliseconds. */
  readonly lagMs: number;
  /** Nodes that cannot answer it. */
  readonly unable = new Set<Endpoint>();
  /** Times that it was sent and failed, the pace aside. */
  attempts = 0;
  /** Times that it was refused for the length of its message. */
  splits = 0;
  /** Milliseconds; when it first met a node that did not know its block. */
  laggingSince: number | undefined;
  readonly #onSettled: (() => void)[] = [];
  #isSettled = false;
  // The promise sets both before the constructor ends.
  #resolve: (result: unknown) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  /** The call is rejected with the reason of the signal when that fires. */
  constructor({ method, params }: UpstreamCall, { signal, lagMs }: RequestOptions & { readonly lagMs: number }) {
    this.lagMs = lagMs;
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

  /** Ends the call; nothing happens where it has ended. */
  resolve(result: unknown): void {
    if (this.#settle()) this.#resolve(result);
  }

  /** Ends the call; nothing happens where it has ended. */
  reject(error: unknown): void {
    if (this.#settle()) this.#reject(error);
  }

  /** Runs a function when the call ends. */
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
