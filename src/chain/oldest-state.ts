/** States that a chain does not have, because the file it came from had only newer ones. */
import { NotFoundError } from "../errors/hindcast-error.ts";

/** Name of the store's setting that holds the number of the first block whose state is there. */
export const OLDEST_STATE = "oldestState";

/** The error for a state before the oldest. */
export function stateNotAvailable(number: bigint, oldest: bigint): NotFoundError {
  return new NotFoundError({
    code: "STATE_NOT_AVAILABLE",
    what: `The state after block ${number} is not available.`,
    where: `The chain was loaded from a file whose oldest state is that of block ${oldest}.`,
    fix: "Query a later block.",
  });
}
