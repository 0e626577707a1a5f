/** ots_*: the methods of the block explorer Otterscan, API level 8, and the method of Erigon that it calls first. */
import { z } from "zod";
import type { BlockId } from "../../chain/blocks/block-id.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { encodeHeaderOf, headerSchema } from "../encode/blocks/block.ts";
import {
  encodeBlockDetails,
  encodeCreation,
  encodeHistoryPage,
  encodeInternalOperation,
  encodeOtterscanCall,
  encodeTransactionPage,
  otterscanBlockDetailsSchema,
  otterscanCallSchema,
  otterscanCreationSchema,
  otterscanHistoryPageSchema,
  otterscanOperationSchema,
  otterscanTransactionPageSchema,
} from "../encode/otterscan.ts";
import { asIs, list, nullable } from "../encode/shape.ts";
import { listText, wholeText } from "../encode/stream/text.ts";
import { NO_STATE, numbered, STOPPED } from "../errors.ts";
import { method, required } from "../method.ts";
import { arrayOf, BOOLEAN, INTEGER, orNull } from "../openrpc/json-schema.ts";
import { DATA, HASH } from "../openrpc/primitives.ts";
import { address, blockHash, blockId, blockNumberOrTag, hash, integerOrQuantity } from "../schema/primitives.ts";
import { EXAMPLE } from "./example-chain.ts";

/** Otterscan refuses nodes whose level is below the one it needs. */
const API_LEVEL = 8;

/** Otterscan sends block numbers as JSON numbers. */
const anyBlockNumber = z.union([
  z
    .int()
    .nonnegative()
    .transform((number): BlockId => ({ number: BigInt(number) })),
  blockNumberOrTag,
]);

export const getHeaderByNumber = method({
  name: "erigon_getHeaderByNumber",
  summary: "A block's header by number or tag.",
  params: [required("block", anyBlockNumber)],
  result: orNull(headerSchema),
  example: { params: [1] },
  run: ({ blocks }, [id]) => blocks.minedBlock(id),
  encode: nullable(encodeHeaderOf),
});

export const getApiLevel = method({
  name: "ots_getApiLevel",
  summary: "API level of these methods: 8. Otterscan requires a minimum.",
  params: [],
  result: INTEGER,
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), NO_STATE, STOPPED],
  example: { params: [] },
  run: () => API_LEVEL,
  encode: asIs,
});

export const hasCode = method({
  name: "ots_hasCode",
  summary: "Whether an account has code.",
  params: [required("address", address), required("block", z.union([anyBlockNumber, blockId]))],
  result: BOOLEAN,
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), NO_STATE, STOPPED],
  example: { params: [EXAMPLE.contract, "latest"] },
  run: ({ otterscan }, [account, id]) => otterscan.hasCode(account, id),
  encode: asIs,
});

export const getInternalOperations = method({
  name: "ots_getInternalOperations",
  summary: "Transfers, creations and self-destructs inside a mined transaction.",
  params: [required("transactionHash", hash)],
  result: arrayOf(otterscanOperationSchema),
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), NO_STATE, STOPPED],
  example: { params: [EXAMPLE.transactionHash] },
  run: ({ otterscanTraces }, [txHash], { signal }) => otterscanTraces.internalOperations(txHash, { signal }),
  encode: list(encodeInternalOperation),
});

export const getTransactionError = method({
  name: "ots_getTransactionError",
  summary: "Return data of a mined transaction that reverted; empty for others.",
  params: [required("transactionHash", hash)],
  result: DATA,
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), NO_STATE, STOPPED],
  example: { params: [EXAMPLE.transactionHash] },
  run: ({ otterscanTraces }, [txHash], { signal }) => otterscanTraces.revertData(txHash, { signal }),
  encode: encodeData,
});

export const traceTransaction = method({
  name: "ots_traceTransaction",
  summary: "Calls, creations and self-destructs of a mined transaction as a list with depths.",
  params: [required("transactionHash", hash)],
  result: arrayOf(otterscanCallSchema),
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), NO_STATE, STOPPED],
  example: { params: [EXAMPLE.transactionHash] },
  run: ({ otterscanTraces }, [txHash], { signal, streamed }) => otterscanTraces.calls(txHash, { signal }, streamed),
  encode: list(encodeOtterscanCall),
  encodeText: (calls) => listText(calls, (call) => wholeText(encodeOtterscanCall(call))),
});

export const getBlockDetails = method({
  name: "ots_getBlockDetails",
  summary: "A block without transactions and bloom, with its rewards and fees.",
  params: [required("block", anyBlockNumber)],
  result: orNull(otterscanBlockDetailsSchema),
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), NO_STATE, STOPPED],
  example: { params: [2] },
  run: ({ otterscan }, [id]) => otterscan.blockDetails(id),
  encode: nullable(encodeBlockDetails),
});

export const getBlockDetailsByHash = method({
  name: "ots_getBlockDetailsByHash",
  summary: "The same by block hash.",
  params: [required("blockHash", blockHash)],
  result: orNull(otterscanBlockDetailsSchema),
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), NO_STATE, STOPPED],
  example: { params: [EXAMPLE.blockHash] },
  run: ({ otterscan }, [id]) => otterscan.blockDetails(id),
  encode: nullable(encodeBlockDetails),
});

export const getBlockTransactions = method({
  name: "ots_getBlockTransactions",
  summary: "A page of a block's transactions with receipts, counted from the block's end.",
  params: [
    required("block", anyBlockNumber),
    required("page", integerOrQuantity),
    required("pageSize", integerOrQuantity),
  ],
  result: orNull(otterscanTransactionPageSchema),
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), NO_STATE, STOPPED],
  example: { params: [2, 0, 5] },
  run: ({ otterscan }, [id, page, pageSize]) => otterscan.blockTransactions(id, page, pageSize),
  encode: nullable(encodeTransactionPage),
});

const historyParams = [
  required("address", address),
  required("blockNumber", integerOrQuantity),
  required("pageSize", integerOrQuantity),
] as const;

export const searchTransactionsBefore = method({
  name: "ots_searchTransactionsBefore",
  summary: "Transactions that involve an account in blocks before one (0: all), newest first. Uses the index.",
  params: historyParams,
  result: otterscanHistoryPageSchema,
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), NO_STATE, STOPPED],
  example: { params: [EXAMPLE.sender, 0, 1] },
  run: ({ otterscan }, [account, block, pageSize], { signal }) =>
    otterscan.transactionsBefore(account, { block: BigInt(block), pageSize }, { signal }),
  encode: encodeHistoryPage,
});

export const searchTransactionsAfter = method({
  name: "ots_searchTransactionsAfter",
  summary: "The same in blocks after one: the oldest matches, newest first.",
  params: historyParams,
  result: otterscanHistoryPageSchema,
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), NO_STATE, STOPPED],
  example: { params: [EXAMPLE.sender, 0, 1] },
  run: ({ otterscan }, [account, block, pageSize], { signal }) =>
    otterscan.transactionsAfter(account, { block: BigInt(block), pageSize }, { signal }),
  encode: encodeHistoryPage,
});

export const getTransactionBySenderAndNonce = method({
  name: "ots_getTransactionBySenderAndNonce",
  summary: "Hash of the mined transaction that a sender made with a nonce.",
  params: [required("sender", address), required("nonce", integerOrQuantity)],
  result: orNull(HASH),
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), NO_STATE, STOPPED],
  example: { params: [EXAMPLE.sender, 0] },
  run: ({ otterscan }, [sender, nonce]) => otterscan.transactionBySenderAndNonce(sender, BigInt(nonce)),
  encode: nullable(encodeData),
});

export const getContractCreator = method({
  name: "ots_getContractCreator",
  summary: "Who created a contract, and in which transaction; null for other accounts and code from genesis.",
  params: [required("address", address)],
  result: orNull(otterscanCreationSchema),
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), NO_STATE, STOPPED],
  example: { params: [EXAMPLE.contract] },
  run: ({ otterscan }, [account], { signal }) => otterscan.contractCreator(account, { signal }),
  encode: nullable(encodeCreation),
});
