/** A line per answered request, on standard output: when, which method, how long, and what went wrong. */
import { createColors } from "picocolors";
import { pino } from "pino";

/** One answered request; each request of a batch is one. */
export interface AnsweredRequest {
  readonly method: string;
  readonly durationMs: number;
  /** JSON-RPC error, if the answer was one. */
  readonly error?: { readonly code: number; readonly message: string } | undefined;
}

export interface LogOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Longer texts are cut: a revert reason or a parameter may be as long as its sender likes. */
const MAX_TEXT_LENGTH = 300;

/**
 * A function that writes requests to `output`.
 *
 * Lines are made in this process, without pino's worker threads, so that none is lost when it ends.
 */
export function createRequestLog(output: LogOutput): (request: AnsweredRequest) => void {
  const colors = createColors(output.isTTY === true);
  const format = (line: string): string => {
    const { time, method, durationMs, error } = JSON.parse(line) as AnsweredRequest & { readonly time: number };
    const clock = colors.dim(new Date(time).toISOString().slice(11, 23));
    const duration = colors.dim(`${durationMs < 10 ? durationMs.toFixed(1) : durationMs.toFixed(0)} ms`);
    const outcome = error === undefined ? "" : ` ${colors.red(`${error.code} ${printable(error.message)}`)}`;
    return `${clock} ${printable(method)} ${duration}${outcome}\n`;
  };
  const logger = pino({ base: null }, { write: (line: string) => void output.write(format(line)) });
  return (request) => logger.info(request);
}

/** Text of a client on one line, without the characters that control a terminal. */
function printable(text: string): string {
  const shortened = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
  return shortened.replace(/\p{Cc}+/gu, " ");
}
