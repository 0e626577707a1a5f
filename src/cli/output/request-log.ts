/** A line per answered request, on standard output: when, which method, and what went wrong. */
import { createColors } from "picocolors";
import { pino } from "pino";

/** The part of an error that is logged: what the client was told. */
export interface LoggedError {
  /** JSON-RPC number */
  readonly rpcCode: number;
  readonly rpcMessage: string;
}

/** Called for each answered request; each request of a batch is one. */
export type RequestLog = (method: string, error: LoggedError | undefined) => void;

export interface LogOutput {
  write(text: string): unknown;
}

/** Longer texts are cut: a revert reason or a parameter may be as long as its sender likes. */
const MAX_TEXT_LENGTH = 300;

/**
 * A function that writes requests to `output`.
 *
 * Lines are made in this process, without pino's worker threads, so that none is lost when it ends.
 */
export function createRequestLog(output: LogOutput, hasColors = false): RequestLog {
  const colors = createColors(hasColors);
  const format = (line: string): string => {
    const { time, method, code, error } = JSON.parse(line) as LoggedRequest;
    const clock = colors.dim(new Date(time).toISOString().slice(11, 23));
    const outcome = error === undefined ? "" : ` ${colors.red(`${code} ${printable(error)}`)}`;
    // What could not be read has no method.
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

/** Text of a client on one line, without the characters that control a terminal. */
function printable(text: string): string {
  const shortened = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
  return shortened.replace(/\p{Cc}+/gu, " ");
}
