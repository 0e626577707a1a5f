/** Plans how the history of a state file replaces the chain's: which blocks leave and join, and what is written. */
import type { Block } from "../../chainspec/header/block.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import type { StateCommit } from "../../state/view.ts";
import type { ArchiveBatch } from "../blocks/archive-batch.ts";
import type { Chain } from "../chain.ts";
import { blocksToWrite, type ChainCopy, statesToWrite } from "../chain-copy.ts";
import type { ExecutedBlock } from "../execute-block.ts";

/** The plan for one state file, checked against the chain, before anything is written. */
export interface Replacement {
  readonly copy: ChainCopy;
  /** All blocks of the copy, including those that the chain already has; at least one. */
  readonly executed: readonly ExecutedBlock[];
  /** Blocks that leave the chain, ascending. */
  readonly removed: readonly Block[];
  /** Blocks of the copy that join the chain, ascending. */
  readonly added: readonly ExecutedBlock[];
  readonly newHead: Block;
  /** All states of the copy. */
  readonly states: Omit<StateCommit, "stateRoot">;
}

/** @param copy - with at least one block, except on a fork; its blocks follow each other */
export function planReplacement(chain: Chain, copy: ChainCopy): Replacement {
  const executed = blocksToWrite(copy);
  const sharedCount = executed.findIndex(({ block }) => !chain.isCanonical(block));
  const added = sharedCount < 0 ? [] : executed.slice(sharedCount);
  const lastNumber = executed.at(-1)?.block.header.number ?? chain.genesis.header.number;
  // If no block is shared, the first blocks may have different numbers.
  const isAllNew = added.length === executed.length;
  const first = chain.genesis.header.number + (chain.history === undefined ? 0n : 1n);
  const firstLeaving = isAllNew ? first : lastNumber + 1n - BigInt(added.length);
  const removed = canonicalFrom(chain, firstLeaving);
  const newHead = executed.at(-1)?.block ?? chain.genesis;
  return { copy, executed, removed, added, newHead, states: statesToWrite(copy) };
}

/** Blocks of the chain from a number up to the head. */
export function canonicalFrom(chain: Chain, first: bigint): Block[] {
  const blocks: Block[] = [];
  for (let number = first; number <= chain.head.header.number; number++) {
    const block = chain.getStoredBlock(number);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}

/** Adds the writes to a batch that make the copy's head the chain's head. */
export function fillWithReplacement(
  batch: ArchiveBatch,
  { copy, executed, removed, added, newHead, states }: Replacement,
  receiptsOf: (block: Block) => readonly Receipt[],
): void {
  batch.putState(states);
  for (const entry of executed) batch.putBlock(entry);
  for (const block of removed) batch.leaveChain(block, receiptsOf(block));
  for (const { block, receipts } of added) batch.joinChain(block, receipts);
  const imported = executed.find(({ block }) => block.header.number === copy.importedNumber)?.block;
  batch.setHead(newHead, false);
  if (imported !== undefined) batch.setImported(imported.hash);
  if (copy.editedStateId !== undefined) batch.setEditedState(copy.editedStateId);
  batch.setOldestState(copy.oldestState);
}
