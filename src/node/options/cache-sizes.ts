/** Divides the memory for caches (`maxCacheBytes`) among them. */

/** Memory for caches by default, in bytes. */
export const DEFAULT_CACHE_BYTES = 384 * 1024 * 1024;

/** Bytes for each cache. They are estimates, because JavaScript does not tell the size of an object. */
export interface CacheSizes {
  /** Decoded nodes of state tries. */
  readonly trieNodes: number;
  readonly codes: number;
  readonly blocks: number;
  readonly receipts: number;
  /** Flat traces of mined blocks. */
  readonly traces: number;
  /** Recordings of mined transactions that a debugger or the explorer reads in parts. */
  readonly recordings: number;
}

/** A recording of a million steps needs some 100 MB, so that recordings may use the most. */
export function cacheSizes(maxBytes = DEFAULT_CACHE_BYTES): CacheSizes {
  const part = Math.floor(maxBytes / 48);
  return {
    trieNodes: 3 * part,
    codes: part,
    blocks: 4 * part,
    receipts: 4 * part,
    traces: 4 * part,
    recordings: 32 * part,
  };
}
