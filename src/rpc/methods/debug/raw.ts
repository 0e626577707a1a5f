/** debug_getRaw*: blocks, headers, receipts and transactions as the bytes that consensus hashes. */

import { encodeData } from "../../../primitives/bytes/hex.ts";
import { badBlockSchema, encodeBadBlock } from "../../encode/blocks/block.ts";
import { encodeReceiptBytes } from "../../encode/blocks/receipt.ts";
import { list } from "../../encode/shape.ts";
import { encodeRawTransaction } from "../../encode/transactions/transaction.ts";
import { NO_ACCESS_LIST } from "../../errors.ts";
import { method, required } from "../../method.ts";
import { arrayOf } from "../../openrpc/json-schema.ts";
import { DATA } from "../../openrpc/primitives.ts";
import { blockId, hash } from "../../schema/primitives.ts";
import { EXAMPLE } from "../example-chain.ts";

export const getRawBlock = method({
  name: "debug_getRawBlock",
  summary: "RLP of a block.",
  params: [required("block", blockId)],
  result: DATA,
  errors: ["HEADER_NOT_FOUND"],
  example: { params: ["0x0"] },
  run: ({ blocks }, [id]) => blocks.rawBlock(id),
  encode: encodeData,
});

export const getRawHeader = method({
  name: "debug_getRawHeader",
  summary: "RLP of a block's header: its Keccak-256 is the block hash.",
  params: [required("block", blockId)],
  result: DATA,
  errors: ["HEADER_NOT_FOUND"],
  example: { params: ["0x0"] },
  run: ({ blocks }, [id]) => blocks.rawHeader(id),
  encode: encodeData,
});

export const getRawReceipts = method({
  name: "debug_getRawReceipts",
  summary: "Receipts of a block in their consensus encoding.",
  params: [required("block", blockId)],
  result: arrayOf(DATA),
  errors: ["HEADER_NOT_FOUND"],
  example: { params: ["0x1"] },
  run: ({ blocks }, [id]) => blocks.requireReceipts(id),
  encode: list(encodeReceiptBytes),
});

export const getRawBlockAccessList = method({
  name: "debug_getRawBlockAccessList",
  summary: "RLP of a block's access list (EIP-7928).",
  params: [required("block", blockId)],
  result: DATA,
  errors: [NO_ACCESS_LIST, "HEADER_NOT_FOUND"],
  example: { hardfork: "amsterdam", params: ["0x1"] },
  run: ({ blocks }, [id]) => blocks.requireAccessList(id),
  encode: encodeData,
});

export const getRawTransaction = method({
  name: "debug_getRawTransaction",
  summary: "The EIP-2718 bytes of a mined or waiting transaction; `0x` for an unknown one.",
  answeredBy: "writer if unknown",
  params: [required("transactionHash", hash)],
  result: DATA,
  errors: ["HEADER_NOT_FOUND"],
  example: { params: [EXAMPLE.transactionHash] },
  run: ({ blocks }, [txHash]) => blocks.transaction(txHash),
  // execution-apis and geth: bytes in any case.
  encode: (found) => (found === undefined ? "0x" : encodeRawTransaction(found)),
});

export const getRawTransactions = method({
  name: "debug_getRawTransactions",
  summary: "The EIP-2718 bytes of a block's transactions; none for an unknown block, as in reth and Anvil.",
  params: [required("block", blockId)],
  result: arrayOf(DATA),
  example: { params: ["0x2"] },
  run: ({ blocks }, [id]) => blocks.transactionsOf(id),
  encode: list(encodeRawTransaction),
});

export const getBadBlocks = method({
  name: "debug_getBadBlocks",
  summary: "The last blocks that an import refused, newest first, with their RLP.",
  answeredBy: "writer",
  params: [],
  result: arrayOf(badBlockSchema),
  example: { params: [] },
  run: ({ blocks }) => blocks.badBlocks(),
  encode: list(encodeBadBlock),
});
