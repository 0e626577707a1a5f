/** Answers of servers of contract sources, for one process. */
import { LRUCache } from "lru-cache";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";

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

/** A cache in memory. */
export function makeMemorySources(): SourceCache {
  const answers = new LRUCache<string, { readonly text: string; readonly at: number }>({ maxSize: MEMORY_BYTES });
  const keyOf = (chainId: bigint, address: Bytes): string => `${chainId} ${bytesKey(address)}`;
  return {
    get: (chainId, address) => {
      const found = answers.get(keyOf(chainId, address));
      return found && { text: found.text, ageMs: Date.now() - found.at };
    },
    put: (chainId, address, text) =>
      void answers.set(keyOf(chainId, address), { text, at: Date.now() }, { size: text.length * 2 + EMPTY_BYTES }),
  };
}
