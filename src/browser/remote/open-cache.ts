/** The cache of a fork in a browser: in memory. Counterpart of `remote/cache/open-cache.ts`. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import { makeMemoryCache, type RemoteCache } from "../../remote/cache/remote-cache.ts";
import type { RemoteOptions } from "../../remote/upstream.ts";

/** @throws {UnsupportedError} `UNSUPPORTED` for a folder */
export function openCache(cache: RemoteOptions["cache"] = true): RemoteCache {
  if (typeof cache === "boolean") return makeMemoryCache();
  throw new UnsupportedError({
    code: "UNSUPPORTED",
    what: "The cache of a fork in a browser is in memory.",
    fix: "Leave fork.cache out.",
  });
}
