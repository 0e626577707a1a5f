/** Reads codes, trie nodes and preimages by the keys of geth's database. */
import { InvalidParamsError, NotFoundError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { StateDatabase } from "../../state/state-database.ts";

/** Prefixes of the hash in geth's keys (`core/rawdb/schema.go`). Keys of trie nodes have none. */
const CODE_PREFIX = new TextEncoder().encode("c");
const PREIMAGE_PREFIX = new TextEncoder().encode("secure-key-");
const HASH_BYTES = 32;

/** Serves `debug_dbGet`, `debug_preimage` and `debug_codeByHash`. */
export class DatabaseQueries {
  readonly #states: StateDatabase;

  constructor(states: StateDatabase) {
    this.#states = states;
  }

  /** Code by its hash; undefined if no account of this chain has had it. */
  code(codeHash: Bytes): Bytes | undefined {
    return this.#states.codeOf(codeHash);
  }

  /**
   * The value under a key of geth's database.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a key that is not that of a code, trie node or preimage
   */
  value(key: Bytes): Bytes | undefined {
    const prefix = key.subarray(0, -HASH_BYTES);
    const hash = key.subarray(-HASH_BYTES);
    if (key.length === HASH_BYTES) return this.#states.trieNodeOf(hash);
    if (equalBytes(prefix, CODE_PREFIX)) return this.code(hash);
    if (equalBytes(prefix, PREIMAGE_PREFIX)) return this.#states.preimageOf(hash);
    throw new InvalidParamsError({
      code: "INVALID_PARAMS",
      what: `params[0]: there is no value for the key ${encodeData(key.subarray(0, 64))} of ${key.length} bytes.`,
      fix: 'Give the hash of a trie node, "c" and a code hash, or "secure-key-" and the hash of an address or slot.',
    });
  }

  /** @throws {NotFoundError} `UNKNOWN_PREIMAGE` where no address or slot with this hash was written */
  requirePreimage(hash: Bytes): Bytes {
    const preimage = this.#states.preimageOf(hash);
    if (preimage !== undefined) return preimage;
    throw new NotFoundError({
      code: "UNKNOWN_PREIMAGE",
      what: "unknown preimage",
      where: `No address or slot of this chain has the hash ${encodeData(hash)}.`,
      fix: "Give the Keccak-256 of an address or slot that the state holds.",
    });
  }
}
