/** The accounts and slots that the beginning and the end of a block touch, whatever is in it. */
import {
  BEACON_ROOTS_ADDRESS,
  BLOCK_HASH_HISTORY_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../chainspec/system-contracts.ts";
import { bigIntToFixedBytes } from "../primitives/bytes/bytes.ts";
import type { PinnedBlock, StateKeys } from "./upstream.ts";

/** Slots of the ring of block hashes (EIP-2935). */
const HISTORY_LENGTH = 8191n;
/** Excess, count, head and tail of a queue of requests (EIP-7002, EIP-7251). */
const QUEUE_SLOTS = [0n, 1n, 2n, 3n];

/**
 * System contracts with the slots that the block after the pin reads. The slots of beacon roots (EIP-4788) depend on the time of
 * that block, which is not known yet.
 */
export function systemKeys({ number, json }: PinnedBlock): readonly StateKeys[] {
  const keysOf = (address: Uint8Array, slots: readonly bigint[]): StateKeys => ({
    address,
    slots: slots.map((slot) => bigIntToFixedBytes(slot, 32)),
  });
  const keys: StateKeys[] = [];
  // By the members of the header: the chain may have these hardforks or not.
  if (typeof json.parentBeaconBlockRoot === "string") keys.push(keysOf(BEACON_ROOTS_ADDRESS, []));
  if (typeof json.requestsHash !== "string") return keys;
  keys.push(keysOf(BLOCK_HASH_HISTORY_ADDRESS, [number % HISTORY_LENGTH]));
  keys.push(keysOf(WITHDRAWAL_REQUESTS_ADDRESS, QUEUE_SLOTS), keysOf(CONSOLIDATION_REQUESTS_ADDRESS, QUEUE_SLOTS));
  return keys;
}
