/** The call that runs in the place of a mined transaction. */
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import { ACCESS_LIST_TYPE, BLOB_TYPE, FEE_MARKET_TYPE } from "../../../chainspec/transaction/transaction-fields.ts";

/** A mined transaction with other members. Its type follows from the fees that it states in the end. */
export function replacedCall(tx: Transaction, members: CallRequest): CallRequest {
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  const statesFees = ["gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"].some((name) => name in given);
  return {
    from: tx.sender,
    to: tx.to,
    value: tx.value,
    data: tx.data,
    gasLimit: tx.gasLimit,
    ...(statesFees ? {} : feesOf(tx)),
    ...(tx.type < ACCESS_LIST_TYPE ? {} : { accessList: tx.accessList }),
    ...(tx.type === BLOB_TYPE
      ? { blobVersionedHashes: tx.blobVersionedHashes, maxFeePerBlobGas: tx.maxFeePerBlobGas }
      : {}),
    ...(tx.authorizations.length === 0 ? {} : { authorizations: tx.authorizations }),
    ...given,
  };
}

function feesOf({ type, maxFeePerGas, maxPriorityFeePerGas }: Transaction): CallRequest {
  return type < FEE_MARKET_TYPE ? { gasPrice: maxFeePerGas } : { maxFeePerGas, maxPriorityFeePerGas };
}
