/** Puts together what the node lists and what the page has seen. */
import type { ListedBlock } from "../rpc/types.ts";

export interface KnownBlock extends ListedBlock {
  /** It was part of the chain when the page first saw it, and is no longer. */
  readonly hasLeft: boolean;
  /** It came while the page was open. */
  readonly isNew: boolean;
}

/** What the node lists now, with what it listed before and has forgotten. */
export function mergeBlocks(
  listed: readonly ListedBlock[],
  before: readonly KnownBlock[] | undefined,
): readonly KnownBlock[] {
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
