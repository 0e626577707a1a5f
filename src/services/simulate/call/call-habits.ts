/** Behaviours of calls in which development nodes differ. */
import { type CallRequest, checkCreation } from "../../../chainspec/transaction/call-request.ts";
import { TransactionRejectedError } from "../../../errors/hindcast-error.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";

/** Sender of calls that name none, and calls that are refused. */
export interface CallHabits {
  /** Sender of a call that names none; undefined for the zero address. */
  readonly sender: () => Bytes | undefined;
  /** Calls with blobs; those with hashes of blobs alone run. */
  readonly blobCalls: "run" | "refused";
  /** Calls with neither `to` nor data. */
  readonly emptyCalls: "run" | "refused";
}

/** Those of geth. */
const GETH_CALLS: CallHabits = { sender: () => undefined, blobCalls: "run", emptyCalls: "run" };

/**
 * The call, with a sender if it names none and there is one.
 *
 * @throws {TransactionRejectedError} `BLOB_TRANSACTION_INVALID` for blobs, if they are refused
 * @throws {InvalidParamsError} `TRANSACTION_INCONSISTENT` for a creation without data, if those are refused
 */
export function adapted(habits: CallHabits | undefined, call: CallRequest): CallRequest {
  const { sender, blobCalls, emptyCalls } = habits ?? GETH_CALLS;
  if (call.blobMember !== undefined && blobCalls === "refused") {
    throw new TransactionRejectedError({
      code: "BLOB_TRANSACTION_INVALID",
      what: "calls with blobs are not supported in this dialect",
      values: { isCall: true },
    });
  }
  if (emptyCalls === "refused") checkCreation(call);
  if (call.from !== undefined) return call;
  const from = sender();
  return from === undefined ? call : { ...call, from };
}
