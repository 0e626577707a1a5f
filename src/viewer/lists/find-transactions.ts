/** Collects the transactions of the chain from the head down, as far as the page wants them. */
import { type Mined, minedIn } from "../chain/latest-transactions.tsx";
import { ask } from "../rpc/client.ts";
import type { ListedBlock } from "../rpc/types.ts";

/** Blocks that are listed with one request; the node lists no more. */
const SPAN = 200;
/** Most blocks that are searched for one page: those of an idle chain are many. */
const MOST_BLOCKS = 5_000;

/** The newest transactions first. */
export interface FoundTransactions {
  readonly list: readonly Mined[];
  /** The lowest block that was searched. */
  readonly lowest: number;
}

/**
 * Searches until enough transactions are found.
 *
 * @param from - number of the highest block
 * @param onProgress - called with the lowest block that was searched so far
 */
export async function findTransactions(
  from: number,
  enough: number,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (lowest: number) => void },
): Promise<FoundTransactions> {
  const list: Mined[] = [];
  let highest = from;
  const end = Math.max(0, from - MOST_BLOCKS);
  while (highest >= end && list.length < enough && !signal.aborted) {
    const part = { from: `0x${highest.toString(16)}`, count: Math.min(SPAN, highest + 1) };
    const blocks = await ask<readonly ListedBlock[]>("hindcast_getBlocks", part);
    let lowest = highest + 1;
    for (const { hash, number, isCanonical, transactionCount } of blocks) {
      if (!isCanonical) continue;
      if (list.length >= enough) break;
      lowest = Number(number);
      if (transactionCount > 0) list.push(...(await minedIn(hash)));
    }
    // No progress: the node lists no older blocks.
    if (lowest > highest) return { list, lowest: 0 };
    onProgress(lowest);
    highest = lowest - 1;
  }
  return { list, lowest: highest + 1 };
}
