/** Merges the blocks that the node lists with those that the page has seen. */
import type { ListedBlock } from "../rpc/types.ts";

/** A block of the list, with its history on this page. */
export interface KnownBlock extends ListedBlock {
  /** True if it was canonical when the page first saw it, and is not now. */
  readonly hasLeft: boolean;
  /** True if it was added while the page was open. */
  readonly isNew: boolean;
}

/**
 * Adds blocks to the node's list that it listed before and has dropped since, as after a reorg. The list begins anew
 * where the head is below what was shown, or no block is known: after a revert, or on another chain at the same address.
 */
export function mergeBlocks(
  listed: readonly ListedBlock[],
  shown: readonly KnownBlock[] | undefined,
): readonly KnownBlock[] {
  const before = shown === undefined || isAnotherChain(listed, shown) ? undefined : shown;
  const known = new Map(before?.map((block) => [block.hash, block]));
  const current = listed.map((block) => {
    const last = known.get(block.hash);
    const hasLeft = !block.isCanonical && (last?.isCanonical === true || last?.hasLeft === true);
    return { ...block, hasLeft, isNew: before !== undefined && last === undefined };
  });
  const hashes = new Set(listed.map(({ hash }) => hash));
  const lowest = listed.at(-1);
  const gone = (before ?? [])
    .filter(({ hash, number }) => !hashes.has(hash) && lowest !== undefined && BigInt(number) >= BigInt(lowest.number))
    .map((block) => ({ ...block, isCanonical: false, hasLeft: true, isNew: false }));
  return [...current, ...gone].sort(
    (left, right) =>
      Number(BigInt(right.number) - BigInt(left.number)) || Number(right.isCanonical) - Number(left.isCanonical),
  );
}

function isAnotherChain(listed: readonly ListedBlock[], shown: readonly KnownBlock[]): boolean {
  const head = (blocks: readonly ListedBlock[]): bigint =>
    BigInt(blocks.find(({ isCanonical }) => isCanonical)?.number ?? "0x0");
  const hashes = new Set(shown.map(({ hash }) => hash));
  return head(listed) < head(shown) || !listed.some(({ hash }) => hashes.has(hash));
}
