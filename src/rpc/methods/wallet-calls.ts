/** wallet_*: batches of calls, as a dapp sends them through a wallet (EIP-5792). */
import { nothing } from "../encode/shape.ts";
import { callBatchStatusSchema, encodeBatchStatus, encodeCapabilities } from "../encode/transactions/call-batch.ts";
import { POOL, REJECTIONS, STOPPED } from "../errors.ts";
import { method, optional, required } from "../method.ts";
import { mapOf, NULL, object, TEXT } from "../openrpc/json-schema.ts";
import { batchId, chainIds, checkCapabilities, sentCalls } from "../schema/call-batch.ts";
import { address } from "../schema/primitives.ts";

export const getCapabilities = method({
  name: "wallet_getCapabilities",
  summary:
    "Capabilities of an account's wallet by chain: atomic batches while the node mines by transaction (EIP-5792).",
  params: [optional("address", address), optional("chainIds", chainIds)],
  result: mapOf(object({ atomic: object({ status: TEXT }) }), "^0x"),
  run: ({ batches, chainId }, [, wanted = [chainId]]) =>
    wanted.includes(chainId) ? batches.capabilities() : undefined,
  encode: encodeCapabilities,
});

export const sendCalls = method({
  name: "wallet_sendCalls",
  summary: "Sends calls of one account: in one block, all or none, while the node mines by transaction (EIP-5792).",
  writes: true,
  params: [required("batch", sentCalls)],
  result: object({ id: TEXT }),
  errors: [
    "BLOCK_NOT_MINABLE",
    "BLOCK_REJECTED",
    "UNSUPPORTED_CAPABILITY",
    "UNSUPPORTED_CHAIN_ID",
    "DUPLICATE_BATCH_ID",
    "BATCH_TOO_LARGE",
    "ATOMICITY_NOT_SUPPORTED",
    "UNKNOWN_ACCOUNT",
    "ACCOUNT_LOCKED",
    "TRANSACTION_INCONSISTENT",
    "EXECUTION_FAILED",
    "EXECUTION_REVERTED",
    "GAS_REQUIRED_EXCEEDS_ALLOWANCE",
    REJECTIONS,
    POOL,
    STOPPED,
  ],
  run: ({ batches }, [{ capabilities, ...batch }]) => {
    checkCapabilities(capabilities);
    return batches.send(batch);
  },
  encode: (id) => ({ id }),
});

export const getCallsStatus = method({
  name: "wallet_getCallsStatus",
  summary: "Status and receipts of a batch of calls (EIP-5792).",
  answeredBy: "writer",
  params: [required("id", batchId)],
  result: callBatchStatusSchema,
  errors: ["UNKNOWN_BATCH_ID"],
  run: ({ batches, blocks }, [id]) => batches.status(id, (hash) => blocks.receipt(hash)),
  encode: encodeBatchStatus,
});

export const showCallsStatus = method({
  name: "wallet_showCallsStatus",
  summary: "Checks that the batch is known; there is no wallet that could show it (EIP-5792).",
  answeredBy: "writer",
  params: [required("id", batchId)],
  result: NULL,
  errors: ["UNKNOWN_BATCH_ID"],
  run: ({ batches }, [id]) => {
    batches.require(id);
  },
  encode: nothing,
});
