/** The port through which services read the canonical chain. Data of the forked chain is returned as a promise. */
import type { Block } from "../../chainspec/header/block.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";

/** Block and index of a transaction in the canonical chain. */
export interface TransactionLocation {
  readonly block: Block;
  readonly index: number;
}

/** Implemented by the chain itself, and below a fork by the history of the other chain. */
export interface ChainReader {
  getBlockByHash(hash: Bytes): MaybePromise<Block | undefined>;
  /** The canonical block with a number. */
  getBlockByNumber(number: bigint): MaybePromise<Block | undefined>;
  /** Receipts of a block, canonical or not, in transaction order. */
  getReceipts(block: Block): MaybePromise<readonly Receipt[]>;
  /** Block and index of a transaction in the canonical chain; undefined if it is not there. */
  findTransaction(hash: Bytes): MaybePromise<TransactionLocation | undefined>;
}
