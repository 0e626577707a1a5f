/** Entries of the write ledger for the blocks of a batch: each with the state it started from and the nodes it adds. */

import type { Block } from "../../chainspec/header/block.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import type { StateDatabase } from "../../state/state-database.ts";
import { ownStateId, type StateId } from "../../state/state-id.ts";
import type { StateCommit } from "../../state/view.ts";
import type { ChainCopy } from "../chain-copy.ts";
import type { ExecutedBlock } from "../execute-block.ts";
import type { BlockArchive } from "./block-archive.ts";
import type { LedgerCommit } from "./joined-hashes.ts";
import type { LedgerWrite } from "./write-ledger.ts";

/** A block about to be written, with all trie nodes that must be written with it. */
export interface BlockWrite {
  readonly entry: ExecutedBlock;
  readonly write: LedgerWrite;
}

/**
 * Lets the event loop run while it goes through a long list.
 *
 * @param executed - in the order in which they are written
 */
export async function blockWrites(
  executed: readonly ExecutedBlock[],
  { archive, states }: { readonly archive: BlockArchive; readonly states: StateDatabase },
): Promise<readonly BlockWrite[]> {
  const breaks = new Breaks();
  const writes: BlockWrite[] = [];
  for (const [index, entry] of executed.entries()) {
    const turn = breaks.check();
    if (turn !== undefined) await turn;
    const { block, startStateId: editedStateId } = entry;
    const before = executed[index - 1]?.block;
    const follows = before !== undefined && equalBytes(before.hash, block.header.parentHash);
    const parent = follows ? before.header : archive.getHeader(block.header.parentHash);
    const startStateId = editedStateId ?? ownStateId((parent ?? block.header).stateRoot);
    // The start state of the first block is either stored, or derived and gets its nodes now. Later blocks start from
    // the one before.
    const commit =
      follows && editedStateId === undefined ? entry.commit : withBaseNodes(entry.commit, startStateId, states);
    writes.push({
      entry: commit === entry.commit ? entry : { ...entry, commit },
      write: { block, startStateId, commit },
    });
  }
  return writes;
}

/** Adds the nodes of its start state to a commit, if those are not stored. */
export function withBaseNodes(commit: StateCommit, startStateId: StateId, states: StateDatabase): StateCommit {
  const nodes = states.nodesOfDerived(startStateId);
  return nodes.length === 0 ? commit : { ...commit, trieNodes: [...nodes, ...commit.trieNodes] };
}

/** The writes of a copy. The first has all of its states, which belong to no block alone. */
export function copyWrites(
  { blocks, editedStateId, oldestState }: ChainCopy,
  states: Omit<StateCommit, "stateRoot">,
  head: Block,
): readonly LedgerWrite[] {
  const stateRoot = editedStateId ?? ownStateId(head.header.stateRoot);
  const startStateId = stateRoot;
  const writes: LedgerWrite[] = [{ startStateId, commit: { ...states, stateRoot } }];
  const leadsTo = (root: StateId): LedgerCommit => ({ stateRoot: root, trieNodes: [], codes: [] });
  for (const { block, startStateId: edited } of blocks) {
    const { number, stateRoot: root } = block.header;
    const hasState = number >= oldestState;
    if (hasState && edited !== undefined) writes.push({ startStateId, commit: leadsTo(edited) });
    writes.push({ block, startStateId, commit: leadsTo(hasState ? ownStateId(root) : stateRoot) });
  }
  return writes;
}
