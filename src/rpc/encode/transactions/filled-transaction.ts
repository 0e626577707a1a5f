/** An unsigned transaction as JSON: the answer of eth_fillTransaction. */
import { ACCESS_LIST_TYPE } from "../../../chainspec/transaction/transaction-fields.ts";
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import type { FilledTransaction } from "../../../services/submit/own-transactions.ts";
import { arrayOf, named, object, orNull } from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, HASH, QUANTITY } from "../../openrpc/primitives.ts";
import type { FilledTransaction as FilledTransactionJson } from "../../wire-types.generated.ts";
import { accessListEntrySchema, authorizationSchema, encodeAccessList, encodeTypedMembers } from "./transaction.ts";

export const unsignedTransactionSchema = named("UnsignedTransaction", () =>
  object(
    {
      type: QUANTITY,
      chainId: QUANTITY,
      from: ADDRESS,
      nonce: QUANTITY,
      to: orNull(ADDRESS),
      gas: QUANTITY,
      gasPrice: QUANTITY,
      value: QUANTITY,
      input: DATA,
    },
    {
      maxFeePerGas: QUANTITY,
      maxPriorityFeePerGas: QUANTITY,
      maxFeePerBlobGas: QUANTITY,
      blobVersionedHashes: arrayOf(HASH),
      accessList: arrayOf(accessListEntrySchema),
      authorizationList: arrayOf(authorizationSchema),
    },
  ),
);

export const filledTransactionSchema = named("FilledTransaction", () =>
  object({ raw: DATA, tx: unsignedTransactionSchema }),
);

/** The result of `eth_fillTransaction`. `raw` is the bytes to sign. */
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
      ...(unsigned.type >= ACCESS_LIST_TYPE ? { accessList: encodeAccessList(unsigned.accessList) } : {}),
      ...encodeTypedMembers(unsigned),
    },
  };
}
