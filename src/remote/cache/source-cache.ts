/**
 * Answers of servers of contract sources, by server, chain and address. The file of a contract that a server does not know
 * is empty; its age is that of the answer.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { readFileAt, sizeOf, touch, writeWhole } from "./files.ts";
import { CACHE_PARTS, defaultCacheFolder } from "./paths.ts";

/** A cached answer. */
export interface CachedSource {
  /** JSON; empty if the server did not know the contract. */
  readonly text: string;
  /** Milliseconds since the answer came. For an answer with sources: since it was last used. */
  readonly ageMs: number;
}

/** Cached answers of one server. */
export interface SourceCache {
  get(chainId: bigint, address: Bytes): CachedSource | undefined;
  put(chainId: bigint, address: Bytes, text: string): void;
}

/** Bytes of answers that a cache in memory holds. */
const MEMORY_BYTES = 32 * 1024 * 1024;
/** Weight of an answer without sources. */
const EMPTY_BYTES = 64;

/**
 * Opens the cache of a server.
 *
 * @param folder - the cache of forks; undefined for a cache in memory
 * @param url - of the server; its digest is stored
 */
export function openSourceCache(folder: string | undefined, url: string): SourceCache {
  return folder === undefined ? memoryCache() : folderCache(join(folder, CACHE_PARTS.sources, digestOf(url)));
}

/** The folder of the cache that a fork's option `cache` means; undefined for none. */
export function sourceFolderOf(cache: boolean | { readonly folder?: string | undefined } = true): string | undefined {
  if (cache === false) return undefined;
  return cache === true ? defaultCacheFolder() : (cache.folder ?? defaultCacheFolder());
}

function folderCache(root: string): SourceCache {
  const pathOf = (chainId: bigint, address: Bytes): string =>
    join(root, `${chainId}`, `${Buffer.from(address).toString("hex")}.json`);
  return {
    get: (chainId, address) => {
      const path = pathOf(chainId, address);
      const content = readFileAt(path);
      if (content === undefined) return undefined;
      const { usedAt } = sizeOf(path);
      if (content.length > 0) touch(path);
      return { text: content.toString(), ageMs: Date.now() - usedAt };
    },
    put: (chainId, address, text) => writeWhole(pathOf(chainId, address), text),
  };
}

function memoryCache(): SourceCache {
  const answers = new LRUCache<string, { readonly text: string; readonly at: number }>({ maxSize: MEMORY_BYTES });
  const keyOf = (chainId: bigint, address: Bytes): string => `${chainId} ${Buffer.from(address).toString("hex")}`;
  return {
    get: (chainId, address) => {
      const found = answers.get(keyOf(chainId, address));
      return found && { text: found.text, ageMs: Date.now() - found.at };
    },
    put: (chainId, address, text) =>
      void answers.set(keyOf(chainId, address), { text, at: Date.now() }, { size: text.length * 2 + EMPTY_BYTES }),
  };
}

const digestOf = (url: string): string => createHash("sha256").update(url).digest("hex");
