/** What the debug service refuses, in geth's words and with geth's numbers. */
import type { BlockId } from "../../../chain/archive/block-id.ts";
import { NotFoundError, UnsupportedError } from "../../../errors/hindcast-error.ts";
import { describeBlockId } from "../../../miner/block-views.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";

/** The error for a block that is not there. */
export function blockNotFound(id: BlockId): NotFoundError {
  return notFound(`block ${"number" in id ? "#" : ""}${nameOf(id)} not found`);
}

/** {@link blockNotFound} for one end of a range. */
export function endNotFound(id: BlockId, end: "start" | "end"): NotFoundError {
  return notFound(`${end} block ${nameOf(id)} not found`);
}

export function parentNotFound(number: bigint): NotFoundError {
  return notFound(`block ${number} has no parent`);
}

export function genesisNotTraceable(): UnsupportedError {
  return new UnsupportedError({ code: "GENESIS_NOT_TRACEABLE", what: "genesis is not traceable" });
}

function notFound(what: string): NotFoundError {
  return new NotFoundError({ code: "BLOCK_NOT_FOUND", what, rpcCode: -32000 });
}

function nameOf(id: BlockId): string {
  if ("number" in id) return String(id.number);
  return "hash" in id ? encodeData(id.hash) : describeBlockId(id);
}
