/** The accounts and slots that every block accesses at its beginning and end. */
import {
  BEACON_ROOTS_ADDRESS,
  BLOCK_HASH_HISTORY_ADDRESS,
  BUILDER_DEPOSITS_ADDRESS,
  BUILDER_EXITS_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  SYSTEM_ADDRESS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../chainspec/system-contracts.ts";
import { bigIntToFixedBytes } from "../primitives/bytes/bytes.ts";
import type { PinnedBlock, StateKeys } from "./upstream.ts";

/** Slots of a request queue: excess, count, head and tail (EIP-7002, EIP-7251, EIP-8282). */
const QUEUE_SLOTS = [0n, 1n, 2n, 3n];

/**
 * The system contracts of Prague with their caller, and the slots of theirs that every block reads. Those of beacon roots
 * (EIP-4788) and block hashes (EIP-2935) are missing: every block overwrites other ones, without need of their values.
 */
export function allSystemKeys(): readonly StateKeys[] {
  return [...keysOf(SYSTEM_ADDRESS, BEACON_ROOTS_ADDRESS, BLOCK_HASH_HISTORY_ADDRESS), ...queuesOf(...REQUEST_QUEUES)];
}

const REQUEST_QUEUES = [WITHDRAWAL_REQUESTS_ADDRESS, CONSOLIDATION_REQUESTS_ADDRESS];

const keysOf = (...addresses: readonly Uint8Array[]): readonly StateKeys[] =>
  addresses.map((address) => ({ address, slots: [] }));

function queuesOf(...addresses: readonly Uint8Array[]): readonly StateKeys[] {
  const slots = QUEUE_SLOTS.map((slot) => bigIntToFixedBytes(slot, 32));
  return addresses.map((address) => ({ address, slots }));
}

/** The contracts that the chain has at the pinned block, which the members of its header tell. */
export function systemKeys({ json }: PinnedBlock): readonly StateKeys[] {
  if (typeof json.requestsHash !== "string") {
    return typeof json.parentBeaconBlockRoot === "string" ? keysOf(SYSTEM_ADDRESS, BEACON_ROOTS_ADDRESS) : [];
  }
  if (typeof json.blockAccessListHash !== "string") return allSystemKeys();
  return [...allSystemKeys(), ...queuesOf(BUILDER_DEPOSITS_ADDRESS, BUILDER_EXITS_ADDRESS)];
}
