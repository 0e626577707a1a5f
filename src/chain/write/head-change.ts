/** What a write did to the canonical chain, and who hears of it. */
import type { Block } from "../../chainspec/header/block.ts";

/** Blocks that left and joined the canonical chain; both lists ascend by number. */
export interface HeadChange {
  /** Blocks that left, if this was a reorg. */
  readonly removed: readonly Block[];
  readonly added: readonly Block[];
  /** The transactions of the blocks that left are not to wait again: history was taken back, not rewritten. */
  readonly forgetsTransactions?: boolean;
}

/** Hears of each head change, after it is written; the next writer waits for it. */
export type HeadListener = (change: HeadChange) => void | Promise<void>;

/** Those who hear of head changes, in order of registration. */
export class HeadListeners {
  readonly #listeners = new Set<HeadListener>();
  readonly #onError: (error: unknown) => void;

  /** @param onError - hears of listeners that failed */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Returns the function that takes it out again. */
  add(listener: HeadListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells one after the other. What is written is written: one that fails cannot make the write look failed. */
  async tell(change: HeadChange): Promise<void> {
    for (const listener of this.#listeners) {
      try {
        await listener(change);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
