/** A value that is there at once where it can be, so that nobody waits a turn of the event loop for nothing. */
export type MaybePromise<T> = T | Promise<T>;
