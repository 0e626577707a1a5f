/** The 2048-bit log bloom of yellow paper §4.3.1. */
import type { Bytes } from "../bytes/bytes.ts";
import { keccak256 } from "./hash.ts";

/** Bytes of a bloom. */
export const BLOOM_BYTES = 256;

/** The bloom of no logs. It is shared and must not be changed. */
export const EMPTY_BLOOM: Bytes = new Uint8Array(BLOOM_BYTES);

/** Sets the three bits of one entry (an address or a topic) in `bloom`, in place. */
export function addToBloom(bloom: Bytes, entry: Bytes): void {
  const hash = keccak256(entry);
  for (let pair = 0; pair < 6; pair += 2) {
    const bit = (((hash[pair] as number) << 8) | (hash[pair + 1] as number)) & 2047;
    const position = BLOOM_BYTES - 1 - (bit >> 3);
    bloom[position] = (bloom[position] as number) | (1 << (bit & 7));
  }
}

/** False if an entry (an address or a topic) is not in `bloom`; true may be a false positive. */
export function bloomHas(bloom: Bytes, entry: Bytes): boolean {
  const hash = keccak256(entry);
  for (let pair = 0; pair < 6; pair += 2) {
    const bit = (((hash[pair] as number) << 8) | (hash[pair + 1] as number)) & 2047;
    if (((bloom[BLOOM_BYTES - 1 - (bit >> 3)] as number) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** Adds all bits of `other` to `bloom`, in place. */
export function mergeBloom(bloom: Bytes, other: Bytes): void {
  for (let index = 0; index < BLOOM_BYTES; index++) bloom[index] = (bloom[index] as number) | (other[index] as number);
}

/** The bloom of the addresses and topics of logs. */
export function bloomOfLogs(logs: Iterable<{ readonly address: Bytes; readonly topics: readonly Bytes[] }>): Bytes {
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const log of logs) {
    addToBloom(bloom, log.address);
    for (const topic of log.topics) addToBloom(bloom, topic);
  }
  return bloom;
}
