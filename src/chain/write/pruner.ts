/** Deletes blocks and states of a chain in memory that no snapshot leads back to. On disk nothing is deleted. */

import { Breaks } from "../../primitives/platform/turns.ts";
import type { StateDatabase } from "../../state/state-database.ts";
import type { StateId } from "../../state/state-id.ts";
import type { BlockArchive } from "../blocks/block-archive.ts";
import type { LedgerWrite, RevertTarget, WriteLedger } from "../blocks/write-ledger.ts";
import type { Readers } from "./readers.ts";

/** The archive to delete from, and the queue of its writes. */
export interface PrunerParts {
  readonly archive: BlockArchive;
  readonly states: StateDatabase;
  readonly readers: Readers;
  /** The state at the head, whose reader stays open. */
  readonly headStateId: () => StateId;
  /** Runs a task as the chain's only writer. */
  readonly exclusively: (task: () => Promise<void>) => Promise<void>;
  /** Called when a deletion fails. */
  readonly onError: (error: unknown) => void;
}

/** Memory for nodes of derived states while nobody reads. */
const MAX_DERIVED_BYTES = 16_000_000;

/** One for each chain. Blocks that a snapshot, a filter or a running request needs stay. */
export class Pruner {
  readonly #parts: PrunerParts;
  readonly #ledger: WriteLedger | undefined;

  constructor(parts: PrunerParts) {
    this.#parts = parts;
    this.#ledger = parts.archive.ledger();
    parts.readers.onLast(() => this.#afterReading());
  }

  /** Number of writes so far; {@link pruneSince} takes it. */
  get position(): number {
    return this.#ledger?.position ?? 0;
  }

  /** Records writes before they are made. Call the function that it returns once they are made. */
  async draft(writes: readonly LedgerWrite[]): Promise<() => Promise<void>> {
    return this.#ledger?.draft(writes) ?? nothing;
  }

  /**
   * As {@link draft}, for a chain that replaces this one. After its writes {@link prune} deletes what was written before,
   * except what the targets depend on.
   *
   * @param writes - the first has the states of all
   * @param targets - called after the writes
   */
  async draftBase(writes: readonly LedgerWrite[], targets: () => Iterable<RevertTarget>): Promise<() => Promise<void>> {
    const ledger = this.#ledger;
    if (ledger === undefined) return nothing;
    const noteWrites = await ledger.draft(writes, true);
    return () => {
      ledger.markReplaced(targets());
      return noteWrites();
    };
  }

  /**
   * Deletes what was written after a position, as soon as no reader is active, except what the targets depend on.
   * Only the chain's writer may call it.
   */
  async pruneSince(position: number, targets: Iterable<RevertTarget>): Promise<void> {
    this.#ledger?.markSince(position, targets);
    await this.prune();
  }

  /** Deletes what is marked, unless a reader is active: then it waits. Only the chain's writer may call it. */
  async prune(): Promise<void> {
    const { archive, states, readers, headStateId } = this.#parts;
    if (this.#ledger === undefined || readers.any || archive.isShared) return;
    if (!this.#ledger.hasMarked && !this.#ledger.hasWaiting) return;
    const { stateIds, isLeaving, parts } = this.#ledger.take(readers.neededBlocks);
    const breaks = new Breaks();
    // From here on nobody finds the blocks, or the states that belong to them.
    const showBlocks = archive.beginDeletion(isLeaving);
    const endStates = states.beginDeletion(stateIds, [headStateId()]);
    try {
      let written = Promise.resolve();
      for (const part of parts) {
        states.forget(part.hashed);
        // Done before either call gives way, as it is in memory: no reader begins between the one and the other.
        written = archive.delete(part);
        // The state of a block that stays for a filter must leave at once.
        const turn = this.#ledger.hasWaiting ? undefined : breaks.check();
        if (turn === undefined) continue;
        await written;
        await turn;
      }
      await written;
    } finally {
      endStates();
      showBlocks();
    }
  }

  #afterReading(): void {
    const { states, exclusively, onError } = this.#parts;
    if (states.derivedBytes > MAX_DERIVED_BYTES) this.#trim();
    if (this.#ledger?.hasMarked === true) exclusively(() => this.prune()).catch(onError);
  }

  /** Drops the cached nodes of derived states if they are many; they can be computed again. */
  #trim(): void {
    const { states, readers, headStateId, exclusively, onError } = this.#parts;
    const task = async (): Promise<void> => {
      if (!readers.any) states.trimDerived(MAX_DERIVED_BYTES, [headStateId()]);
    };
    exclusively(task).catch(onError);
  }
}

async function nothing(): Promise<void> {}
