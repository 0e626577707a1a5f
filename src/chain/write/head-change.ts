/** Changes of the canonical chain, and their listeners. */
import type { Block } from "../../chainspec/header/block.ts";

/** Blocks that left and joined the canonical chain; both lists ascend by number. */
export interface HeadChange {
  /** Blocks that left the chain; empty unless this is a reorg. */
  readonly removed: readonly Block[];
  readonly added: readonly Block[];
  /** True for a revert: the transactions of the removed blocks do not return to the pool. */
  readonly forgetsTransactions?: boolean;
}

/** Called after each head change is written. The next write waits until it has returned. */
export type HeadListener = (change: HeadChange) => void | Promise<void>;

/** Listeners, in order of registration. */
export class HeadListeners {
  readonly #listeners = new Set<HeadListener>();
  #changes = 0;

  /** Number of changes so far, with one that the listeners are being called for. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns a function that removes the listener. */
  add(listener: HeadListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls the listeners in order.
   *
   * @param onError - called with errors that listeners throw; they do not fail the write, which is complete
   */
  async tell(change: HeadChange, onError: (error: unknown) => void): Promise<void> {
    this.#changes++;
    for (const listener of this.#listeners) {
      try {
        await listener(change);
      } catch (error) {
        onError(error);
      }
    }
  }
}
