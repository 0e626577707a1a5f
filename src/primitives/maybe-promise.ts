/**
 * A value, or a promise of one. Values that are available are not wrapped, because awaiting takes a turn of the event
 * loop.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Uses a value: at once if it is available, else as soon as it is. */
export function after<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(use) : use(value);
}
