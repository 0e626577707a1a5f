/** Answers of servers of sources, in memory. Counterpart of `remote/cache/source-cache.ts`. */
import { makeMemorySources, type SourceCache } from "../../remote/cache/memory-sources.ts";

/** A cache in memory. */
export const openSourceCache = (_folder: string | undefined, _url: string): SourceCache => makeMemorySources();

/** Undefined: a browser has no folders. */
export const sourceFolderOf = (_cache?: unknown): string | undefined => undefined;
