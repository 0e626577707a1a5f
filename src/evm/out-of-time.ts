/** Errors of runs that exceed their time limit or are aborted. */
import { LimitError } from "../errors/hindcast-error.ts";

/** @param timeoutMs - the run's time limit */
export function outOfTime(timeoutMs: number): LimitError {
  return new LimitError({
    code: "EXECUTION_TIMEOUT",
    what: `The execution took longer than its limit of ${timeoutMs} ms.`,
    fix: "Raise the time limit, or give the call less gas.",
  });
}

/** @param reason - reason of the caller's signal */
export function aborted(reason: unknown): LimitError {
  return new LimitError({
    code: "EXECUTION_ABORTED",
    what: "The execution was aborted by its caller.",
    cause: reason,
  });
}
