/** The accounts and slots that every block accesses at its beginning and end. */
import {
  BEACON_ROOTS_ADDRESS,
  BLOCK_HASH_HISTORY_ADDRESS,
  BUILDER_DEPOSITS_ADDRESS,
  BUILDER_EXITS_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../chainspec/system-contracts.ts";
import { bigIntToFixedBytes } from "../primitives/bytes/bytes.ts";
import type { PinnedBlock, StateKeys } from "./upstream.ts";

/** Length of the ring buffer of block hashes (EIP-2935). */
const HISTORY_LENGTH = 8191n;
/** Slots of a request queue: excess, count, head and tail (EIP-7002, EIP-7251, EIP-8282). */
const QUEUE_SLOTS = [0n, 1n, 2n, 3n];

/**
 * System contracts and the slots that the first block of the fork reads. The slots of beacon roots (EIP-4788) are
 * missing, because they depend on that block's time.
 */
export function systemKeys({ number, json }: PinnedBlock): readonly StateKeys[] {
  const keysOf = (address: Uint8Array, slots: readonly bigint[]): StateKeys => ({
    address,
    slots: slots.map((slot) => bigIntToFixedBytes(slot, 32)),
  });
  const keys: StateKeys[] = [];
  // Decided by header members, because the chain may not have these hardforks.
  if (typeof json.parentBeaconBlockRoot === "string") keys.push(keysOf(BEACON_ROOTS_ADDRESS, []));
  if (typeof json.requestsHash !== "string") return keys;
  keys.push(keysOf(BLOCK_HASH_HISTORY_ADDRESS, [number % HISTORY_LENGTH]));
  keys.push(keysOf(WITHDRAWAL_REQUESTS_ADDRESS, QUEUE_SLOTS), keysOf(CONSOLIDATION_REQUESTS_ADDRESS, QUEUE_SLOTS));
  if (typeof json.blockAccessListHash !== "string") return keys;
  keys.push(keysOf(BUILDER_DEPOSITS_ADDRESS, QUEUE_SLOTS), keysOf(BUILDER_EXITS_ADDRESS, QUEUE_SLOTS));
  return keys;
}
