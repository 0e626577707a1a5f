/** Decoded blocks and receipts in memory. */
import { LRUCache } from "lru-cache";
import type { Block } from "../../chainspec/header/block.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";

/** Memory for decoded blocks and receipts, in bytes. */
export interface ArchiveCacheSizes {
  readonly blocks: number;
  readonly receipts: number;
}

/** Blocks by their hashes. */
export type BlockCache = LRUCache<string, Block>;
/** Receipts of a block by its hash. */
export type ReceiptsCache = LRUCache<string, readonly Receipt[]>;

/** For a chain whose opener does not say how much. */
export const DEFAULT_CACHE_SIZES: ArchiveCacheSizes = { blocks: 32_000_000, receipts: 32_000_000 };
/** Most entries of each cache, since many small ones take longer to collect than to decode again. */
export const MAX_ENTRIES = 1_024;
/** Estimated memory of decoded values, without their data, in bytes. */
const BYTES_OF = { block: 3_000, transaction: 900, receipts: 200, receipt: 700, log: 500 } as const;

/** An empty cache of so many bytes. */
export function blockCache(maxBytes: number): BlockCache {
  return cacheOf(maxBytes, ({ transactions, uncles }) => {
    let bytes = BYTES_OF.block * (1 + uncles.length);
    for (const { data } of transactions) bytes += BYTES_OF.transaction + 2 * data.length;
    return bytes;
  });
}

/** An empty cache of so many bytes. */
export function receiptsCache(maxBytes: number): ReceiptsCache {
  return cacheOf(maxBytes, (receipts) => {
    let bytes: number = BYTES_OF.receipts;
    for (const { logs } of receipts) {
      bytes += BYTES_OF.receipt;
      for (const { data } of logs) bytes += BYTES_OF.log + data.length;
    }
    return bytes;
  });
}

/**
 * Each entry counts for its share of the bytes at least, which bounds their number. With `max`, the cache would make room for
 * all entries at once, in each node.
 */
function cacheOf<Value extends object>(maxSize: number, bytesOf: (value: Value) => number): LRUCache<string, Value> {
  const least = Math.ceil(maxSize / MAX_ENTRIES);
  return new LRUCache({ maxSize, sizeCalculation: (value) => Math.max(least, bytesOf(value)) });
}
