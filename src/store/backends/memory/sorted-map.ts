/**
 * A map sorted by byte keys with cheap snapshots, for tables in memory that are read by range.
 *
 * Keys are in chunks of a few hundred. A snapshot shares the chunks copy-on-write: the next writer copies the list of
 * chunks once, and each chunk that it changes. A chunk that is full is packed until it is written again, which happens
 * seldom: block numbers ascend.
 */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { type Chunk, OpenChunk, PackedChunk } from "./sorted-chunk.ts";

/** Most keys of a chunk. */
const CHUNK_LENGTH = 256;

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
    const index = placeOf(chunk, key);
    return isAt(chunk, index, key) ? chunk.valueAt(index) : undefined;
  }

  /** Entries from a key on, ascending. Valid while the map does not change. */
  *from(first: Bytes): Generator<readonly [key: Bytes, value: Bytes], void, undefined> {
    const start = this.chunkOf(first);
    for (let at = start; at < this.chunks.length; at++) {
      const chunk = this.chunks[at] as Chunk;
      for (let index = at === start ? placeOf(chunk, first) : 0; index < chunk.length; index++) {
        yield [chunk.keyAt(index), chunk.valueAt(index)];
      }
    }
  }

  /** Index of the last chunk that begins at or before a key; of the first chunk if there is none. */
  protected chunkOf(key: Bytes): number {
    let low = 0;
    let high = this.chunks.length;
    // Checked first, because block numbers ascend, so that most new keys come last.
    if (high > 0 && (this.chunks[high - 1] as Chunk).compareAt(0, key) <= 0) return high - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.chunks[middle] as Chunk).compareAt(0, key) <= 0) low = middle;
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
      this.chunks.push(new OpenChunk([key], [value], this.#owner));
      return;
    }
    const known = this.chunks[at] as Chunk;
    const index = placeOf(known, key);
    if (isAt(known, index, key)) this.#ownChunk(at).values[index] = value;
    else this.#insert(at, index, key, value);
  }

  #insert(at: number, index: number, key: Bytes, value: Bytes): void {
    const full = this.chunks[at] as Chunk;
    // When keys are only appended, full chunks are not split.
    if (full.length === CHUNK_LENGTH && index === CHUNK_LENGTH) {
      this.#pack(at, full);
      this.chunks.splice(at + 1, 0, new OpenChunk([key], [value], this.#owner));
      return;
    }
    const chunk = this.#ownChunk(at);
    const { keys, values } = chunk;
    keys.splice(index, 0, key);
    values.splice(index, 0, value);
    if (keys.length <= CHUNK_LENGTH) return;
    const half = keys.length >> 1;
    this.chunks.splice(at + 1, 0, new OpenChunk(keys.splice(half), values.splice(half), this.#owner));
    // Of a table before another one, the last keys share their chunk with the first ones of that.
    if (index > half) this.#pack(at, chunk);
  }

  #pack(at: number, chunk: Chunk): void {
    if (chunk instanceof OpenChunk) this.chunks[at] = new PackedChunk(chunk);
  }

  delete(key: Bytes): void {
    const at = this.chunkOf(key);
    const known = this.chunks[at];
    if (known === undefined) return;
    const index = placeOf(known, key);
    if (!isAt(known, index, key)) return;
    this.#ownList();
    if (known.length === 1) {
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

  #ownChunk(at: number): OpenChunk {
    const chunk = this.chunks[at] as OpenChunk | PackedChunk;
    if (chunk instanceof OpenChunk && chunk.owner === this.#owner) return chunk;
    const own =
      chunk instanceof OpenChunk
        ? new OpenChunk(chunk.keys.slice(), chunk.values.slice(), this.#owner)
        : chunk.open(this.#owner);
    this.chunks[at] = own;
    return own;
  }
}

/** Index of the first key that is not less. */
function placeOf(chunk: Chunk, key: Bytes): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chunk.compareAt(middle, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isAt(chunk: Chunk, index: number, key: Bytes): boolean {
  return index < chunk.length && chunk.compareAt(index, key) === 0;
}
