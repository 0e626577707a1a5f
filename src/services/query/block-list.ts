/** The newest blocks of a chain with those beside it: what a page lists. */
import type { Chain } from "../../chain/chain.ts";
import type { Block } from "../../chainspec/header/block.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";

export interface ListedBlock {
  readonly block: Block;
  /** False for one beside the chain. */
  readonly isCanonical: boolean;
}

export class BlockList {
  readonly #chain: Chain;

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /**
   * Blocks by falling number; of one number the chain's own is first. On a fork the list ends with the block that it
   * goes on from.
   *
   * @param from - number of the first; default the head's
   * @param count - numbers at most, each with all of its blocks
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
