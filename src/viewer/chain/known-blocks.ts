/** Loads the blocks that the page lists, and updates them when the chain changes. */
import { useEffect, useState } from "preact/hooks";
import { ask } from "../rpc/client.ts";
import { useHead } from "../rpc/live.ts";
import type { ListedBlock } from "../rpc/types.ts";
import { type KnownBlock, mergeBlocks } from "./merge-blocks.ts";

/** Block numbers in one request. */
const PAGE = 25;

export interface KnownBlocks {
  /** By descending number. Of several blocks with one number, the canonical one is first. Undefined until loaded. */
  readonly blocks: readonly KnownBlock[] | undefined;
  readonly error: Error | undefined;
  /** Undefined if there are no older blocks. */
  readonly loadOlder: (() => void) | undefined;
}

/** Loads the newest blocks. */
export function useBlocks(): KnownBlocks {
  const head = useHead();
  const [pages, setPages] = useState(1);
  const [state, setState] = useState<Omit<KnownBlocks, "loadOlder">>({ blocks: undefined, error: undefined });
  useEffect(() => {
    if (head === undefined) return;
    let isWanted = true;
    ask<readonly ListedBlock[]>("hindcast_getBlocks", { count: Math.min(PAGE * pages, 200) }).then(
      (listed) => isWanted && setState(({ blocks }) => ({ blocks: mergeBlocks(listed, blocks), error: undefined })),
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
