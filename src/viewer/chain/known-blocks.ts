/** Loads the blocks that the page lists, and updates them when the chain changes. */
import { useLayoutEffect, useState } from "preact/hooks";
import { useRemembered } from "../components/remembered.ts";
import { ask } from "../rpc/client.ts";
import { useHead, useReturns } from "../rpc/live.ts";
import { Turns } from "../rpc/turns.ts";
import type { ListedBlock } from "../rpc/types.ts";
import { type KnownBlock, mergeBlocks } from "./merge-blocks.ts";

/** Block numbers in one request. */
const PAGE = 25;

/** The newest blocks, as far as the page knows them. */
export interface KnownBlocks {
  /** By descending number. Of several blocks with one number, the canonical one is first. Undefined until loaded. */
  readonly blocks: readonly KnownBlock[] | undefined;
  readonly error: Error | undefined;
  /** Undefined if there are no older blocks. */
  readonly loadOlder: (() => void) | undefined;
}

/** Most block numbers that the node lists at once. */
const MOST_LISTED = 200;

/** Loads the blocks of the highest numbers, with as many requests as that takes. */
async function loadBlocks(head: string, count: number): Promise<readonly ListedBlock[]> {
  const parts: Promise<readonly ListedBlock[]>[] = [];
  for (let start = 0; start < count && BigInt(start) <= BigInt(head); start += MOST_LISTED) {
    const from = `0x${(BigInt(head) - BigInt(start)).toString(16)}`;
    parts.push(ask("hindcast_getBlocks", { from, count: Math.min(MOST_LISTED, count - start) }));
  }
  return (await Promise.all(parts)).flat();
}

interface State extends Omit<KnownBlocks, "loadOlder"> {
  /** How often the node had come back when they were loaded. */
  readonly at: number;
}

/** Loads the newest blocks. The list begins anew after the node did not answer: it may be another chain's then. */
export function useBlocks(): KnownBlocks {
  const head = useHead();
  const returns = useReturns();
  const [pages, setPages] = useRemembered("blocks", 1);
  const [turns] = useState(() => new Turns());
  const [state, setState] = useState<State>({ blocks: undefined, error: undefined, at: returns });
  useLayoutEffect(() => {
    if (head === undefined) return;
    const isNext = turns.next();
    const show = (listed: readonly ListedBlock[]) =>
      setState(({ blocks, at }) => ({
        blocks: mergeBlocks(listed, at === returns ? blocks : undefined),
        error: undefined,
        at: returns,
      }));
    loadBlocks(head.number, PAGE * pages).then(
      (listed) => isNext() && show(listed),
      (error: Error) => isNext() && setState((last) => ({ ...last, error })),
    );
  }, [head?.hash, pages, returns]);
  const { blocks, error } = state;
  const lowest = blocks?.findLast(({ isCanonical }) => isCanonical);
  const hasMore = lowest !== undefined && BigInt(lowest.number) > 0n;
  return { blocks, error, loadOlder: hasMore ? () => setPages(pages + 1) : undefined };
}
