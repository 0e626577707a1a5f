/**
 * The port of the cache: answers that never change, kept by chain and block. What it hands out was written by it or by another
 * process with the same folder; nothing enters but what an upstream answered, and what failed never does.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** An answer under a key that says what was asked. */
export interface CacheEntry {
  readonly key: string;
  readonly value: Bytes;
  /** It was checked against the hash of the block. */
  readonly isProven: boolean;
}

/** Answers about one block of one chain, and about what lies below it. */
export interface BlockCache {
  /** @param provenOnly - passes over entries that were not checked */
  get(key: string, provenOnly: boolean): Bytes | undefined;
  /** Keeps entries. They survive the process as soon as this returns. */
  put(entries: readonly CacheEntry[]): void;
}

/** What is kept of all upstreams. */
export interface RemoteCache {
  /** The answers about a block, by the block's hash. */
  openBlock(chainId: bigint, blockHash: Bytes): BlockCache;
  /** Code by its hash. */
  getCode(codeHash: Bytes): Bytes | undefined;
  putCode(codeHash: Bytes, code: Bytes): void;
  /** The chain id of an upstream that was asked before. */
  getChainId(url: string): bigint | undefined;
  putChainId(url: string, chainId: bigint): void;
  /** The hash of a block that was final when it was kept. */
  getBlockHash(chainId: bigint, number: bigint): Bytes | undefined;
  putBlockHash(chainId: bigint, number: bigint, hash: Bytes): void;
  /** The chains in which a block with this hash is cached. */
  findChains(blockHash: Bytes): readonly bigint[];
  close(): void;
}

/** The cache of a fork that keeps nothing longer than its process. */
export function makeMemoryCache(): RemoteCache {
  const blocks = new Map<string, BlockCache>();
  const codes = new Map<string, Bytes>();
  return {
    openBlock: (chainId, blockHash) => {
      const key = `${chainId} ${Buffer.from(blockHash).toString("hex")}`;
      const block = blocks.get(key) ?? makeMemoryBlock();
      blocks.set(key, block);
      return block;
    },
    getCode: (codeHash) => codes.get(Buffer.from(codeHash).toString("latin1")),
    putCode: (codeHash, code) => void codes.set(Buffer.from(codeHash).toString("latin1"), code),
    getChainId: () => undefined,
    putChainId: () => undefined,
    getBlockHash: () => undefined,
    putBlockHash: () => undefined,
    findChains: () => [],
    close: () => undefined,
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
