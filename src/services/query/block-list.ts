/** Lists the newest blocks of a chain with side blocks and uncles, for the explorer. */
import type { ChainBlocks } from "../../chain/readable-chain.ts";
import type { Block } from "../../chainspec/header/block.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";

/** A block that is stored, whether or not it is part of the chain. */
export interface ListedBlock {
  readonly block: Block;
  /** False for a side block or an uncle. */
  readonly isCanonical: boolean;
}

/** Serves `hindcast_getBlocks`. */
export class BlockList {
  readonly #chain: ChainBlocks;

  constructor(chain: ChainBlocks) {
    this.#chain = chain;
  }

  /**
   * Lists blocks by descending number. Of several blocks with one number, the canonical one is first. On a fork of
   * another chain the list ends with the block that was forked.
   *
   * @param from - highest number; default the head's
   * @param count - most numbers; all blocks of each number are listed
   */
  async blocks(from: bigint | undefined, count: number): Promise<readonly ListedBlock[]> {
    const chain = this.#chain;
    const { number: head } = chain.head.header;
    const first = from === undefined || from > head ? head : from;
    const lowest = chain.history?.pin.header.number ?? 0n;
    const listed: ListedBlock[] = [];
    for (let number = first; number >= lowest && number > first - BigInt(count); number--) {
      const own = await chain.getBlockByNumber(number);
      if (own !== undefined) listed.push({ block: own, isCanonical: true });
      for (const hash of await chain.archive.hashesAt(number)) {
        if (own !== undefined && equalBytes(hash, own.hash)) continue;
        const block = await chain.getBlockByHash(hash);
        if (block !== undefined) listed.push({ block, isCanonical: false });
      }
    }
    return listed;
  }
}
