/** The error for bytes or fields that are not a valid transaction. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";

/** @param reason - completes a sentence about the transaction, such as "its nonce has leading zeros" */
export function undecodable(reason: string, cause?: unknown): InvalidParamsError {
  return new InvalidParamsError({
    code: "UNDECODABLE_TRANSACTION",
    what: `Transaction is not in valid format: ${reason}.`,
    cause,
  });
}
