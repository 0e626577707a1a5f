/** Receipts as JSON. */

import { BLOB_GAS_PER_BLOB } from "../../../chainspec/header/fees.ts";
import { encodeReceipt } from "../../../chainspec/transaction/receipt.ts";
import { effectiveGasPrice } from "../../../chainspec/transaction/transaction.ts";
import { BLOB_TYPE } from "../../../chainspec/transaction/transaction-fields.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { FoundReceipt } from "../../../services/query/block-queries.ts";
import type { FoundLog } from "../../../services/query/log-queries.ts";
import { arrayOf, named, object, orNull } from "../../openrpc/json-schema.ts";
import { ADDRESS, BLOOM, HASH, QUANTITY } from "../../openrpc/primitives.ts";
import type { Receipt } from "../../wire-types.generated.ts";
import { encodeShownDimensions, GAS_DIMENSIONS } from "../gas-dimensions.ts";
import { listText, membersText, objectText, type Text, valueText } from "../stream/text.ts";
import { encodeLogs, logSchema, logsText } from "./log.ts";

/** Members of every receipt, except its logs and their bloom. */
export const RECEIPT_MEMBERS = {
  blockHash: HASH,
  blockNumber: QUANTITY,
  contractAddress: orNull(ADDRESS),
  cumulativeGasUsed: QUANTITY,
  effectiveGasPrice: QUANTITY,
  from: ADDRESS,
  gasUsed: QUANTITY,
  to: orNull(ADDRESS),
  transactionHash: HASH,
  transactionIndex: QUANTITY,
  type: QUANTITY,
};

/** Members that some receipts lack, by hardfork or by type. */
export const OPTIONAL_RECEIPT_MEMBERS = {
  status: QUANTITY,
  root: HASH,
  blobGasUsed: QUANTITY,
  blobGasPrice: QUANTITY,
  ...GAS_DIMENSIONS,
};

export const receiptSchema = named("Receipt", () =>
  object({ ...RECEIPT_MEMBERS, logs: arrayOf(logSchema), logsBloom: BLOOM }, OPTIONAL_RECEIPT_MEMBERS),
);

/** The receipt's bytes in the receipts trie, as DATA. */
export function encodeReceiptBytes({ receipt }: FoundReceipt): Hex {
  return encodeData(encodeReceipt(receipt));
}

/**
 * A receipt, with `root` before Byzantium and `status` from then on. A receipt of the forked chain is shown as the
 * upstream node sent it.
 */
export function encodeReceiptJson(found: FoundReceipt): Receipt {
  const { given } = found.receipt;
  return given === undefined ? encodeMembers(found, encodeLogs(logsOf(found))) : (given as unknown as Receipt);
}

/** Logs up to which a receipt is made as a whole, which takes less time. */
const FEW_LOGS = 1_000;

/** The same as JSON text. */
export function receiptText(found: FoundReceipt): Text {
  const { given, logs } = found.receipt;
  if (given !== undefined || logs.length <= FEW_LOGS) return valueText(encodeReceiptJson(found));
  return objectText(membersText(encodeMembers(found, []), { logs: logsText(logsOf(found)) }));
}

/** A list of receipts as JSON text. */
export function receiptsText(receipts: Iterable<FoundReceipt>): Text {
  return listText(receipts, receiptText);
}

function* logsOf({ tx, view: { block }, receipt, index: txIndex, firstLogIndex }: FoundReceipt): Generator<FoundLog> {
  for (const [position, log] of receipt.logs.entries()) {
    const logIndex = firstLogIndex + position;
    yield { log, block, isPending: false, txHash: tx.hash, txIndex, logIndex, removed: false };
  }
}

function encodeMembers(found: FoundReceipt, logs: Receipt["logs"]): Receipt {
  const { tx, view, receipt, index } = found;
  const { block } = view;
  return {
    blockHash: encodeData(block.hash),
    blockNumber: encodeQuantity(block.header.number),
    contractAddress: receipt.contractAddress === undefined ? null : encodeData(receipt.contractAddress),
    cumulativeGasUsed: encodeQuantity(receipt.cumulativeGasUsed),
    effectiveGasPrice: encodeQuantity(effectiveGasPrice(tx, block.header.baseFeePerGas)),
    from: encodeData(tx.sender),
    gasUsed: encodeQuantity(found.gasUsed),
    logs,
    logsBloom: encodeData(receipt.logsBloom),
    ...(receipt.stateRoot === undefined
      ? { status: receipt.status === true ? "0x1" : "0x0" }
      : { root: encodeData(receipt.stateRoot) }),
    to: tx.to === undefined ? null : encodeData(tx.to),
    transactionHash: encodeData(tx.hash),
    transactionIndex: encodeQuantity(index),
    type: encodeQuantity(receipt.type),
    ...(tx.type === BLOB_TYPE
      ? {
          blobGasUsed: encodeQuantity(BLOB_GAS_PER_BLOB * BigInt(tx.blobVersionedHashes.length)),
          blobGasPrice: encodeQuantity(view.context.blobBaseFee ?? 0n),
        }
      : {}),
    ...encodeShownDimensions(receipt.dimensions),
  };
}
