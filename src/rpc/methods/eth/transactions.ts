/** eth_*: transactions by hash and by position, receipts, sending. */

import { encodeData } from "../../../primitives/bytes/hex.ts";
import { encodeReceiptJson, receiptSchema, receiptText } from "../../encode/blocks/receipt.ts";
import { list, nullable, nullableText } from "../../encode/shape.ts";
import { encodeRawTransaction, encodeTransaction, transactionSchema } from "../../encode/transactions/transaction.ts";
import { FILLING, numbered, RAW_TRANSACTION, SIGNING } from "../../errors.ts";
import { method, optional, required } from "../../method.ts";
import { arrayOf, orNull } from "../../openrpc/json-schema.ts";
import { DATA, HASH } from "../../openrpc/primitives.ts";
import { callObject } from "../../schema/call-object.ts";
import {
  address,
  blockHash,
  blockNumberOrTag,
  data,
  hash,
  index,
  integerOrQuantity,
  quantity,
  uint64,
} from "../../schema/primitives.ts";
import { sendConditions } from "../../schema/send-conditions.ts";
import { EXAMPLE } from "../example-chain.ts";

export const getTransactionByHash = method({
  name: "eth_getTransactionByHash",
  summary: "A mined or waiting transaction by its hash.",
  answeredBy: "writer if unknown",
  params: [required("transactionHash", hash)],
  result: orNull(transactionSchema),
  example: { params: [EXAMPLE.transactionHash] },
  run: ({ blocks }, [txHash]) => blocks.transaction(txHash),
  encode: nullable(encodeTransaction),
});

export const getTransactionByBlockNumberAndIndex = method({
  name: "eth_getTransactionByBlockNumberAndIndex",
  summary: "A transaction by block number or tag and position.",
  params: [required("block", blockNumberOrTag), required("index", index)],
  result: orNull(transactionSchema),
  example: { params: ["0x1", "0x0"] },
  run: ({ blocks }, [id, position]) => blocks.transactionInBlock(id, position),
  encode: nullable(encodeTransaction),
});

export const getTransactionByBlockHashAndIndex = method({
  name: "eth_getTransactionByBlockHashAndIndex",
  summary: "A transaction by block hash and position.",
  params: [required("blockHash", blockHash), required("index", index)],
  result: orNull(transactionSchema),
  example: { params: [EXAMPLE.blockHash, "0x0"] },
  run: ({ blocks }, [id, position]) => blocks.transactionInBlock(id, position),
  encode: nullable(encodeTransaction),
});

export const getTransactionBySenderAndNonce = method({
  name: "eth_getTransactionBySenderAndNonce",
  summary: "The mined or waiting transaction that a sender made with a nonce.",
  answeredBy: "writer if unknown",
  params: [required("sender", address), required("nonce", quantity)],
  result: orNull(transactionSchema),
  example: { params: [EXAMPLE.sender, "0x1"] },
  run: ({ blocks }, [sender, nonce]) => blocks.transactionBySenderAndNonce(sender, nonce),
  encode: nullable(encodeTransaction),
});

export const getRawTransactionByHash = method({
  name: "eth_getRawTransactionByHash",
  summary: "The EIP-2718 bytes of a mined or waiting transaction.",
  answeredBy: "writer if unknown",
  params: [required("transactionHash", hash)],
  result: orNull(DATA),
  example: { params: [EXAMPLE.transactionHash] },
  run: ({ blocks }, [txHash]) => blocks.transaction(txHash),
  encode: nullable(encodeRawTransaction),
});

export const getRawTransactionByBlockNumberAndIndex = method({
  name: "eth_getRawTransactionByBlockNumberAndIndex",
  summary: "The EIP-2718 bytes of a transaction by block number or tag and position.",
  params: [required("block", blockNumberOrTag), required("index", index)],
  result: orNull(DATA),
  example: { params: ["0x2", "0x0"] },
  run: ({ blocks }, [id, position]) => blocks.transactionInBlock(id, position),
  encode: nullable(encodeRawTransaction),
});

export const getRawTransactionByBlockHashAndIndex = method({
  name: "eth_getRawTransactionByBlockHashAndIndex",
  summary: "The EIP-2718 bytes of a transaction by block hash and position.",
  params: [required("blockHash", blockHash), required("index", index)],
  result: orNull(DATA),
  example: { params: [EXAMPLE.blockHash, "0x0"] },
  run: ({ blocks }, [id, position]) => blocks.transactionInBlock(id, position),
  encode: nullable(encodeRawTransaction),
});

export const getTransactionReceipt = method({
  name: "eth_getTransactionReceipt",
  summary: "The receipt of a mined transaction.",
  params: [required("transactionHash", hash)],
  result: orNull(receiptSchema),
  example: { params: [EXAMPLE.transactionHash] },
  run: ({ blocks }, [txHash]) => blocks.receipt(txHash),
  encode: nullable(encodeReceiptJson),
  encodeText: nullableText(receiptText),
});

export const sendTransaction = method({
  name: "eth_sendTransaction",
  summary: "Signs and sends a transaction of one of the node's accounts.",
  writes: true,
  params: [required("transaction", callObject)],
  result: HASH,
  errors: [SIGNING, FILLING, "BLOCK_NOT_MINABLE", "BLOCK_REJECTED"],
  example: { params: [{ from: EXAMPLE.sender, data: "0x67602a60006000a10060005260086018f3" }] },
  run: ({ submit }, [call]) => submit.send(call),
  encode: encodeData,
});

export const sendRawTransaction = method({
  name: "eth_sendRawTransaction",
  summary: "Sends a signed transaction.",
  writes: true,
  params: [required("rawTransaction", data)],
  result: HASH,
  errors: [SIGNING, FILLING, "BLOCK_NOT_MINABLE", "BLOCK_REJECTED", RAW_TRANSACTION],
  example: { params: [EXAMPLE.rawTransaction] },
  run: ({ submit }, [bytes]) => submit.sendRaw(bytes),
  encode: encodeData,
});

export const sendRawTransactionSync = method({
  name: "eth_sendRawTransactionSync",
  summary: "Sends a signed transaction and answers with its receipt once it is mined (EIP-7966).",
  writes: true,
  params: [required("rawTransaction", data), optional("timeoutMs", integerOrQuantity)],
  result: receiptSchema,
  errors: [
    SIGNING,
    FILLING,
    "BLOCK_NOT_MINABLE",
    "BLOCK_REJECTED",
    RAW_TRANSACTION,
    "TRANSACTION_NOT_MINED",
    "TRANSACTION_NOT_FOUND",
  ],
  example: {
    params: [
      "0x02f874827a6903843b9aca00845f7aab1a8252089470997970c51812dc3a010c7d01b50e0d17dc79c8880de0b6b3a764000080c080a073c6573497604454f419976df49f4f879dab3569ee3014074dab80e654a3555aa02415c422310d889092fd203431a0ccb6a91118586336015e0e66864fdcde5693",
      1000,
    ],
  },
  run: async ({ submit, blocks }, [bytes, timeoutMs], { signal, letNextBegin }) =>
    blocks.requireReceipt(await submit.sendRawAndWait(bytes, { timeoutMs, signal, onAdded: letNextBegin })),
  encode: encodeReceiptJson,
  encodeText: receiptText,
});

export const sendRawTransactionConditional = method({
  name: "eth_sendRawTransactionConditional",
  summary:
    "Sends a signed transaction if the next block's number and time, and storage of accounts, are as named (EIP-7796). " +
    "Conditions are checked when it is sent, not again if it waits.",
  writes: true,
  params: [required("rawTransaction", data), optional("conditions", sendConditions)],
  result: HASH,
  errors: [
    SIGNING,
    FILLING,
    "BLOCK_NOT_MINABLE",
    "BLOCK_REJECTED",
    RAW_TRANSACTION,
    "CONDITION_NOT_MET",
    "STATE_NOT_PROVABLE",
  ],
  example: {
    params: [
      "0x02f874827a6904843b9aca00845f7aab1a8252089470997970c51812dc3a010c7d01b50e0d17dc79c8880de0b6b3a764000080c001a00607c9897e64bc87cc1c98a707af8c11a9ec6444530c9c682b712a90c661c0b6a02251615547cf2c2ab6bc2c155cacda96684071d93d8c381d0f7e7e20749342ac",
      { blockNumberMax: "0x64" },
    ],
  },
  run: ({ submit }, [bytes, conditions = {}]) => submit.sendRawIf(bytes, conditions),
  encode: encodeData,
});

export const resend = method({
  name: "eth_resend",
  summary: "Sends a waiting transaction of one of the node's accounts again, with another gas price or gas limit.",
  writes: true,
  params: [required("transaction", callObject), optional("gasPrice", quantity), optional("gasLimit", uint64)],
  result: HASH,
  errors: [
    SIGNING,
    FILLING,
    "BLOCK_NOT_MINABLE",
    "BLOCK_REJECTED",
    numbered(-32000, "INVALID_PARAMS", "TRANSACTION_NOT_FOUND"),
  ],
  example: {
    params: [{ from: EXAMPLE.sender, to: EXAMPLE.recipient, value: "0xde0b6b3a7640000", nonce: "0x2" }, "0x9502f9000"],
  },
  run: ({ submit }, [call, gasPrice, gasLimit]) => submit.resend(call, { gasPrice, gasLimit }),
  encode: encodeData,
});

export const pendingTransactions = method({
  name: "eth_pendingTransactions",
  summary: "Executable waiting transactions of the node's own accounts.",
  answeredBy: "writer",
  params: [],
  result: arrayOf(transactionSchema),
  example: { params: [] },
  run: ({ pool }) => pool.ownPending().map((tx) => ({ tx, view: undefined, index: 0 })),
  encode: list(encodeTransaction),
});
