/** Parses hashes of blocks and transactions from programs. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { Hex } from "../../primitives/bytes/hex.ts";
import { once } from "../../primitives/once.ts";
import { type LooseBytes, toBytes } from "../../primitives/validation/loose.ts";
import { requireShape, shape } from "../../primitives/validation/shape.ts";

const HASH_BYTES = 32;
const HASH = "32 bytes in a Uint8Array or as DATA";

const looseHash = once(() => shape(HASH, isHash));

/** Shape of a block's name, for {@link requireHash}. The caller handles numbers itself. */
export const blockName = once(() => shape(`a block number as a bigint, or ${HASH}`, isHash));

/** True for 32 bytes, also as DATA. */
export function isHash(value: unknown): boolean {
  const bytes = toBytes(value as LooseBytes);
  return bytes instanceof Uint8Array && bytes.length === HASH_BYTES;
}

/**
 * @param name - name of the argument
 * @throws {InvalidParamsError} `INVALID_PARAMS` unless the value is 32 bytes, or their DATA
 */
export function requireHash(hash: Bytes | Hex, name = "hash", shape = looseHash()): Bytes {
  requireShape(shape, hash, name);
  return toBytes(hash);
}
