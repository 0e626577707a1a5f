/** The fork identifier by which nodes recognise each other's chain (EIP-2124), at a time (EIP-6122). */
import { type Bytes, bigIntToFixedBytes } from "../primitives/bytes/bytes.ts";
import { crc32Of } from "../primitives/platform/gzip.ts";
import type { ForkSchedule } from "./genesis/genesis.ts";

/**
 * Checksum of the genesis hash and of all activated forks, 4 bytes.
 *
 * All forks by block are included, because forks by time come after them; forks at or before the genesis block are not.
 *
 * @param genesis - hash and timestamp in seconds of the first block
 * @param timestamp - includes forks by time up to this second
 * @see EIP-2124, EIP-6122
 */
export function forkIdHash(
  schedule: ForkSchedule,
  genesis: { readonly hash: Bytes; readonly timestamp: bigint },
  timestamp: bigint,
): Bytes {
  const { daoForkBlock, mergeNetsplitBlock } = schedule;
  const blocks = [...Object.values(schedule.blocks), daoForkBlock, mergeNetsplitBlock];
  const times = Object.values(schedule.times).filter((time) => time > genesis.timestamp && time <= timestamp);
  let checksum = crc32Of(genesis.hash);
  for (const fork of [...ascending(blocks), ...ascending(times)]) {
    checksum = crc32Of(bigIntToFixedBytes(fork, 8), checksum);
  }
  return bigIntToFixedBytes(BigInt(checksum), 4);
}

/** Each value once, without zero and undefined. */
function ascending(values: readonly (bigint | undefined)[]): bigint[] {
  const distinct = new Set(values.filter((value) => value !== undefined && value > 0n) as bigint[]);
  return [...distinct].sort((left, right) => (left < right ? -1 : 1));
}
