/**
 * Writes blocks, a new head, or an edited state, each as one atomic batch of the store.
 *
 * The chain ensures that only one call runs at a time, and calls the listeners.
 */

import type { SpecChanges } from "../../chainspec/chain-spec.ts";
import type { Block } from "../../chainspec/header/block.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { atOnce, Breaks } from "../../primitives/platform/turns.ts";
import type { StateId } from "../../state/state-id.ts";
import type { StateCommit } from "../../state/view.ts";
import { blockWrites, copyWrites, withBaseNodes } from "../blocks/ledger-writes.ts";
import { pathBetween } from "../blocks/reorg.ts";
import type { RevertTarget } from "../blocks/write-ledger.ts";
import type { Chain } from "../chain.ts";
import type { ExecutedBlock } from "../execute-block.ts";
import type { BuiltGenesis } from "../read/genesis-block.ts";
import type { HeadChange } from "./head-change.ts";
import type { Pruner } from "./pruner.ts";
import { fillWithReplacement, type Replacement } from "./replacement.ts";

/** The archive to write to, and the time offset that every batch stores. */
export interface BatchWriterParts {
  readonly chain: Chain;
  /** Records writes, to delete them later. */
  readonly pruner: Pruner;
  /** Offset of the chain's time from the clock in seconds, stored with each new head. */
  readonly timeOffset: () => bigint;
}

/** One for each chain. A batch that fails leaves the store and the chain as they were. */
export class BatchWriter {
  readonly #chain: Chain;
  readonly #pruner: Pruner;
  readonly #timeOffset: () => bigint;

  constructor({ chain, pruner, timeOffset }: BatchWriterParts) {
    this.#chain = chain;
    this.#pruner = pruner;
    this.#timeOffset = timeOffset;
  }

  /**
   * Writes blocks, each the parent of the next.
   *
   * @param newHead - the block that becomes the head; without it the head stays
   * @returns the change of the head; undefined if it stays
   */
  async blocks(
    executed: readonly ExecutedBlock[],
    newHead: Block | undefined,
    { imported }: { readonly imported: boolean },
  ): Promise<HeadChange | undefined> {
    const { archive, states } = this.#chain;
    const change = newHead === undefined ? undefined : this.#pathTo(newHead, executed);
    const writes = await blockWrites(executed, this.#chain);
    const noteWrites = await this.#pruner.draft(writes.map(({ write }) => write));
    try {
      const batch = archive.batch();
      // Yielding is safe, because nothing is visible before the batch is written.
      const clock = this.#chain.executor.clock();
      for (const { entry } of writes) {
        const turn = clock.check();
        if (turn !== undefined) await turn;
        batch.putBlock(entry);
      }
      if (newHead !== undefined && change !== undefined) {
        await batch.move(change, this.#chain);
        batch.setHead(newHead, imported);
        if (change.removed.length > 0) batch.setSpecChanges(this.#chain.spec.changesUpTo(newHead.header.number));
        batch.setTimeOffset(this.#timeOffset());
      }
      await batch.write();
      await noteWrites();
      const breaks = new Breaks();
      for (const entry of executed) {
        const turn = breaks.check();
        if (turn !== undefined) await turn;
        states.settle(entry.commit);
      }
    } catch (error) {
      for (const entry of executed) states.discard(entry.commit);
      throw error;
    }
    return change;
  }

  #pathTo(newHead: Block, executed: readonly ExecutedBlock[]): HeadChange {
    const { head, archive } = this.#chain;
    const [first] = executed;
    const isExtended = first !== undefined && equalBytes(first.block.header.parentHash, head.hash);
    if (isExtended && newHead === executed.at(-1)?.block) {
      return { removed: [], added: executed.map(({ block }) => block) };
    }
    const unwritten = new HashMap<Block>();
    for (const { block } of executed) unwritten.set(block.hash, block);
    return atOnce(pathBetween(head, newHead, (hash) => unwritten.get(hash) ?? archive.getBlock(hash)));
  }

  /**
   * Makes a known block the head.
   *
   * @param after - the head's state, and the specification's changes
   */
  async head(
    target: Block,
    change: HeadChange,
    { stateId, specChanges }: { readonly stateId: StateId; readonly specChanges: SpecChanges },
  ): Promise<void> {
    const batch = this.#chain.archive.batch();
    await batch.move(change, this.#chain);
    batch.setHead(target, false);
    if (!equalBytes(stateId, target.header.stateRoot)) batch.setEditedState(stateId);
    batch.setSpecChanges(specChanges);
    batch.setTimeOffset(this.#timeOffset());
    await batch.write();
  }

  /** Replaces all blocks by another first block with its state. They may be pruned then. */
  async firstBlock({ block, commit, totalDifficulty }: BuiltGenesis, removed: readonly Block[]): Promise<void> {
    const noteWrite = await this.#pruner.draftBase([{ block, startStateId: commit.stateRoot, commit }], () => []);
    const batch = this.#chain.archive.batch();
    for (const left of removed) batch.leaveChain(left, this.#chain.getStoredReceipts(left));
    batch.putBlock({ block, receipts: [], commit, startStateId: undefined, traceAddresses: [] }, totalDifficulty);
    batch.joinChain(block, []);
    batch.setHead(block, true);
    if (!equalBytes(commit.stateRoot, block.header.stateRoot)) batch.setEditedState(commit.stateRoot);
    batch.setOldestState(0n);
    batch.setSpecChanges(this.#chain.spec.unchanged);
    batch.setTimeOffset(this.#timeOffset());
    await batch.write();
    await noteWrite();
  }

  /** Replaces the chain's history by another one. It may be pruned then, except what the targets depend on. */
  async replacement(replacement: Replacement, targets: () => Iterable<RevertTarget>): Promise<void> {
    const { copy, states, newHead } = replacement;
    const noteWrites = await this.#pruner.draftBase(copyWrites(copy, states, newHead), targets);
    const batch = this.#chain.archive.batch();
    fillWithReplacement(batch, replacement, (block) => this.#chain.getStoredReceipts(block));
    if (replacement.removed.length > 0) {
      batch.setSpecChanges(this.#chain.spec.changesUpTo(newHead.header.number));
    }
    batch.setTimeOffset(this.#timeOffset());
    await batch.write();
    await noteWrites();
  }

  /**
   * Writes an edited state of the head, or a step towards it, which nobody finds before the last one is written.
   *
   * @param startStateId - the state that was edited
   */
  async editedState(
    commit: StateCommit,
    startStateId: StateId,
    { isLast }: { readonly isLast: boolean },
  ): Promise<void> {
    const { archive, states } = this.#chain;
    const written = withBaseNodes(commit, startStateId, states);
    const noteWrite = await this.#pruner.draft([{ startStateId, commit: written }]);
    try {
      const batch = archive.batch();
      await batch.putLongState(written);
      if (isLast) batch.setEditedState(commit.stateRoot);
      await batch.write();
      await noteWrite();
    } catch (error) {
      states.discard(commit);
      throw error;
    }
    states.settle(commit);
  }

  /** Writes the changes of the chain's specification. */
  async specChanges(changes: SpecChanges): Promise<void> {
    const batch = this.#chain.archive.batch();
    batch.setSpecChanges(changes);
    await batch.write();
  }

  /** Writes the offset of the chain's time from the clock. */
  async time(): Promise<void> {
    const batch = this.#chain.archive.batch();
    batch.setTimeOffset(this.#timeOffset());
    await batch.write();
  }
}
