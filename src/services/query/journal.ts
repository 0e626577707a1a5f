/**
 * What happened, in order, for readers that come back at their own pace: each remembers how far it has read.
 *
 * One list serves any number of readers, so that a reader costs one number, not a list of its own. The list is bounded:
 * who stays behind further than that has lost entries and is told so.
 */
export class Journal<Entry> {
  readonly #maxEntries: number;
  #entries: Entry[] = [];
  /** Position of the first entry that is kept. */
  #start = 0;

  /** @param maxEntries - kept at most */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** The position after the last entry: where a new reader begins. */
  get end(): number {
    return this.#start + this.#entries.length;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Entries that are kept. */
  get all(): readonly Entry[] {
    return this.#entries;
  }

  append(entry: Entry): void {
    this.#entries.push(entry);
    // Cut in half, so that a full journal is not copied with every entry.
    if (this.#entries.length > this.#maxEntries * 2) this.#dropUntil(this.end - this.#maxEntries);
  }

  /** Entries from a position on, or undefined if some of them are no longer kept. */
  since(position: number): readonly Entry[] | undefined {
    if (position < this.end - this.#maxEntries || position < this.#start) return undefined;
    return this.#entries.slice(position - this.#start);
  }

  /** Forgets what is before a position: no reader will come for it. */
  trim(position: number): void {
    if (position - this.#start > this.#entries.length / 2) this.#dropUntil(position);
  }

  #dropUntil(position: number): void {
    this.#entries = this.#entries.slice(position - this.#start);
    this.#start = position;
  }
}
