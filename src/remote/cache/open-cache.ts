/** Opens the cache that a fork's option names. */
import type { RemoteOptions } from "../upstream.ts";
import { DiskCache } from "./disk-cache.ts";
import { defaultCacheFolder } from "./paths.ts";
import { makeMemoryCache, type RemoteCache } from "./remote-cache.ts";

const DEFAULT_BYTES = 2 * 1024 ** 3;

/** By default the folder of all forks; false for a cache in memory. */
export function openCache(cache: RemoteOptions["cache"] = true): RemoteCache {
  if (cache === false) return makeMemoryCache();
  const { folder = defaultCacheFolder(), maxBytes = DEFAULT_BYTES } = cache === true ? {} : cache;
  return new DiskCache(folder, maxBytes);
}
