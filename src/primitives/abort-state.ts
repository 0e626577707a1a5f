/**
 * The members of an AbortSignal that are read here. Any AbortSignal has them; a plain object with them is much cheaper to make.
 * They are named one by one, since AbortSignal itself is declared by the platform's types, which a program need not have.
 */
export interface AbortState {
  readonly aborted: boolean;
  /** The value that `abort()` was given; any. */
  readonly reason: unknown;
  /** @throws what `abort()` was given */
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * A state that can be aborted, by itself or with another one that it follows. An AbortSignal is made only for a listener,
 * because it is costly and most requests need none.
 */
export class AbortSwitch implements AbortState {
  readonly #followed: AbortState | undefined;
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  constructor(followed?: AbortState) {
    this.#followed = followed;
  }

  get aborted(): boolean {
    return this.#reason !== undefined || this.#followed?.aborted === true;
  }

  get reason(): unknown {
    return this.#reason ?? this.#followed?.reason;
  }

  throwIfAborted(): void {
    if (this.#reason !== undefined) throw this.#reason;
    this.#followed?.throwIfAborted();
  }

  /** True if anybody has listened. */
  get isHeard(): boolean {
    return this.#controller !== undefined;
  }

  /** The listener is called once for each of the two states that aborts. */
  addEventListener(...listener: Parameters<AbortState["addEventListener"]>): void {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    this.#controller.signal.addEventListener(...listener);
    this.#followed?.addEventListener(...listener);
  }

  removeEventListener(...listener: Parameters<AbortState["removeEventListener"]>): void {
    this.#controller?.signal.removeEventListener(...listener);
    this.#followed?.removeEventListener(...listener);
  }

  /** Aborts. Only the first reason counts. */
  abort(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
  }
}
