/** The blocks that the node executed itself. On a fork of another chain, searches end at the first of them. */
import { ask } from "./client.ts";
import type { NodeMetadata } from "./types.ts";

/** A range of block numbers. It is empty on a fork without a block of its own: then `last` is below `first`. */
export interface OwnBlocks {
  readonly first: number;
  readonly last: number;
}

/** By `hardhat_metadata`. */
export async function ownBlocks(): Promise<OwnBlocks> {
  const [{ forkedNetwork }, head] = await Promise.all([
    ask<NodeMetadata>("hardhat_metadata"),
    ask<string>("eth_blockNumber"),
  ]);
  return { first: forkedNetwork === undefined ? 0 : forkedNetwork.forkBlockNumber + 1, last: Number(head) };
}

/** Says where a search began; empty if all blocks were searched. */
export function whereFrom({ first }: OwnBlocks): string {
  return first === 0 ? "" : ` in the blocks from ${first} on, which this node mined itself`;
}
