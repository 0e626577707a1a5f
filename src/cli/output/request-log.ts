/** Logs a line per answered request on standard output: time, method and error. */

import { pino } from "pino";
import { terminalColors } from "../../primitives/platform/terminal-colors.ts";

/** The part of an error that is logged: the one that the client gets. */
export interface LoggedError {
  /** JSON-RPC number */
  readonly rpcCode: number;
  readonly rpcMessage: string;
}

/** Called for each answered request, including those in a batch. */
export type RequestLog = (method: string, error: LoggedError | undefined) => void;

/** A stream that lines are written to. */
export interface LogOutput {
  write(text: string): unknown;
}

/** Longer texts are cut: revert reasons and params can be very long. */
const MAX_TEXT_LENGTH = 300;

/**
 * A function that writes requests to `output`.
 *
 * Without pino's worker threads, so that no line is lost when the process ends.
 */
export function createRequestLog(output: LogOutput, hasColors = false): RequestLog {
  const colors = terminalColors(hasColors);
  const format = (line: string): string => {
    const { time, method, code, error } = JSON.parse(line) as LoggedRequest;
    const clock = colors.dim(new Date(time).toISOString().slice(11, 23));
    const outcome = error === undefined ? "" : ` ${colors.red(`${code} ${printable(error)}`)}`;
    // An unreadable request has no method.
    return `${clock} ${printable(method) || "request"}${outcome}\n`;
  };
  const logger = pino({ base: null }, { write: (line: string) => void output.write(format(line)) });
  return (method, error) =>
    logger.info(error === undefined ? { method } : { method, code: error.rpcCode, error: error.rpcMessage });
}

interface LoggedRequest {
  /** milliseconds since 1970 */
  readonly time: number;
  readonly method: string;
  readonly code?: number;
  readonly error?: string;
}

/** A client's text on one line, without control characters. */
function printable(text: string): string {
  const shortened = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
  return shortened.replace(/\p{Cc}+/gu, " ");
}
