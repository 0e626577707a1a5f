/** How a run ends that has had its time, wherever it runs. */
import { LimitError } from "../errors/hindcast-error.ts";

/** @param timeoutMs - what the run was given, milliseconds */
export function outOfTime(timeoutMs: number): LimitError {
  return new LimitError({
    code: "EXECUTION_TIMEOUT",
    what: `The execution took longer than its limit of ${timeoutMs} ms.`,
    fix: "Raise the time limit, or give the call less gas.",
  });
}

/** @param reason - what the caller's signal was aborted with */
export function aborted(reason: unknown): LimitError {
  return new LimitError({
    code: "EXECUTION_ABORTED",
    what: "The execution was aborted by its caller.",
    cause: reason,
  });
}
