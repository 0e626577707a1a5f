/**
 * Answers of servers of contract sources, by server, chain and address. The file of a contract that a server does not know
 * is empty; its age is that of the answer.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { readFileAt, sizeOf, touch, writeWhole } from "./files.ts";
import { makeMemorySources, type SourceCache } from "./memory-sources.ts";
import { CACHE_PARTS, defaultCacheFolder } from "./paths.ts";

/**
 * Opens the cache of a server.
 *
 * @param folder - the cache of forks; undefined for a cache in memory
 * @param url - of the server; its digest is stored
 */
export function openSourceCache(folder: string | undefined, url: string): SourceCache {
  return folder === undefined ? makeMemorySources() : folderCache(join(folder, CACHE_PARTS.sources, digestOf(url)));
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

const digestOf = (url: string): string => createHash("sha256").update(url).digest("hex");
