/** Words of errors in the answers of other development nodes, and the parts of revert data that they are made of. */
import type { ErrorCode } from "../../errors/catalogue.ts";
import type { ErrorWords, HindcastError } from "../../errors/hindcast-error.ts";
import { decodeData } from "../../primitives/bytes/hex.ts";
import { panicCodeOf, revertReasonText } from "../../primitives/revert-reason.ts";

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

/** Revert data, read. */
export type RevertData =
  | { readonly kind: "empty" }
  | { readonly kind: "reason"; readonly text: string }
  | { readonly kind: "panic"; readonly code: bigint; readonly text: string }
  | { readonly kind: "other" };

/** @param data - DATA, as it is the data of the error */
export function readRevertData(data: unknown): RevertData {
  const bytes = typeof data === "string" ? decodeData(data) : new Uint8Array();
  if (bytes.length === 0) return { kind: "empty" };
  const text = revertReasonText(bytes);
  if (text === undefined) return { kind: "other" };
  const code = panicCodeOf(bytes);
  return code === undefined ? { kind: "reason", text } : { kind: "panic", code, text };
}
