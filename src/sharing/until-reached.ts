/** Tries again while a writer or a log cannot be reached. */
import { RemoteError } from "../errors/hindcast-error.ts";
import { pause } from "../primitives/platform/turns.ts";

/** Milliseconds after the first failure in which it has to answer again. */
const LIMIT_MS = 10_000;
/** Milliseconds between two attempts. */
const PAUSE_MS = 200;

/**
 * Does a task again while what it asks cannot be reached. The task may run several times, also if it had its effect.
 *
 * @param signal - ends the attempts
 * @throws {RemoteError} its last one, if none of the attempts of ten seconds succeeds; any other error at once
 */
export async function untilReached<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  let end: number | undefined;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      end ??= performance.now() + LIMIT_MS;
      if (!(error instanceof RemoteError) || signal.aborted || performance.now() > end) throw error;
      await pause(PAUSE_MS);
    }
  }
}
