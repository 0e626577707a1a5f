/** The port by which services read the canonical chain. Blocks that another chain holds are answered by a promise. */
import type { Block } from "../../chainspec/header/block.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";

/** Where a transaction stands in the canonical chain. */
export interface TransactionLocation {
  readonly block: Block;
  readonly index: number;
}

export interface ChainReader {
  getBlockByHash(hash: Bytes): MaybePromise<Block | undefined>;
  /** The canonical block with a number. */
  getBlockByNumber(number: bigint): MaybePromise<Block | undefined>;
  /** Receipts of a block, canonical or not, in transaction order. */
  getReceipts(block: Block): MaybePromise<readonly Receipt[]>;
  /** Where a transaction stands in the canonical chain, or undefined. */
  findTransaction(hash: Bytes): MaybePromise<TransactionLocation | undefined>;
}
