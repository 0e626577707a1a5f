/** Waits for what a node cannot start without: the writer that it follows, or PostgreSQL. */
import { RemoteError } from "../errors/hindcast-error.ts";
import { SaidOnce } from "./output/said-once.ts";

const AWAY: ReadonlySet<string> = new Set(["WRITER_UNREACHABLE", "SHARED_LOG_UNREACHABLE"]);

/** Whom to tell, and how the wait ends. */
export interface Waiting {
  readonly stop: AbortSignal;
  /** Called with a sentence, once for each reason. */
  readonly noticed: (text: string) => void;
}

/**
 * Starts a node, again and again while the writer or PostgreSQL cannot be reached: those that start several at once do not
 * say in which order.
 *
 * @param start - tries for some seconds each time
 * @returns undefined if it was stopped meanwhile
 */
export async function whenReachable<Result>(
  start: () => Promise<Result>,
  { stop, noticed }: Waiting,
): Promise<Result | undefined> {
  const problems = new SaidOnce(noticed);
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof RemoteError) || !AWAY.has(error.code)) throw error;
      problems.say(`${error.message} Waiting for it.`);
      if (stop.aborted) return undefined;
    }
  }
}
