/** Errors for states that a chain does not have: older than its state file, or deleted. */
import { NotFoundError } from "../../errors/hindcast-error.ts";

/** Name of the store's setting that holds the number of the first block whose state is there. */
export const OLDEST_STATE = "oldestState";

/** The error for a state that a rollback deleted while its block is still referred to. */
export function stateDeleted(number: bigint): NotFoundError {
  return new NotFoundError({
    code: "STATE_NOT_AVAILABLE",
    what: `The state of block ${number} is not available.`,
    where: "The block was reverted, and no snapshot leads to it.",
    fix: "Query a block of the chain, or take a snapshot before going back.",
  });
}

/** The error for a state before the oldest. */
export function stateNotAvailable(number: bigint, oldest: bigint): NotFoundError {
  return new NotFoundError({
    code: "STATE_NOT_AVAILABLE",
    what: `The state after block ${number} is not available.`,
    where: `The chain was loaded from a file whose oldest state is that of block ${oldest}.`,
    fix: "Query a later block.",
  });
}
