/** eth_*: blocks and uncles. */
import { z } from "zod";
import type { BlockView } from "../../../miner/block-views.ts";
import { encodeQuantity } from "../../../primitives/hex.ts";
import { encodeBlockJson, encodeUncle } from "../../encode/block.ts";
import { nullable, type ResponseShape } from "../../encode/shape.ts";
import { method, required } from "../../method.ts";
import { blockNumberOrTag, hash, index } from "../../schema/primitives.ts";

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
  run: ({ blocks }) => blocks.headNumber,
  encode: encodeQuantity,
});

export const getBlockByNumber = method({
  name: "eth_getBlockByNumber",
  summary: "A block by number or tag, with transaction hashes or whole transactions.",
  params: [required("block", blockNumberOrTag), required("fullTransactions", fullTransactions)],
  run: ({ blocks }, [id, full]) => shown(blocks.block(id), full),
  encode: nullable(encodeShown),
});

export const getBlockByHash = method({
  name: "eth_getBlockByHash",
  summary: "A block by hash, side blocks included.",
  params: [required("blockHash", hash), required("fullTransactions", fullTransactions)],
  run: ({ blocks }, [blockHash, full]) => shown(blocks.block({ hash: blockHash, requireCanonical: false }), full),
  encode: nullable(encodeShown),
});

export const getUncleByBlockNumberAndIndex = method({
  name: "eth_getUncleByBlockNumberAndIndex",
  summary: "An uncle of a block named by number or tag.",
  params: [required("block", blockNumberOrTag), required("index", index)],
  run: ({ blocks }, [id, position]) => blocks.uncle(id, position),
  encode: nullable(encodeUncle),
});

export const getUncleByBlockHashAndIndex = method({
  name: "eth_getUncleByBlockHashAndIndex",
  summary: "An uncle of a block named by hash.",
  params: [required("blockHash", hash), required("index", index)],
  run: ({ blocks }, [blockHash, position]) => blocks.uncle({ hash: blockHash, requireCanonical: false }, position),
  encode: nullable(encodeUncle),
});
