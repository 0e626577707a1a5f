/**
 * The members of an AbortSignal that are read here. Any AbortSignal has them; a plain object with them is much cheaper
 * to make.
 */
export type AbortState = Pick<
  AbortSignal,
  "aborted" | "reason" | "throwIfAborted" | "addEventListener" | "removeEventListener"
>;
