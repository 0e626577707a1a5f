/** Errors of methods as those that clients get. */
import { HindcastError, InternalError, LimitError } from "../../errors/hindcast-error.ts";
import type { CallContext } from "../method.ts";

/** Any error that is not a {@link HindcastError} is a bug of ours: the answer asks for a report. */
export function asHindcastError(error: unknown, method: string, call: CallContext): HindcastError {
  if (error instanceof HindcastError) return error;
  if (call.signal.aborted && error === call.signal.reason) {
    return new LimitError({ code: "EXECUTION_ABORTED", what: `${method} was aborted by its caller.`, cause: error });
  }
  return new InternalError({
    code: "INTERNAL_ERROR",
    what: `${method} failed unexpectedly: ${error instanceof Error ? error.message : String(error)}.`,
    fix: "Please report this with the request that caused it.",
    cause: error,
  });
}
