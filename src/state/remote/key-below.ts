/**
 * Finds keys of a trie by the beginning of their path, so that a node can be requested from the forked chain: its nodes
 * give proofs of addresses and slots only, not of paths.
 */
import { type Bytes, bigIntToFixedBytes } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { Breaks } from "../../primitives/platform/turns.ts";

/**
 * Longest path, in nibbles, for which a key is searched. It takes 65,536 hashes on average, and 16 times as many for
 * each further nibble.
 */
export const MAX_SEARCHED_PATH = 4;
/** Hashes between two looks at the clock. */
const HASHES_A_STEP = 256n;

/**
 * An address or slot whose hash begins with a path: always the same one. Yields to the event loop.
 *
 * @param path - nibbles, at most {@link MAX_SEARCHED_PATH}
 * @param length - of the key in bytes
 */
export async function keyBelow(path: Bytes, length: 20 | 32): Promise<Bytes> {
  const breaks = new Breaks();
  for (let counter = 0n; ; counter++) {
    const key = bigIntToFixedBytes(counter, length);
    if (beginsWith(keccak256(key), path)) return key;
    if (counter % HASHES_A_STEP === 0n) await breaks.check();
  }
}

function beginsWith(hash: Bytes, path: Bytes): boolean {
  for (let index = 0; index < path.length; index++) {
    const byte = hash[index >> 1] as number;
    if ((index % 2 === 0 ? byte >> 4 : byte & 15) !== path[index]) return false;
  }
  return true;
}
