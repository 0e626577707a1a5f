/** Deletes from a chain in memory what nobody can go back to, once nobody reads it. On disk everything stays. */
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import type { StateDatabase } from "../../state/state-database.ts";
import type { BlockArchive } from "../archive/block-archive.ts";
import type { KeptMoment, LedgerWrite, WriteLedger } from "../archive/write-ledger.ts";

/** Hashes of blocks that somebody still has to read. */
export type BlockKeeper = () => Iterable<Bytes>;

export interface PrunerParts {
  readonly archive: BlockArchive;
  readonly states: StateDatabase;
  /** Root of the state that is read without asking for it anew. */
  readonly headStateRoot: () => Bytes;
  /** Runs a task as the chain's only writer. */
  readonly exclusively: (task: () => Promise<void>) => Promise<void>;
  /** Hears of deletions that failed. */
  readonly onError: (error: unknown) => void;
}

/** Memory for nodes of derived states while nobody reads. */
const MAX_DERIVED_BYTES = 16_000_000;

export class Pruner {
  readonly #parts: PrunerParts;
  readonly #ledger: WriteLedger | undefined;
  readonly #keepers = new Set<BlockKeeper>();
  #readers = 0;

  constructor(parts: PrunerParts) {
    this.#parts = parts;
    this.#ledger = parts.archive.ledger();
  }

  /** How far the chain has been written: what {@link pruneSince} goes back to. */
  get position(): number {
    return this.#ledger?.position ?? 0;
  }

  /** Notes writes before they are written. The function it returns is to be called when they are. */
  async draft(writes: readonly LedgerWrite[]): Promise<() => Promise<void>> {
    return this.#ledger?.draft(writes) ?? nothing;
  }

  /** Lets everything that was written stay for good. */
  keepAll(): void {
    this.#ledger?.clear();
  }

  /**
   * Says that what was written since a position is of no use any more, but for some moments, with all that they rest on.
   * It is deleted as soon as nobody reads. Of the chain's writer only.
   */
  async pruneSince(position: number, kept: Iterable<KeptMoment>): Promise<void> {
    this.#ledger?.condemn(position, kept);
    await this.#deleteCondemned();
  }

  /** Names blocks, whenever it is asked, that have to stay although they left the chain. Returns the stop function. */
  keepBlocks(keeper: BlockKeeper): () => void {
    this.#keepers.add(keeper);
    return () => this.#keepers.delete(keeper);
  }

  /** Runs a reader, whose states stay whatever is forgotten meanwhile. */
  async reading<T>(task: () => Promise<T>): Promise<T> {
    this.#readers++;
    try {
      return await task();
    } finally {
      this.#readers--;
      if (this.#readers === 0 && this.#parts.states.derivedBytes > MAX_DERIVED_BYTES) this.#trim();
      if (this.#ledger?.hasCondemned === true && this.#readers === 0) {
        this.#parts.exclusively(() => this.#deleteCondemned()).catch(this.#parts.onError);
      }
    }
  }

  /** Nodes of derived states that were made again: they are let go of when nobody needs them, and can be made again. */
  #trim(): void {
    const { states, headStateRoot, exclusively, onError } = this.#parts;
    const task = async (): Promise<void> => {
      if (this.#readers === 0) states.trimDerived(MAX_DERIVED_BYTES, [headStateRoot()]);
    };
    exclusively(task).catch(onError);
  }

  async #deleteCondemned(): Promise<void> {
    const { archive, states } = this.#parts;
    if (this.#ledger === undefined || this.#readers > 0 || archive.isShared) return;
    if (!this.#ledger.hasCondemned && !this.#ledger.hasWaiting) return;
    const keptBlocks = new Set([...this.#keepers].flatMap((keeper) => [...keeper()].map(bytesKey)));
    const deletions = this.#ledger.take((hash) => keptBlocks.has(bytesKey(hash)));
    states.forget(deletions.hashed, [this.#parts.headStateRoot()]);
    // Done before either call gives way, as it is in memory: no reader begins between the one half and the other.
    await archive.delete(deletions);
  }
}

async function nothing(): Promise<void> {}
