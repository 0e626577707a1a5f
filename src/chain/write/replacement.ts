/** Plans how the history of a state file replaces the chain's: which blocks leave, which join, what is written. */
import type { Block } from "../../chainspec/header/block.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import type { ArchiveBatch } from "../archive/archive-batch.ts";
import { blocksToWrite, type ChainCopy } from "../chain-copy.ts";
import type { ExecutedBlock } from "../execute/execute-block.ts";
import type { ChainView } from "../read/chain-view.ts";

export interface Replacement {
  readonly copy: ChainCopy;
  /** All blocks of the copy, also those that the chain already has; at least one. */
  readonly executed: readonly ExecutedBlock[];
  /** Blocks that leave the chain, ascending. */
  readonly removed: readonly Block[];
  /** Those of the copy that join it, ascending. */
  readonly added: readonly ExecutedBlock[];
}

/** @param copy - with at least one block; its blocks follow each other */
export function planReplacement(chain: ChainView, copy: ChainCopy): Replacement {
  const executed = blocksToWrite(copy);
  const sharedCount = executed.findIndex(({ block }) => !chain.isCanonical(block));
  const added = sharedCount < 0 ? [] : executed.slice(sharedCount);
  const { number: newHead } = (executed.at(-1) as ExecutedBlock).block.header;
  // If no block is shared, the first blocks may have different numbers.
  const isAllNew = added.length === executed.length;
  const firstLeaving = isAllNew ? chain.genesis.header.number : newHead + 1n - BigInt(added.length);
  return { copy, executed, removed: canonicalFrom(chain, firstLeaving), added };
}

/** Blocks of the chain from a number up to the head. */
function canonicalFrom(chain: ChainView, first: bigint): Block[] {
  const blocks: Block[] = [];
  for (let number = first; number <= chain.head.header.number; number++) {
    const block = chain.getBlockByNumber(number);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}

/** Fills a batch with the writes that make the copy's head the chain's head. */
export function fillWithReplacement(
  batch: ArchiveBatch,
  { copy, executed, removed, added }: Replacement,
  receiptsOf: (block: Block) => readonly Receipt[],
): void {
  for (const entry of executed) batch.putBlock(entry);
  for (const block of removed) batch.leaveChain(block, receiptsOf(block));
  for (const { block, receipts } of added) batch.joinChain(block, receipts);
  const imported = executed.find(({ block }) => block.header.number === copy.importedNumber)?.block;
  batch.setHead((executed.at(-1) as ExecutedBlock).block, false);
  if (imported !== undefined) batch.setImported(imported.hash);
  if (copy.editedRoot !== undefined) batch.setEditedRoot(copy.editedRoot);
  batch.setOldestState(copy.oldestState);
}
