/** The refusal of bytes or fields that make no transaction. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";

/** @param reason - the end of a sentence about the transaction, such as "its nonce has leading zeros" */
export function undecodable(reason: string, cause?: unknown): InvalidParamsError {
  return new InvalidParamsError({
    code: "UNDECODABLE_TRANSACTION",
    what: `Transaction is not in valid format: ${reason}.`,
    cause,
  });
}
