/** Blocks that are being deleted, which nobody finds any more, and the listener that hears of lookups of all others. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** One for each archive. */
export class LeavingBlocks {
  #isLeaving: ((hash: Bytes) => boolean) | undefined;
  #onLookUp: ((hash: Bytes) => void) | undefined;

  /** Calls a function with the hash of each block that is looked up, unless nobody finds it any more. */
  onLookUp(listener: (hash: Bytes) => void): void {
    this.#onLookUp = listener;
  }

  /** Begins to delete blocks: nobody finds those that are still stored before the returned function is called. */
  beginDeletion(isLeaving: (hash: Bytes) => boolean): () => void {
    this.#isLeaving = isLeaving;
    return () => (this.#isLeaving = undefined);
  }

  /**
   * False for a block that must not be found. The listener hears of any other.
   *
   * @param isStaged - whether the block has been built anew
   */
  mayBeFound(hash: Bytes, isStaged: boolean): boolean {
    if (this.#isLeaving?.(hash) === true && !isStaged) return false;
    this.#onLookUp?.(hash);
    return true;
  }
}
