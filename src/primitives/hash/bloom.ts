/** The 2048-bit log bloom of yellow paper §4.3.1. */
import { type Bytes, equalBytes } from "../bytes/bytes.ts";
import { atOnce, type Steps } from "../platform/turns.ts";
import { keccak256 } from "./hash.ts";

/** Bytes of a bloom. */
export const BLOOM_BYTES = 256;

/** Logs between two breaks. */
const LOGS_OF_STEP = 100;

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

/** The members of a log that its bloom is made of. */
interface Bloomed {
  readonly address: Bytes;
  readonly topics: readonly Bytes[];
}

/** The bloom of the addresses and topics of logs. */
export function bloomOfLogs(logs: Iterable<Bloomed>): Bytes {
  return atOnce(bloomSteps(logs));
}

/** The same in steps, since a topic of its own in each of many logs takes tens of milliseconds. */
export function* bloomSteps(logs: Iterable<Bloomed>): Steps<Bytes> {
  const bloom = new Uint8Array(BLOOM_BYTES);
  // The last address, and the last topic of each position: logs in a row mostly have the same, which are hashed once.
  let address: Bytes | undefined;
  const last: Bytes[] = [];
  let count = 0;
  for (const log of logs) {
    if (address === undefined || !equalBytes(address, log.address)) addToBloom(bloom, log.address);
    address = log.address;
    for (let position = 0; position < log.topics.length; position++) {
      const topic = log.topics[position] as Bytes;
      const known = last[position];
      if (known === undefined || !equalBytes(known, topic)) addToBloom(bloom, topic);
      last[position] = topic;
    }
    if (++count % LOGS_OF_STEP === 0) yield;
  }
  return bloom;
}
