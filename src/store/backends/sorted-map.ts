/**
 * A map sorted by byte keys with cheap snapshots, for tables in memory that are read by range.
 *
 * Keys are in chunks of a few hundred. A snapshot shares the chunks copy-on-write: the next writer copies the list of
 * chunks once, and each chunk that it changes.
 */
import { type Bytes, compareBytes } from "../../primitives/bytes/bytes.ts";

/** Most keys of a chunk. */
const CHUNK_LENGTH = 256;

interface Chunk {
  /** Ascending; not empty. */
  readonly keys: Bytes[];
  readonly values: Bytes[];
  /** The map that may change this chunk. */
  readonly owner: object;
}

/** A snapshot of a sorted map. */
export class SortedView {
  protected chunks: Chunk[];

  constructor(chunks: Chunk[]) {
    this.chunks = chunks;
  }

  /** The value of a key, which must not be changed. */
  get(key: Bytes): Bytes | undefined {
    const chunk = this.chunks[this.chunkOf(key)];
    if (chunk === undefined) return undefined;
    const index = placeOf(chunk.keys, key);
    const found = chunk.keys[index];
    return found !== undefined && compareBytes(found, key) === 0 ? chunk.values[index] : undefined;
  }

  /** Entries from a key on, ascending. Valid while the map does not change. */
  *from(first: Bytes): Generator<readonly [key: Bytes, value: Bytes], void, undefined> {
    const start = this.chunkOf(first);
    for (let at = start; at < this.chunks.length; at++) {
      const { keys, values } = this.chunks[at] as Chunk;
      for (let index = at === start ? placeOf(keys, first) : 0; index < keys.length; index++) {
        yield [keys[index] as Bytes, values[index] as Bytes];
      }
    }
  }

  /** Index of the last chunk that begins at or before a key; of the first chunk if there is none. */
  protected chunkOf(key: Bytes): number {
    let low = 0;
    let high = this.chunks.length;
    // Checked first, because block numbers ascend, so that most new keys come last.
    const last = this.chunks[high - 1]?.keys[0];
    if (last !== undefined && compareBytes(last, key) <= 0) return high - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (compareBytes((this.chunks[middle] as Chunk).keys[0] as Bytes, key) <= 0) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** A write costs a binary search and, after a snapshot, the copy of one chunk. */
export class SortedMap extends SortedView {
  #owner: object = {};
  /** False while a snapshot shares the list of chunks. */
  #ownsList = true;

  constructor() {
    super([]);
  }

  /** The present content of the map; later writes do not change it. */
  snapshot(): SortedView {
    this.#owner = {};
    this.#ownsList = false;
    return new SortedView(this.chunks);
  }

  /** Stores both arrays without a copy: they must not be changed afterwards. */
  set(key: Bytes, value: Bytes): void {
    this.#ownList();
    const at = this.chunkOf(key);
    if (this.chunks.length === 0) {
      this.chunks.push({ keys: [key], values: [value], owner: this.#owner });
      return;
    }
    const chunk = this.#ownChunk(at);
    const index = placeOf(chunk.keys, key);
    const found = chunk.keys[index];
    if (found !== undefined && compareBytes(found, key) === 0) chunk.values[index] = value;
    else this.#insert(at, index, key, value);
  }

  #insert(at: number, index: number, key: Bytes, value: Bytes): void {
    const chunk = this.chunks[at] as Chunk;
    const { keys, values } = chunk;
    // When keys are only appended, full chunks are not split.
    if (keys.length === CHUNK_LENGTH && index === CHUNK_LENGTH) {
      this.chunks.splice(at + 1, 0, { keys: [key], values: [value], owner: this.#owner });
      return;
    }
    keys.splice(index, 0, key);
    values.splice(index, 0, value);
    if (keys.length <= CHUNK_LENGTH) return;
    const half = keys.length >> 1;
    this.chunks.splice(at + 1, 0, { keys: keys.splice(half), values: values.splice(half), owner: this.#owner });
  }

  delete(key: Bytes): void {
    const at = this.chunkOf(key);
    const known = this.chunks[at];
    if (known === undefined) return;
    const index = placeOf(known.keys, key);
    const found = known.keys[index];
    if (found === undefined || compareBytes(found, key) !== 0) return;
    this.#ownList();
    if (known.keys.length === 1) {
      this.chunks.splice(at, 1);
      return;
    }
    const { keys, values } = this.#ownChunk(at);
    keys.splice(index, 1);
    values.splice(index, 1);
  }

  clear(): void {
    this.chunks = [];
    this.#ownsList = true;
  }

  #ownList(): void {
    if (this.#ownsList) return;
    this.chunks = this.chunks.slice();
    this.#ownsList = true;
  }

  #ownChunk(at: number): Chunk {
    const chunk = this.chunks[at] as Chunk;
    if (chunk.owner === this.#owner) return chunk;
    const own = { keys: chunk.keys.slice(), values: chunk.values.slice(), owner: this.#owner };
    this.chunks[at] = own;
    return own;
  }
}

/** Index of the first key that is not less. */
function placeOf(keys: readonly Bytes[], key: Bytes): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareBytes(keys[middle] as Bytes, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
