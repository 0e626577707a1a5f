/**
 * The cache port: immutable answers by chain and block. Entries are written by this process or another one with the
 * same folder. Only answers of upstream nodes are stored, never failures.
 */
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";

/** An answer and the key of its request. */
export interface CacheEntry {
  readonly key: string;
  readonly value: Bytes;
  /** True if it was verified by the block's hash. */
  readonly isProven: boolean;
}

/** A block of a chain, by its hash. */
export interface CachedBlockId {
  readonly chainId: bigint;
  /** 32 bytes */
  readonly hash: Bytes;
}

/** Answers about one block of a chain, and about earlier blocks. */
export interface BlockCache {
  /** @param provenOnly - ignores entries that were not verified */
  get(key: string, provenOnly: boolean): Bytes | undefined;
  /** Stores entries. When it returns, they outlive this process. */
  put(entries: readonly CacheEntry[]): void;
}

/** Cached data of all upstream nodes. */
export interface RemoteCache {
  /** The answers about a block, by the block's hash. */
  openBlock(chainId: bigint, blockHash: Bytes): BlockCache;
  /** Code by its hash. */
  getCode(codeHash: Bytes): Bytes | undefined;
  putCode(codeHash: Bytes, code: Bytes): void;
  /** The chain id of an upstream node that was asked before. */
  getChainId(url: string): bigint | undefined;
  putChainId(url: string, chainId: bigint): void;
  /**
   * The block that had a number at an upstream node, and was final there. Another chain may be served at the same URL since
   * then, so the node has to confirm it.
   */
  getFinalBlock(url: string, number: bigint): CachedBlockId | undefined;
  putFinalBlock(url: string, number: bigint, block: CachedBlockId): void;
  /** The chains in which a block with this hash is cached. */
  findChains(blockHash: Bytes): readonly bigint[];
  close(): void;
}

/** A cache in memory, for one process. */
export function makeMemoryCache(): RemoteCache {
  const blocks = new Map<string, BlockCache>();
  const codes = new Map<string, Bytes>();
  return {
    openBlock: (chainId, blockHash) => {
      const key = `${chainId} ${bytesKey(blockHash)}`;
      const block = blocks.get(key) ?? makeMemoryBlock();
      blocks.set(key, block);
      return block;
    },
    getCode: (codeHash) => codes.get(bytesKey(codeHash)),
    putCode: (codeHash, code) => void codes.set(bytesKey(codeHash), code),
    getChainId: () => undefined,
    putChainId: () => undefined,
    getFinalBlock: () => undefined,
    putFinalBlock: () => undefined,
    findChains: () => [],
    close: () => undefined,
  };
}

/** Answers about a block that are neither read nor stored before it is known that its hash stands for them. */
export function makeAwaitedBlock(block: BlockCache, isCommitted: Promise<boolean>): BlockCache {
  let known: BlockCache | undefined;
  let waiting: (readonly CacheEntry[])[] | undefined = [];
  void isCommitted.then((is) => {
    if (is) {
      known = block;
      block.put(waiting?.flat() ?? []);
    }
    waiting = undefined;
  });
  return {
    get: (key, provenOnly) => known?.get(key, provenOnly),
    put: (entries) => {
      if (known === undefined) waiting?.push(entries);
      else known.put(entries);
    },
  };
}

function makeMemoryBlock(): BlockCache {
  const entries = new Map<string, CacheEntry>();
  return {
    get: (key, provenOnly) => {
      const entry = entries.get(key);
      return entry === undefined || (provenOnly && !entry.isProven) ? undefined : entry.value;
    },
    put: (added) => {
      for (const entry of added) entries.set(entry.key, entry);
    },
  };
}
