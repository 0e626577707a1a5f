/** Reads the hashes that a program names blocks and transactions by. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeData, type Hex, isData } from "../../primitives/bytes/hex.ts";
import { showValue } from "../../primitives/shapes/show-value.ts";

const HASH_BYTES = 32;

/**
 * @param name - of the argument
 * @param others - what it may be beside a hash, which the caller looks for
 * @throws {InvalidParamsError} `INVALID_PARAMS` for anything but 32 bytes, or their DATA
 */
export function requireHash(hash: Bytes | Hex, name = "hash", others = ""): Bytes {
  const bytes = typeof hash === "string" && isData(hash) ? decodeData(hash) : hash;
  if (bytes instanceof Uint8Array && bytes.length === HASH_BYTES) return bytes;
  const got = hash instanceof Uint8Array ? `${hash.length} bytes` : showValue(hash);
  throw new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: `${name}: expected ${others}32 bytes in a Uint8Array or as DATA, got ${got}.`,
  });
}
