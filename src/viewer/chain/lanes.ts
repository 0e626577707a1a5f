/** Computes the column of each block in the drawing. */
import type { KnownBlock } from "./merge-blocks.ts";

/**
 * Column of each block by hash. The canonical chain has column 0. A side block or an uncle has its parent's column, or
 * the next one that is free.
 */
export function lanesOf(blocks: readonly KnownBlock[]): ReadonlyMap<string, number> {
  const lanes = new Map<string, number>();
  const taken = new Map<string, number>();
  // From the oldest block upwards, so that a branch stays in the column of its first block.
  for (const block of blocks.toReversed()) {
    const parentLane = lanes.get(block.parentHash) ?? 0;
    const next = (taken.get(block.number) ?? 0) + 1;
    const lane = block.isCanonical ? 0 : Math.max(next, parentLane);
    lanes.set(block.hash, lane);
    if (lane > 0) taken.set(block.number, lane);
  }
  return lanes;
}
