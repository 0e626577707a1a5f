/** Errors of the debug service, in geth's words and with geth's numbers. */

import { describeBlockId, describeHead } from "../../../chain/block-views.ts";
import type { BlockId } from "../../../chain/blocks/block-id.ts";
import type { TransactionLocation } from "../../../chain/read/chain-reader.ts";
import type { ChainBlocks } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import { type ErrorValues, NotFoundError, UnsupportedError } from "../../../errors/hindcast-error.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";

/** The error for an unknown block. */
export function blockNotFound(id: BlockId, head: Block): NotFoundError {
  const values = "number" in id ? { block: id.number, head: head.header.number } : {};
  return notFound(`block ${"number" in id ? "#" : ""}${nameOf(id)} not found`, head, values);
}

/** As {@link blockNotFound}, for one end of a range. */
export function endNotFound(id: BlockId, end: "start" | "end", head: Block): NotFoundError {
  return notFound(`${end} block ${nameOf(id)} not found`, head);
}

/** For a block whose state before it would be that of a parent which does not exist. */
export function parentNotFound(number: bigint, head: Block): NotFoundError {
  return notFound(`block ${number} has no parent`, head);
}

/**
 * Block and index of a mined transaction.
 *
 * @throws {NotFoundError} `TRANSACTION_NOT_FOUND` with -32000, as in geth
 */
export async function requireTransaction(chain: ChainBlocks, hash: Bytes): Promise<TransactionLocation> {
  const location = await chain.findTransaction(hash);
  if (location !== undefined) return location;
  throw new NotFoundError({
    code: "TRANSACTION_NOT_FOUND",
    what: "transaction not found",
    where: `No block has the transaction ${encodeData(hash)}.`,
    fix: "Only mined transactions can be traced: if it waits in the pool, evm_mine puts it into a block.",
    values: { transaction: encodeData(hash) },
    rpcCode: -32000,
  });
}

/** For the first block, which was not executed. */
export function genesisNotTraceable(): UnsupportedError {
  return new UnsupportedError({ code: "GENESIS_NOT_TRACEABLE", what: "genesis is not traceable" });
}

function notFound(what: string, head: Block, values: ErrorValues = {}): NotFoundError {
  return new NotFoundError({ code: "BLOCK_NOT_FOUND", what, fix: describeHead(head), values, rpcCode: -32000 });
}

function nameOf(id: BlockId): string {
  if ("number" in id) return String(id.number);
  return "hash" in id ? encodeData(id.hash) : describeBlockId(id);
}
