/** Words of errors in the answers of other development nodes. */
import type { ErrorCode } from "../../errors/catalogue.ts";
import type { ErrorWords, HindcastError } from "../../errors/hindcast-error.ts";

/** The words of a client for an error; undefined if it keeps its own. */
export type Wording = (error: HindcastError, method: string) => ErrorWords | undefined;

/** The words for each code of the catalogue for which a client has its own. */
export type WordsByCode = Readonly<Partial<Record<ErrorCode, Wording>>>;

/** The wording of a client. */
export function wordingOf(words: WordsByCode): Wording {
  return (error, method) => words[error.code]?.(error, method);
}

/** The lines of a stack trace that the message was asked to have. */
export function stackLines({ what }: HindcastError): string {
  const end = what.indexOf("\n");
  return end < 0 ? "" : what.slice(end);
}
