/** Contract code by hash: always the same array for the same code, so that what was worked out for it is found again. */
import { LRUCache } from "lru-cache";
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { EMPTY_CODE_HASH } from "../../primitives/hash/hash.ts";
import { wordKey } from "../map-keys.ts";

/** Added to each code's length: what an entry costs beside the bytes. */
const ENTRY_BYTES = 300;

export class CodeCache {
  readonly #load: (hash: Bytes) => Bytes | undefined;
  readonly #cache: LRUCache<string, Bytes>;

  /** @param maxBytes - memory for codes, approximately */
  constructor(load: (hash: Bytes) => Bytes | undefined, maxBytes: number) {
    this.#load = load;
    this.#cache = new LRUCache({ maxSize: maxBytes, sizeCalculation: (code) => code.length + ENTRY_BYTES });
  }

  /**
   * The code behind a hash.
   *
   * @throws {StoreError} `STORE_CORRUPT` when it is missing
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

  /** The code behind a hash, or undefined. */
  find(hash: Bytes): Bytes | undefined {
    if (equalBytes(hash, EMPTY_CODE_HASH)) return EMPTY_BYTES;
    const key = wordKey(hash);
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const code = this.#load(hash);
    if (code !== undefined) this.#cache.set(key, code);
    return code;
  }

  /** Lets go of a code that will not be asked for. */
  forget(hash: Bytes): void {
    this.#cache.delete(wordKey(hash));
  }

  /** Takes in a code that is already at hand. */
  add(hash: Bytes, code: Bytes): void {
    const key = wordKey(hash);
    if (!this.#cache.has(key)) this.#cache.set(key, code);
  }
}
