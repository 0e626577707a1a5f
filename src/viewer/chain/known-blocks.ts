/** The blocks that the page lists: those of the node, and those that it had seen and that are gone. */
import { useEffect, useState } from "preact/hooks";
import { ask } from "../rpc/client.ts";
import { useHead } from "../rpc/live.ts";
import type { ListedBlock } from "../rpc/types.ts";

/** Numbers in one answer. */
const PAGE = 25;

export interface KnownBlock extends ListedBlock {
  /** It was part of the chain when the page first saw it, and is no longer. */
  readonly hasLeft: boolean;
  /** It came while the page was open. */
  readonly isNew: boolean;
}

export interface KnownBlocks {
  /** By falling number; of one number the chain's own is first. Undefined until the first answer. */
  readonly blocks: readonly KnownBlock[] | undefined;
  readonly error: Error | undefined;
  /** Undefined where there are none. */
  readonly loadOlder: (() => void) | undefined;
}

/** The newest blocks, kept up to date while the chain moves. */
export function useBlocks(): KnownBlocks {
  const head = useHead();
  const [pages, setPages] = useState(1);
  const [state, setState] = useState<Omit<KnownBlocks, "loadOlder">>({ blocks: undefined, error: undefined });
  useEffect(() => {
    if (head === undefined) return;
    let isWanted = true;
    ask<readonly ListedBlock[]>("hindcast_getBlocks", { count: Math.min(PAGE * pages, 200) }).then(
      (listed) => isWanted && setState(({ blocks }) => ({ blocks: merge(listed, blocks), error: undefined })),
      (error: Error) => isWanted && setState(({ blocks }) => ({ blocks, error })),
    );
    return () => {
      isWanted = false;
    };
  }, [head?.hash, pages]);
  const { blocks } = state;
  const lowest = blocks?.findLast(({ isCanonical }) => isCanonical);
  const hasMore = lowest !== undefined && BigInt(lowest.number) > 0n && pages * PAGE < 200;
  return { ...state, loadOlder: hasMore ? () => setPages(pages + 1) : undefined };
}

/** What the node lists now, with what it listed before and has forgotten. */
export function merge(
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
