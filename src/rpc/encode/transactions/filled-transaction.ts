/** An unsigned transaction as JSON: the answer of eth_fillTransaction. */
import {
  ACCESS_LIST_TYPE,
  BLOB_TYPE,
  FEE_MARKET_TYPE,
  SET_CODE_TYPE,
  type TransactionFields,
} from "../../../chainspec/transaction/transaction-fields.ts";
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import type { FilledTransaction } from "../../../services/submit/own-transactions.ts";
import type { FilledTransaction as FilledTransactionJson, UnsignedTransaction } from "../../wire-types.ts";
import { encodeAccessList, encodeAuthorization } from "./transaction.ts";

/** `raw` is what would be signed. */
export function encodeFilledTransaction({ unsigned, from, chainId, raw }: FilledTransaction): FilledTransactionJson {
  return {
    raw: encodeData(raw),
    tx: {
      type: encodeQuantity(unsigned.type),
      chainId: encodeQuantity(chainId),
      from: encodeData(from),
      nonce: encodeQuantity(unsigned.nonce),
      to: unsigned.to === undefined ? null : encodeData(unsigned.to),
      gas: encodeQuantity(unsigned.gasLimit),
      gasPrice: encodeQuantity(unsigned.maxFeePerGas),
      value: encodeQuantity(unsigned.value),
      input: encodeData(unsigned.data),
      ...typedMembers(unsigned),
    },
  };
}

function typedMembers(unsigned: Omit<TransactionFields, "sender">): Partial<UnsignedTransaction> {
  const { type } = unsigned;
  return {
    ...(type >= ACCESS_LIST_TYPE ? { accessList: encodeAccessList(unsigned.accessList) } : {}),
    ...(type >= FEE_MARKET_TYPE
      ? {
          maxFeePerGas: encodeQuantity(unsigned.maxFeePerGas),
          maxPriorityFeePerGas: encodeQuantity(unsigned.maxPriorityFeePerGas),
        }
      : {}),
    ...(type === BLOB_TYPE
      ? {
          maxFeePerBlobGas: encodeQuantity(unsigned.maxFeePerBlobGas),
          blobVersionedHashes: unsigned.blobVersionedHashes.map(encodeData),
        }
      : {}),
    ...(type === SET_CODE_TYPE ? { authorizationList: unsigned.authorizations.map(encodeAuthorization) } : {}),
  };
}
