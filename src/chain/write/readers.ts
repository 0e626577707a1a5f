/** Counts who reads the chain, and lists the blocks that are still needed after they left it. The pruner keeps both. */
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";

/** Gives the hashes of blocks that are still needed. */
export type BlockKeeper = () => Iterable<Bytes>;

/** The readers of one chain, and the blocks that they need. */
export class Readers {
  readonly #keepers = new Set<BlockKeeper>();
  #count = 0;
  #onLast: (() => void) | undefined;

  /** True while a task reads states. */
  get any(): boolean {
    return this.#count > 0;
  }

  /** Keys of the blocks that the registered functions list now. */
  get neededBlocks(): ReadonlySet<string> {
    return new Set([...this.#keepers].flatMap((keeper) => [...keeper()].map(bytesKey)));
  }

  /** Registers a function that lists blocks to keep after they left the chain. Returns a function that removes it. */
  keepBlocks(keeper: BlockKeeper): () => void {
    this.#keepers.add(keeper);
    return () => this.#keepers.delete(keeper);
  }

  /** Calls a function each time that the last reader has ended. */
  onLast(listener: () => void): void {
    this.#onLast = listener;
  }

  /** States are not deleted before the returned function was called. It must be called once. */
  begin(): () => void {
    this.#count++;
    return this.#end;
  }

  readonly #end = (): void => {
    this.#count--;
    if (this.#count === 0) this.#onLast?.();
  };

  /** Runs a task that reads states. They are not deleted before it has ended. */
  async reading<T>(task: () => Promise<T>): Promise<T> {
    const end = this.begin();
    try {
      return await task();
    } finally {
      end();
    }
  }
}
