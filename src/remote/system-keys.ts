/** The accounts and slots that every block accesses at its beginning and end. */
import {
  BEACON_ROOTS_ADDRESS,
  BLOCK_HASH_HISTORY_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../chainspec/system-contracts.ts";
import { bigIntToFixedBytes } from "../primitives/bytes/bytes.ts";
import type { PinnedBlock, StateKeys } from "./upstream.ts";

/** Slots of a request queue: excess, count, head and tail (EIP-7002, EIP-7251). */
const QUEUE_SLOTS = [0n, 1n, 2n, 3n];

/**
 * All system contracts, and the slots of theirs that every block reads. Those of beacon roots (EIP-4788) and block
 * hashes (EIP-2935) are missing, because they depend on the block.
 */
export function allSystemKeys(): readonly StateKeys[] {
  const slots = QUEUE_SLOTS.map((slot) => bigIntToFixedBytes(slot, 32));
  return [
    { address: BEACON_ROOTS_ADDRESS, slots: [] },
    { address: BLOCK_HASH_HISTORY_ADDRESS, slots: [] },
    { address: WITHDRAWAL_REQUESTS_ADDRESS, slots },
    { address: CONSOLIDATION_REQUESTS_ADDRESS, slots },
  ];
}

/** Those of them that the chain has at the pinned block: this is decided by members of its header. */
export function systemKeys({ json }: PinnedBlock): readonly StateKeys[] {
  if (typeof json.requestsHash === "string") return allSystemKeys();
  return typeof json.parentBeaconBlockRoot === "string" ? allSystemKeys().slice(0, 1) : [];
}
