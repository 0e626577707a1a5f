/**
 * Posting lists: the positions of all logs with one term (an address or a topic), and unions of such lists.
 *
 * Positions are the 16 bytes of `keys.ts`, which sort by block number and log index. Lists are read in chunks from a
 * shared cursor. The chunk size doubles while a list is read sequentially, and is reset by a jump.
 */
import { type Bytes, compareBytes, equalBytes } from "../primitives/bytes/bytes.ts";
import type { BackendSnapshot, KeyCursor } from "./backends/backend.ts";
import { POSITION_BYTES } from "./codecs/keys.ts";
import type { OrderedTable } from "./schema.ts";

const FIRST_CHUNK = 16;
const LARGEST_CHUNK = 1024;

/** Data source of posting lists. */
export interface PostingSource {
  readonly snapshot: BackendSnapshot;
  readonly cursor: KeyCursor;
  /** Last position of the query. */
  readonly last: Bytes;
}

/** The positions of one term. */
export class PostingList {
  readonly #table: OrderedTable;
  readonly #prefix: Bytes;
  readonly #source: PostingSource;
  /** Prefix and space for a position: the key for point reads. */
  readonly #probe: Bytes;
  #chunk: Bytes[] = [];
  #chunkSize = FIRST_CHUNK;
  #coveredTo: Bytes | undefined;
  #isExhausted = false;

  constructor(table: OrderedTable, prefix: Bytes, source: PostingSource) {
    this.#table = table;
    this.#prefix = prefix;
    this.#source = source;
    this.#probe = new Uint8Array(prefix.length + POSITION_BYTES);
    this.#probe.set(prefix);
  }

  /** Positions read so far, ascending; complete up to {@link coveredTo}. */
  get chunk(): readonly Bytes[] {
    return this.#chunk;
  }

  /** End of the range in which {@link chunk} is complete; undefined: complete to the end. */
  get coveredTo(): Bytes | undefined {
    return this.#isExhausted ? undefined : this.#coveredTo;
  }

  /** Drops positions before `from`, and reads more if none are left. */
  async advance(from: Bytes): Promise<void> {
    this.#chunk = this.#chunk.slice(lowerBound(this.#chunk, from));
    if (this.#chunk.length > 0 || this.#isExhausted) return;
    const isReadOn = this.#coveredTo !== undefined && equalBytes(from, nextPosition(this.#coveredTo));
    this.#chunkSize = isReadOn ? Math.min(this.#chunkSize * 2, LARGEST_CHUNK) : FIRST_CHUNK;
    this.#probe.set(from, this.#prefix.length);
    const keys = await this.#source.cursor.keysFrom(this.#probe, this.#chunkSize);
    for (const key of keys) {
      const position = this.#positionIn(key);
      if (position === undefined) {
        this.#isExhausted = true;
        break;
      }
      this.#chunk.push(position);
    }
    this.#isExhausted ||= keys.length === 0;
    this.#coveredTo = this.#chunk.at(-1);
  }

  /** True if a position is in the list, by one point read. */
  has(position: Bytes): boolean {
    this.#probe.set(position, this.#prefix.length);
    return this.#source.snapshot.get(this.#table, this.#probe) !== undefined;
  }

  /** The position in a key; undefined if the key is beyond the list or the query's last position. */
  #positionIn(key: Bytes): Bytes | undefined {
    const prefix = this.#prefix;
    if (key.length !== prefix.length + POSITION_BYTES) return undefined;
    for (let index = 0; index < prefix.length; index++) if (key[index] !== prefix[index]) return undefined;
    const position = key.subarray(prefix.length);
    return compareBytes(position, this.#source.last) > 0 ? undefined : position;
  }
}

/** The positions with any of several terms. */
export class PostingUnion {
  readonly #lists: readonly PostingList[];
  #entries: readonly Bytes[] = [];
  #coveredTo: Bytes | undefined;

  constructor(lists: readonly PostingList[]) {
    this.#lists = lists;
  }

  /** Positions read so far, ascending, each once; complete up to {@link coveredTo}. */
  get entries(): readonly Bytes[] {
    return this.#entries;
  }

  /** End of the range in which {@link entries} is complete; undefined: complete to the end. */
  get coveredTo(): Bytes | undefined {
    return this.#coveredTo;
  }

  /** Advances to positions from `from` on; reads at most one chunk of each list. */
  async advance(from: Bytes): Promise<void> {
    for (const list of this.#lists) await list.advance(from);
    const [first] = this.#lists;
    if (this.#lists.length === 1 && first !== undefined) {
      this.#entries = first.chunk;
      this.#coveredTo = first.coveredTo;
      return;
    }
    const ends = this.#lists.map((list) => list.coveredTo).filter((end) => end !== undefined);
    this.#coveredTo = ends.reduce<Bytes | undefined>(nearer, undefined);
    this.#entries = mergeChunks(this.#lists, this.#coveredTo);
  }

  /** True if any list has the position. Reads from the store only beyond the chunks. */
  has(position: Bytes): boolean {
    if (this.#coveredTo !== undefined && compareBytes(position, this.#coveredTo) > 0) {
      return this.#lists.some((list) => list.has(position));
    }
    const found = this.#entries[lowerBound(this.#entries, position)];
    return found !== undefined && equalBytes(found, position);
  }
}

/** The position after `position`. */
export function nextPosition(position: Bytes): Bytes {
  const next = position.slice();
  for (let index = next.length - 1; index >= 0; index--) {
    const byte = next[index] as number;
    next[index] = byte + 1;
    if (byte !== 0xff) break;
  }
  return next;
}

function nearer(left: Bytes | undefined, right: Bytes): Bytes {
  return left === undefined || compareBytes(right, left) < 0 ? right : left;
}

/** Merges ascending chunks up to `end`, without repetitions. */
function mergeChunks(lists: readonly PostingList[], end: Bytes | undefined): Bytes[] {
  const parts = lists.map(({ chunk }) =>
    end === undefined ? chunk : chunk.slice(0, lowerBound(chunk, nextPosition(end))),
  );
  // Array sort is a merge sort, which is fast on concatenated ascending chunks.
  const sorted = parts.flat().sort(compareBytes);
  return sorted.filter((position, index) => index === 0 || !equalBytes(position, sorted[index - 1] as Bytes));
}

/** Index of the first position that is not before `target`. */
function lowerBound(positions: readonly Bytes[], target: Bytes): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(positions[middle] as Bytes, target) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
