/**
 * Caches contract code by hash. It always returns the same array for the same code, so that data derived from it can be
 * cached by the array.
 */
import { LRUCache } from "lru-cache";
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { EMPTY_CODE_HASH } from "../../primitives/hash/hash.ts";
import { wordKey } from "../map-keys.ts";

/** Estimated bytes of an entry beside the code. */
const ENTRY_BYTES = 300;

/** A cache of contract code. One for each {@link StateDatabase}. */
export class CodeCache {
  readonly #load: (hash: Bytes) => Bytes | undefined;
  readonly #cache: LRUCache<string, Bytes>;

  /** @param maxBytes - approximate memory for codes */
  constructor(load: (hash: Bytes) => Bytes | undefined, maxBytes: number) {
    this.#load = load;
    this.#cache = new LRUCache({ maxSize: maxBytes, sizeCalculation: (code) => code.length + ENTRY_BYTES });
  }

  /**
   * The code with a hash.
   *
   * @throws {StoreError} `STORE_CORRUPT` if it is missing
   */
  get(hash: Bytes): Bytes {
    const code = this.find(hash);
    if (code !== undefined) return code;
    throw new StoreError({
      code: "STORE_CORRUPT",
      what: "The code of a contract is missing.",
      where: `Code hash ${encodeData(hash)}.`,
      fix: "Restore the folder from a copy, or delete it and import the chain again.",
    });
  }

  /** The code with a hash; undefined if there is none. */
  find(hash: Bytes): Bytes | undefined {
    if (equalBytes(hash, EMPTY_CODE_HASH)) return EMPTY_BYTES;
    const key = wordKey(hash);
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const code = this.#load(hash);
    if (code !== undefined) this.#cache.set(key, code);
    return code;
  }

  /** Removes a code that will not be requested again. */
  forget(hash: Bytes): void {
    this.#cache.delete(wordKey(hash));
  }

  /** Adds a code. */
  add(hash: Bytes, code: Bytes): void {
    const key = wordKey(hash);
    if (!this.#cache.has(key)) this.#cache.set(key, code);
  }
}
