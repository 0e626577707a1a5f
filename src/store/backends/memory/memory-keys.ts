/** Cursors over the keys of a database in memory. */
import { type Bytes, concatBytes } from "../../../primitives/bytes/bytes.ts";
import { compareLongBytes } from "../../../primitives/platform/encodings.ts";
import type { LevelKeys } from "../level-database.ts";
import type { SortedView } from "./sorted-map.ts";

/** Iterates over the keys of a range in a snapshot, from any position. */
export class MemoryKeys implements LevelKeys {
  readonly #view: SortedView;
  readonly #range: { readonly first: Bytes; readonly end: Bytes };
  readonly #requireOpen: () => void;
  #entries: Generator<readonly [Bytes, Bytes], void, undefined>;
  #isClosed = false;

  constructor(view: SortedView, range: { readonly first: Bytes; readonly end: Bytes }, requireOpen: () => void) {
    this.#view = view;
    this.#range = range;
    this.#requireOpen = requireOpen;
    this.#entries = view.from(range.first);
  }

  seek(target: Bytes): void {
    const { first } = this.#range;
    this.#entries = this.#view.from(compareLongBytes(target, first) < 0 ? first : target);
  }

  async nextv(count: number): Promise<Bytes[]> {
    this.#requireOpen();
    if (this.#isClosed) throw withCode("LEVEL_ITERATOR_NOT_OPEN", "the iterator is not open");
    const keys: Bytes[] = [];
    while (keys.length < count) {
      const next = this.#entries.next();
      if (next.done === true || compareLongBytes(next.value[0], this.#range.end) >= 0) break;
      keys.push(next.value[0]);
    }
    return keys;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }
}

/** Lists the keys of a table under hashes in no order, so that it can only be read from its beginning to its end. */
export class HashedKeys implements LevelKeys {
  readonly #prefix: Bytes;
  readonly #hashes: Generator<Bytes, void, undefined>;
  readonly #requireOpen: () => void;

  constructor(prefix: number, hashes: Generator<Bytes, void, undefined>, requireOpen: () => void) {
    this.#prefix = Uint8Array.of(prefix);
    this.#hashes = hashes;
    this.#requireOpen = requireOpen;
  }

  seek(): void {
    throw new TypeError("MemoryDatabase: a table under hashes has no order to seek in");
  }

  async nextv(count: number): Promise<Bytes[]> {
    this.#requireOpen();
    const keys: Bytes[] = [];
    while (keys.length < count) {
      const next = this.#hashes.next();
      if (next.done === true) break;
      keys.push(concatBytes(this.#prefix, next.value));
    }
    return keys;
  }

  async close(): Promise<void> {
    this.#hashes.return();
  }
}

/** An error with a code, like those of `abstract-level`. */
export function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
