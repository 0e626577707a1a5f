/** Errors of runs that exceed a limit or are aborted. */
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

/**
 * @param limit - bytes
 * @param flag - raises the limit; null if the limit is the `maxBytes` of a program
 */
export function recordedTooMuch(limit: number, flag: "--recording-memory" | null, where?: string): LimitError {
  const place = where === undefined ? {} : { where };
  const raised =
    flag === null ? ", or raise maxBytes" : ", or raise it with --recording-memory or limits.recordingMemory";
  return new LimitError({
    code: "RECORDING_LIMIT",
    what: `The trace takes more than the ${limit} bytes that may be recorded of one execution.`,
    ...place,
    fix: `Ask for less of it (callTracer with onlyTopCall, no memory, no steps), or give the call less gas${raised}.`,
    data: { limit, flag },
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
