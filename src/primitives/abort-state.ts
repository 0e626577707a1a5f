/** What an AbortSignal tells. Making a signal takes microseconds; whoever has one to hand may hand in that. */
export type AbortState = Pick<
  AbortSignal,
  "aborted" | "reason" | "throwIfAborted" | "addEventListener" | "removeEventListener"
>;
