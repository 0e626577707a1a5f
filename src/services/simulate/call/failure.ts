/** Builds the errors of executions that failed, in geth's words, and of those that could not begin. */
import { ExecutionError, RevertError, TransactionRejectedError } from "../../../errors/hindcast-error.ts";
import type { FrameError } from "../../../evm/frames.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { revertReasonText } from "../../../primitives/revert-reason.ts";
import { gethErrorText } from "../../../tracer/formats/geth-errors.ts";
import { boundReached, type GasBound, textAtBound } from "./gas-bound.ts";

/** Parts of an error that its outcome does not have. */
export interface FailureDetails {
  /** Makes the Solidity stack trace; undefined if none is known. */
  readonly stack?: (() => string | undefined) | undefined;
  /** Appends the stack trace to the message; default false. */
  readonly hasStackInMessage?: boolean | undefined;
  /** `error.data` if the execution halted without reverting; default none. */
  readonly haltData?: "0x" | undefined;
}

/** A failed execution, and if it is a call, the bound that its gas was at. */
export type FailedOutcome = Pick<TransactionOutcome, "detail" | "output"> & { readonly bound?: GasBound | undefined };

/** The error for a failed execution. */
export function failureOf(
  error: FrameError,
  outcome: FailedOutcome,
  { stack, hasStackInMessage = false, haltData }: FailureDetails = {},
): ExecutionError {
  const { detail, output } = outcome;
  const known = stack === undefined ? {} : { solidityStack: stack };
  const shown = hasStackInMessage ? stack?.() : undefined;
  const lines = shown === undefined ? "" : `\n${shown}`;
  if (error !== "reverted") {
    const text = gethErrorText(error, detail);
    const parts = { code: "EXECUTION_FAILED", data: haltData, values: { halt: error }, ...known } as const;
    const bound = boundReached(error, outcome);
    // The stack trace's lines are the last of the message.
    if (lines !== "") return new ExecutionError({ ...parts, what: `${textAtBound(text, bound)}${lines}` });
    return new ExecutionError({ ...parts, what: text, ...bound });
  }
  const reason = revertReasonText(output);
  const what = reason === undefined ? "execution reverted" : `execution reverted: ${reason}`;
  return new RevertError({ code: "EXECUTION_REVERTED", what: `${what}${lines}`, data: encodeData(output), ...known });
}

/**
 * For the rejection of a call or transaction that is traced: the same error under the code of the request.
 *
 * @param before - text before its own
 */
export function rejectedAs(code: "TRACING_FAILED" | "TRACE_NOT_EXECUTABLE", before: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof TransactionRejectedError)) throw error;
    const { where, fix } = error;
    throw new TransactionRejectedError({
      code,
      what: `${before}${error.what}`,
      ...(where === undefined ? {} : { where }),
      ...(fix === undefined ? {} : { fix }),
      cause: error,
    });
  };
}
