/** Counts who reads the chain, and lists the blocks that are still needed after they left it. The pruner keeps both. */
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";

/** Gives the hashes of blocks that are still needed. */
export type BlockKeeper = () => Iterable<Bytes>;

/** Readers that began between two calls of {@link Readers.separate}. */
interface Generation {
  readonly number: number;
  count: number;
  /** Ends one of them. */
  readonly end: () => void;
}

/** The readers of one chain, and the blocks that they need. */
export class Readers {
  readonly #keepers = new Set<BlockKeeper>();
  /** Readers begin in the last one. The first one has readers, unless it is the only one. */
  readonly #generations: Generation[] = [];
  #current: Generation;
  #onEnd: (() => void) | undefined;

  constructor() {
    this.#current = this.#add(0);
  }

  /** True while a task reads states. */
  get any(): boolean {
    return this.#oldest.count > 0;
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

  /** Calls a function each time that the last reader has ended, or the last of those before a call of {@link separate}. */
  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  /** States are not deleted before the returned function was called. It must be called once. */
  begin(): () => void {
    this.#current.count++;
    return this.#current.end;
  }

  /** Tells readers that began so far from later ones. Returns a number for {@link haveEnded}. */
  separate(): number {
    if (this.#current.count > 0) this.#current = this.#add(this.#current.number + 1);
    return this.#current.number;
  }

  /** True if all readers have ended that had begun when {@link separate} returned a number. */
  haveEnded(before: number): boolean {
    return this.#oldest.number >= before;
  }

  get #oldest(): Generation {
    return this.#generations[0] as Generation;
  }

  #add(number: number): Generation {
    const generation: Generation = { number, count: 0, end: () => this.#end(generation) };
    this.#generations.push(generation);
    return generation;
  }

  #end(generation: Generation): void {
    generation.count--;
    if (generation.count > 0 || generation !== this.#oldest) return;
    while (this.#oldest.count === 0 && this.#generations.length > 1) this.#generations.shift();
    this.#onEnd?.();
  }

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
