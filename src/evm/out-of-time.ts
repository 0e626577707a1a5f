/** Errors of runs that exceed their time limit or are aborted. */
import { LimitError } from "../errors/hindcast-error.ts";

/** The flag of the command that raises a time limit. */
export type TimeoutFlag = "--call-timeout" | "--trace-timeout";

/** @param timeoutMs - the run's time limit */
export function outOfTime(timeoutMs: number, flag: TimeoutFlag): LimitError {
  return new LimitError({
    code: "EXECUTION_TIMEOUT",
    what: `The execution took longer than its limit of ${timeoutMs} ms.`,
    fix: "Raise it with --call-timeout or limits.callTimeoutMs, for traces --trace-timeout or limits.traceTimeoutMs, or give the call less gas.",
    data: { limit: timeoutMs, flag },
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
