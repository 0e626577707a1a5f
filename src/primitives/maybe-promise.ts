/**
 * A value, or a promise of one. Values that are available are not wrapped, because awaiting takes a turn of the event
 * loop.
 */
export type MaybePromise<T> = T | Promise<T>;
