/** Deletes blocks and states of a chain in memory that no snapshot leads back to. On disk nothing is deleted. */

import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import type { RetiredStates, StateDatabase } from "../../state/state-database.ts";
import type { StateId } from "../../state/state-id.ts";
import type { BlockArchive } from "../blocks/block-archive.ts";
import type { LedgerWrite, RetiredWrites, RevertTarget, WriteLedger } from "../blocks/write-ledger.ts";
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

/** Writes whose data is deleted when the readers that may need it have ended. */
interface Retired {
  readonly writes: RetiredWrites;
  /** Number of {@link Readers.separate}: those before it may need it. */
  readonly readersBefore: number;
  readonly states: RetiredStates;
}

/**
 * One for each chain. Blocks that a snapshot, a filter or a running request needs stay.
 *
 * A busy node always has a reader. So what leaves the chain is deleted when those readers have ended that had begun by
 * then. Later ones do not find it, unless they ask for a block by its hash.
 */
export class Pruner {
  readonly #parts: PrunerParts;
  readonly #ledger: WriteLedger | undefined;
  /** In the order in which they left. */
  readonly #retired: Retired[] = [];
  /** Number of {@link Readers.separate}: of those before it, one may have found a block that left. */
  #foundBefore = 0;

  constructor(parts: PrunerParts) {
    this.#parts = parts;
    this.#ledger = parts.archive.ledger();
    parts.readers.onEnd(() => this.#afterReading());
    if (this.#ledger !== undefined) parts.archive.leaving.onLookUp((hash) => this.#noteLookUp(hash));
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
   * Deletes what was written after a position, as soon as no reader may need it, except what the targets depend on.
   * Only the chain's writer may call it.
   */
  async pruneSince(position: number, targets: Iterable<RevertTarget>): Promise<void> {
    this.#ledger?.markSince(position, targets);
    await this.prune();
  }

  /** Deletes what has left, unless a reader may need it: then it waits. Only the chain's writer may call it. */
  async prune(): Promise<void> {
    const { archive, states, readers, headStateId } = this.#parts;
    const ledger = this.#ledger;
    if (ledger === undefined || archive.isShared) return;
    if (ledger.hasMarked || (ledger.hasWaiting && this.#retired.length === 0)) {
      const writes = ledger.retire();
      const retired = states.retire(writes.stateIds, [headStateId()]);
      this.#retired.push({ writes, readersBefore: readers.separate(), states: retired });
    }
    while (this.#isFree) await this.#delete(ledger, this.#retired.shift() as Retired);
  }

  async #delete(ledger: WriteLedger, { writes, states: retired }: Retired): Promise<void> {
    const { archive, states, readers } = this.#parts;
    const { isLeaving, parts } = ledger.take(writes, readers.neededBlocks);
    const breaks = new Breaks();
    retired.drop();
    // From here on nobody finds the blocks.
    const showBlocks = archive.leaving.beginDeletion(isLeaving);
    try {
      let written = Promise.resolve();
      for (const part of parts) {
        states.forget(part.hashed);
        // Done before either call gives way, as it is in memory: no reader begins between the one and the other.
        written = archive.delete(part);
        // The state of a block that stays for a filter must leave at once.
        const turn = ledger.hasWaiting ? undefined : breaks.check();
        if (turn === undefined) continue;
        await written;
        await turn;
      }
      await written;
    } finally {
      retired.end();
      showBlocks();
    }
  }

  /** True if nobody needs what left first. */
  get #isFree(): boolean {
    const [first] = this.#retired;
    if (first === undefined || this.#parts.archive.isShared) return false;
    return this.#parts.readers.haveEnded(Math.max(first.readersBefore, this.#foundBefore));
  }

  #noteLookUp(hash: Bytes): void {
    if (this.#retired.length > 0 && this.#ledger?.isMarked(hash) === true) {
      this.#foundBefore = this.#parts.readers.separate();
    }
  }

  #afterReading(): void {
    const { states, exclusively, onError } = this.#parts;
    if (states.derivedBytes > MAX_DERIVED_BYTES) this.#trim();
    // Writes that were marked while a branch was open are not retired yet.
    if (this.#isFree || this.#ledger?.hasMarked === true) exclusively(() => this.prune()).catch(onError);
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
