/** eth_*: blocks and uncles. */
import { z } from "zod";
import type { BlockView } from "../../../chain/block-views.ts";
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import {
  blockSchema,
  encodeBlockJson,
  encodeHeaderOf,
  encodeUncle,
  headerSchema,
  uncleSchema,
} from "../../encode/blocks/block.ts";
import { blockAccessListSchema, encodeBlockAccessList } from "../../encode/blocks/block-access-list.ts";
import { encodeReceiptJson, receiptSchema, receiptsText } from "../../encode/blocks/receipt.ts";
import { list, nullable, nullableText, type ResponseShape } from "../../encode/shape.ts";
import { NO_ACCESS_LIST } from "../../errors.ts";
import { method, required } from "../../method.ts";
import { arrayOf, orNull } from "../../openrpc/json-schema.ts";
import { DATA, QUANTITY } from "../../openrpc/primitives.ts";
import { blockHash, blockId, blockNumberOrTag, index } from "../../schema/primitives.ts";
import { EXAMPLE } from "../example-chain.ts";

const fullTransactions = z.boolean({ error: "expected true for whole transactions or false for their hashes" });

interface Shown {
  readonly view: BlockView;
  readonly full: boolean;
}

const encodeShown = (shown: Shown, shape: ResponseShape) => encodeBlockJson(shown.view, shown.full, shape);

async function shown(view: Promise<BlockView | undefined>, full: boolean): Promise<Shown | undefined> {
  const found = await view;
  return found === undefined ? undefined : { view: found, full };
}

export const blockNumber = method({
  name: "eth_blockNumber",
  summary: "Number of the head block.",
  params: [],
  result: QUANTITY,
  example: { params: [] },
  run: ({ blocks }) => blocks.head.header.number,
  encode: encodeQuantity,
});

export const getBlockByNumber = method({
  name: "eth_getBlockByNumber",
  summary: "A block by number or tag, with transaction hashes or whole transactions.",
  params: [required("block", blockNumberOrTag), required("fullTransactions", fullTransactions)],
  result: orNull(blockSchema),
  example: { params: ["0x1", false] },
  run: ({ blocks }, [id, full]) => shown(blocks.block(id), full),
  encode: nullable(encodeShown),
});

export const getBlockByHash = method({
  name: "eth_getBlockByHash",
  summary: "A block by hash, side blocks included.",
  params: [required("blockHash", blockHash), required("fullTransactions", fullTransactions)],
  result: orNull(blockSchema),
  example: { params: [EXAMPLE.blockHash, false] },
  run: ({ blocks }, [id, full]) => shown(blocks.block(id), full),
  encode: nullable(encodeShown),
});

export const getHeaderByNumber = method({
  name: "eth_getHeaderByNumber",
  summary: "A block's header by number or tag; null for pending.",
  params: [required("block", blockNumberOrTag)],
  result: orNull(headerSchema),
  example: { params: ["0x1"] },
  run: ({ blocks }, [id]) => blocks.minedBlock(id),
  encode: nullable(encodeHeaderOf),
});

export const getHeaderByHash = method({
  name: "eth_getHeaderByHash",
  summary: "A block's header by hash.",
  params: [required("blockHash", blockHash)],
  result: orNull(headerSchema),
  example: { params: [EXAMPLE.blockHash] },
  run: ({ blocks }, [id]) => blocks.minedBlock(id),
  encode: nullable(encodeHeaderOf),
});

export const getBlockReceipts = method({
  name: "eth_getBlockReceipts",
  summary: "All receipts of a block.",
  params: [required("block", blockId)],
  result: orNull(arrayOf(receiptSchema)),
  errors: ["HEADER_NOT_FOUND"],
  example: { params: ["0x2"] },
  run: ({ blocks }, [id]) => blocks.receipts(id),
  encode: nullable(list(encodeReceiptJson)),
  encodeText: nullableText(receiptsText),
});

export const getBlockTransactionCountByNumber = method({
  name: "eth_getBlockTransactionCountByNumber",
  summary: "How many transactions a block has, by number or tag.",
  params: [required("block", blockNumberOrTag)],
  result: orNull(QUANTITY),
  example: { params: ["0x1"] },
  run: ({ blocks }, [id]) => blocks.transactionCount(id),
  encode: nullable(encodeQuantity),
});

export const getBlockTransactionCountByHash = method({
  name: "eth_getBlockTransactionCountByHash",
  summary: "How many transactions a block has, by hash.",
  params: [required("blockHash", blockHash)],
  result: orNull(QUANTITY),
  example: { params: [EXAMPLE.blockHash] },
  run: ({ blocks }, [id]) => blocks.transactionCount(id),
  encode: nullable(encodeQuantity),
});

export const getUncleCountByBlockNumber = method({
  name: "eth_getUncleCountByBlockNumber",
  summary: "How many uncles a block has, by number or tag.",
  params: [required("block", blockNumberOrTag)],
  result: orNull(QUANTITY),
  example: { hardfork: "berlin", params: ["0x2"] },
  run: ({ blocks }, [id]) => blocks.uncleCount(id),
  encode: nullable(encodeQuantity),
});

export const getUncleCountByBlockHash = method({
  name: "eth_getUncleCountByBlockHash",
  summary: "How many uncles a block has, by hash.",
  params: [required("blockHash", blockHash)],
  result: orNull(QUANTITY),
  example: { hardfork: "berlin", params: ["0xc340f4d07f304fdece160cf6281e96fa49c9c729ce56d163b145942e06c6696f"] },
  run: ({ blocks }, [id]) => blocks.uncleCount(id),
  encode: nullable(encodeQuantity),
});

export const getUncleByBlockNumberAndIndex = method({
  name: "eth_getUncleByBlockNumberAndIndex",
  summary: "An uncle of a block named by number or tag.",
  params: [required("block", blockNumberOrTag), required("index", index)],
  result: orNull(uncleSchema),
  example: { hardfork: "berlin", params: ["0x2", "0x0"] },
  run: ({ blocks }, [id, position]) => blocks.uncle(id, position),
  encode: nullable(encodeUncle),
});

export const getUncleByBlockHashAndIndex = method({
  name: "eth_getUncleByBlockHashAndIndex",
  summary: "An uncle of a block named by hash.",
  params: [required("blockHash", blockHash), required("index", index)],
  result: orNull(uncleSchema),
  example: {
    hardfork: "berlin",
    params: ["0xc340f4d07f304fdece160cf6281e96fa49c9c729ce56d163b145942e06c6696f", "0x0"],
  },
  run: ({ blocks }, [id, position]) => blocks.uncle(id, position),
  encode: nullable(encodeUncle),
});

export const getBlockAccessList = method({
  name: "eth_getBlockAccessList",
  summary: "The access list of a block since Amsterdam: the state that it read and changed (EIP-7928).",
  params: [required("block", blockId)],
  result: orNull(blockAccessListSchema),
  errors: ["HEADER_NOT_FOUND", NO_ACCESS_LIST],
  example: { hardfork: "amsterdam", params: ["0x1"] },
  run: ({ blocks }, [id]) => blocks.accessList(id),
  encode: nullable(encodeBlockAccessList),
});

export const getBlockAccessListRaw = method({
  name: "eth_getBlockAccessListRaw",
  summary: "The access list of a block since Amsterdam as RLP (EIP-7928).",
  params: [required("block", blockId)],
  result: orNull(DATA),
  errors: ["HEADER_NOT_FOUND", NO_ACCESS_LIST],
  example: { hardfork: "amsterdam", params: ["0x1"] },
  run: ({ blocks }, [id]) => blocks.accessList(id),
  encode: nullable(encodeData),
});

export const getBlockAccessListByBlockHash = method({
  name: "eth_getBlockAccessListByBlockHash",
  summary: "As eth_getBlockAccessList, by the block's hash.",
  params: [required("blockHash", blockHash)],
  result: orNull(blockAccessListSchema),
  errors: NO_ACCESS_LIST,
  example: { hardfork: "amsterdam", params: ["0xbc0ae94d373960288357ebedbc9addc7c61e6175345df5cc13b6c147daf54787"] },
  run: ({ blocks }, [id]) => blocks.accessList(id),
  encode: nullable(encodeBlockAccessList),
});

export const getBlockAccessListByBlockNumber = method({
  name: "eth_getBlockAccessListByBlockNumber",
  summary: "As eth_getBlockAccessList, by the block's number or a tag.",
  params: [required("block", blockNumberOrTag)],
  result: orNull(blockAccessListSchema),
  errors: NO_ACCESS_LIST,
  example: { hardfork: "amsterdam", params: ["0x1"] },
  run: ({ blocks }, [id]) => blocks.accessList(id),
  encode: nullable(encodeBlockAccessList),
});
