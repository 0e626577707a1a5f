/**
 * A list of events that readers consume at their own pace: each reader remembers its position.
 *
 * All readers share one list, so that a reader costs one number. The list is bounded: a reader that lags too far behind
 * has lost entries, and learns so.
 */
export class Journal<Entry> {
  readonly #maxEntries: number;
  #entries: Entry[] = [];
  /** Position of the oldest entry that is left. */
  #start = 0;

  /** @param maxEntries - most entries that it holds */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** Position after the last entry, at which a new reader begins. */
  get end(): number {
    return this.#start + this.#entries.length;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** All entries that are left. */
  get all(): readonly Entry[] {
    return this.#entries;
  }

  append(entry: Entry): void {
    this.#entries.push(entry);
    // Cut in half, so that a full journal is not copied for each entry.
    if (this.#entries.length > this.#maxEntries * 2) this.#dropUntil(this.end - this.#maxEntries);
  }

  /** Entries from a position on; undefined if some of them are no longer there. */
  since(position: number): readonly Entry[] | undefined {
    if (position < this.end - this.#maxEntries || position < this.#start) return undefined;
    return this.#entries.slice(position - this.#start);
  }

  /** Drops entries before a position, which no reader needs any more. */
  trim(position: number): void {
    if (position - this.#start > this.#entries.length / 2) this.#dropUntil(position);
  }

  #dropUntil(position: number): void {
    this.#entries = this.#entries.slice(position - this.#start);
    this.#start = position;
  }
}
