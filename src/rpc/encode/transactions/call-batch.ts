/** Batches of calls as JSON (EIP-5792). */
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { FoundReceipt } from "../../../services/query/block-queries.ts";
import type { BatchStatus, WalletCapabilities } from "../../../services/submit/call-batches.ts";
import { arrayOf, BOOLEAN, INTEGER, named, object, TEXT } from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, HASH, QUANTITY } from "../../openrpc/primitives.ts";
import type { CallBatchStatus } from "../../wire-types.generated.ts";

export const callBatchStatusSchema = named("CallBatchStatus", () =>
  object({
    version: TEXT,
    id: TEXT,
    chainId: QUANTITY,
    status: INTEGER,
    atomic: BOOLEAN,
    receipts: arrayOf(
      object({
        logs: arrayOf(object({ address: ADDRESS, data: DATA, topics: arrayOf(HASH) })),
        status: QUANTITY,
        blockHash: HASH,
        blockNumber: QUANTITY,
        gasUsed: QUANTITY,
        transactionHash: HASH,
      }),
    ),
  }),
);

/** Receipts have the members of EIP-5792 only. */
export function encodeBatchStatus(batch: BatchStatus<FoundReceipt>): CallBatchStatus {
  return {
    version: "2.0.0",
    id: batch.id,
    chainId: encodeQuantity(batch.chainId),
    status: batch.status,
    atomic: batch.isAtomic,
    receipts: batch.receipts.map(encodeReceipt),
  };
}

function encodeReceipt({ receipt, view, tx, gasUsed }: FoundReceipt): NonNullable<CallBatchStatus["receipts"]>[number] {
  const { block } = view;
  return {
    logs: receipt.logs.map(({ address, data, topics }) => ({
      address: encodeData(address),
      data: encodeData(data),
      topics: topics.map(encodeData),
    })),
    status: receipt.status === false ? "0x0" : "0x1",
    blockHash: encodeData(block.hash),
    blockNumber: encodeQuantity(block.header.number),
    gasUsed: encodeQuantity(gasUsed),
    transactionHash: encodeData(tx.hash),
  };
}

/** Capabilities by chain; none if the caller asked for other chains only. */
export function encodeCapabilities(
  capabilities: WalletCapabilities | undefined,
): Record<Hex, { atomic: { status: "supported" | "unsupported" } }> {
  if (capabilities === undefined) return {};
  const { chainId, isAtomic } = capabilities;
  return { [encodeQuantity(chainId)]: { atomic: { status: isAtomic ? "supported" : "unsupported" } } };
}
