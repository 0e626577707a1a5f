/** Where each block stands beside the chain. */
import type { KnownBlock } from "./merge-blocks.ts";

/** Lanes that a list of blocks takes: one for the chain, and one for each block more at one height. */
export function lanesOf(blocks: readonly KnownBlock[]): ReadonlyMap<string, number> {
  const lanes = new Map<string, number>();
  const taken = new Map<string, number>();
  // From the oldest up, so that a branch stays in the lane that its first block took.
  for (const block of blocks.toReversed()) {
    const parentLane = lanes.get(block.parentHash) ?? 0;
    const next = (taken.get(block.number) ?? 0) + 1;
    const lane = block.isCanonical ? 0 : Math.max(next, parentLane);
    lanes.set(block.hash, lane);
    if (lane > 0) taken.set(block.number, lane);
  }
  return lanes;
}
