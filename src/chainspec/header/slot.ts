/** The slot of a block (EIP-7843), where no consensus layer gives one. */
import { maxBigInt } from "../../primitives/bytes/limits.ts";
import type { Header } from "./header.ts";

/**
 * The slot of a time, if no consensus layer gives one: counted from the first block, or if a block has another than
 * that, from this block on.
 *
 * @param from - the parent of the block to be, or the block that is given another time
 * @param timestamp - seconds
 */
export function slotAfter(from: Header, timestamp: bigint, genesis: Header): bigint {
  const { slotNumber } = from;
  if (slotNumber === undefined || slotNumber === slotAt(from.timestamp, genesis)) return slotAt(timestamp, genesis);
  return maxBigInt(slotNumber + (timestamp - from.timestamp) / SECONDS_PER_SLOT, 0n);
}

/** Slots begin with the first block and take 12 seconds. */
function slotAt(timestamp: bigint, genesis: Pick<Header, "timestamp" | "slotNumber">): bigint {
  return (genesis.slotNumber ?? 0n) + maxBigInt(timestamp - genesis.timestamp, 0n) / SECONDS_PER_SLOT;
}

const SECONDS_PER_SLOT = 12n;
