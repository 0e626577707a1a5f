/**
 * The members of an AbortSignal that are read here. Any AbortSignal has them; a plain object with them is much cheaper to make.
 * They are named one by one, since AbortSignal itself is declared by the platform's types, which a program need not have.
 */
export interface AbortState {
  readonly aborted: boolean;
  /** What `abort()` was given; any value. */
  readonly reason: unknown;
  /** @throws what `abort()` was given */
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
