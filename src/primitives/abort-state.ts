/**
 * The members of an AbortSignal that are read here. Any AbortSignal will do; an object of this form takes a fraction of the
 * microseconds that a signal takes to make.
 */
export type AbortState = Pick<
  AbortSignal,
  "aborted" | "reason" | "throwIfAborted" | "addEventListener" | "removeEventListener"
>;
