/** The transaction that takes a waiting one's place (`eth_resend`). */
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import { BLOB_TYPE, FEE_MARKET_TYPE } from "../../chainspec/transaction/transaction-fields.ts";
import { InvalidParamsError, NotFoundError } from "../../errors/hindcast-error.ts";
import { checksumAddress } from "../../primitives/address.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";

/** New members of a waiting transaction; undefined and 0 leave the old ones. */
export interface ResendChanges {
  /** wei. A transaction with a fee cap takes it as fee cap and as tip. */
  readonly gasPrice?: bigint | undefined;
  readonly gasLimit?: bigint | undefined;
}

/**
 * The waiting transaction that a call describes, with other fees or gas.
 *
 * @param call - needs a nonce; each other member that it names must be the waiting transaction's
 * @throws {InvalidParamsError} `INVALID_PARAMS` without a nonce
 * @throws {NotFoundError} `TRANSACTION_NOT_FOUND` if no such transaction waits
 */
export function resentCall(
  pool: TxPool,
  { sender, call }: { readonly sender: Bytes; readonly call: CallRequest },
  { gasPrice, gasLimit }: ResendChanges,
): CallRequest {
  const { nonce } = call;
  if (nonce === undefined) {
    const what = "missing transaction nonce in transaction spec";
    throw new InvalidParamsError({ code: "INVALID_PARAMS", what, fix: "Name the nonce.", rpcCode: -32000 });
  }
  const waiting = pool.bySenderAndNonce(sender, nonce);
  if (waiting === undefined || !isDescribedBy(waiting, call)) throw notWaiting(sender, nonce, waiting);
  return {
    from: sender,
    to: waiting.to,
    value: waiting.value,
    data: waiting.data,
    nonce,
    type: BigInt(waiting.type),
    accessList: waiting.accessList,
    gasLimit: gasLimit || waiting.gasLimit,
    ...feesOf(waiting, gasPrice || undefined),
    ...(waiting.authorizations.length === 0 ? {} : { authorizations: waiting.authorizations }),
    ...(waiting.type === BLOB_TYPE ? { blobVersionedHashes: waiting.blobVersionedHashes } : {}),
  };
}

function feesOf({ type, maxFeePerGas, maxPriorityFeePerGas }: Transaction, price: bigint | undefined): CallRequest {
  if (type < FEE_MARKET_TYPE) return { gasPrice: price ?? maxFeePerGas };
  return { maxFeePerGas: price ?? maxFeePerGas, maxPriorityFeePerGas: price ?? maxPriorityFeePerGas };
}

/** False if a member that the call names is another one in the transaction. */
function isDescribedBy(tx: Transaction, call: CallRequest): boolean {
  const numbers = [
    [call.value, tx.value],
    [call.gasLimit, tx.gasLimit],
    [call.gasPrice, tx.maxFeePerGas],
    [call.maxFeePerGas, tx.maxFeePerGas],
    [call.maxPriorityFeePerGas, tx.maxPriorityFeePerGas],
  ] as const;
  const texts = [
    [call.to, tx.to],
    [call.data, tx.data],
  ] as const;
  return (
    numbers.every(([named, actual]) => named === undefined || named === actual) &&
    texts.every(([named, actual]) => named === undefined || (actual !== undefined && equalBytes(named, actual)))
  );
}

function notWaiting(sender: Bytes, nonce: bigint, other: Transaction | undefined): NotFoundError {
  const place = `${checksumAddress(sender)} with nonce ${nonce}`;
  return new NotFoundError({
    code: "TRANSACTION_NOT_FOUND",
    what:
      other === undefined
        ? `transaction not found: none of ${place} waits`
        : `transaction not found: that of ${place} has other members`,
    fix: "txpool_contentFrom lists what waits. A mined transaction cannot be sent again.",
    rpcCode: -32000,
  });
}
