/** eth_*: ways of sending that only development nodes offer. */
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { encodeReceiptJson, receiptSchema, receiptText } from "../../encode/blocks/receipt.ts";
import { FILLING, SIGNING } from "../../errors.ts";
import { method, optional, required } from "../../method.ts";
import { HASH } from "../../openrpc/primitives.ts";
import { callObject } from "../../schema/call-object.ts";
import { count } from "../../schema/control-params.ts";
import { EXAMPLE } from "../example-chain.ts";

export const sendUnsignedTransaction = method({
  name: "eth_sendUnsignedTransaction",
  summary: "Sends a transaction of any sender without a signature, as if the sender were impersonated.",
  writes: true,
  params: [required("transaction", callObject)],
  result: HASH,
  errors: [SIGNING, FILLING, "BLOCK_NOT_MINABLE", "BLOCK_REJECTED"],
  example: { params: [{ from: EXAMPLE.other, to: EXAMPLE.recipient, value: "0xde0b6b3a7640000", gas: "0x5208" }] },
  run: ({ submit }, [call]) => submit.sendUnsigned(call),
  encode: encodeData,
});

export const sendTransactionSync = method({
  name: "eth_sendTransactionSync",
  summary: "Sends a transaction of one of the node's accounts and answers its receipt once it is mined.",
  writes: true,
  params: [required("transaction", callObject), optional("timeoutMs", count)],
  result: receiptSchema,
  errors: [SIGNING, FILLING, "BLOCK_NOT_MINABLE", "BLOCK_REJECTED", "TRANSACTION_NOT_MINED", "TRANSACTION_NOT_FOUND"],
  example: { params: [EXAMPLE.transfer] },
  run: async ({ submit, blocks }, [call, timeoutMs], { signal, letNextBegin }) =>
    blocks.requireReceipt(await submit.sendAndWait(call, { timeoutMs, signal, onAdded: letNextBegin })),
  encode: encodeReceiptJson,
  encodeText: receiptText,
});
