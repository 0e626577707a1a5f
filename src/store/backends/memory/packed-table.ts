/** A table in memory whose keys are hashes, with its values packed into buffers. */
import { type Bytes, equalBytes } from "../../../primitives/bytes/bytes.ts";
import { HashIndex } from "../../../primitives/bytes/hash-index.ts";
import { mappedBytes } from "../../../primitives/platform/encodings.ts";

/** Bytes of the first buffer, and of the largest that doubles the one before. */
const FIRST = 1_024;
const LARGEST = 65_536;
/**
 * Bytes of all further ones, in pages of the system: they are dropped when a chain is reset, and the C library would keep
 * them.
 */
const MAPPED = 4 * LARGEST;
/** A record is the number of its entry, the length of the value, and the value. */
const HEAD_BYTES = 8;
/** In place of the buffer's number, for an entry that was deleted. */
const NOWHERE = 0xffffffff;
/** Length of the list of places up to which it stays as it is. */
const MANY_PLACES = 4_096;

/** Holds records one after the other. */
interface Records {
  readonly bytes: Bytes;
  readonly view: DataView;
  /** Bytes of all records. */
  used: number;
  /** Bytes of records that are still entries. */
  live: number;
}

/**
 * Values by hash. A short array by itself takes V8 some 250 bytes and work in each garbage collection; here the bytes of
 * an entry and sixteen more are all that it takes.
 */
export class PackedTable extends HashIndex {
  /** Where the record of each entry is: number of the buffer, offset in it. */
  #places = new Uint32Array(0);
  #buffers: (Records | undefined)[] = [];
  /** Numbers of buffers that were dropped. */
  #free: number[] = [];
  /** Number of the buffer that takes new records. */
  #current = -1;

  /** The value of the hash at `offset` of some bytes. It must not be changed: it is the table's own. */
  get(bytes: Bytes, offset = 0): Bytes | undefined {
    const entry = this.find(bytes, offset);
    return entry < 0 ? undefined : this.#valueOf(entry);
  }

  /** Copies the hash and the value. */
  set(hash: Bytes, value: Bytes): void {
    const known = this.find(hash, 0);
    if (known >= 0 && equalBytes(this.#valueOf(known), value)) return;
    if (known >= 0) this.delete(hash);
    this.#put(this.enter(hash), value);
  }

  delete(hash: Bytes): void {
    const entry = this.remove(hash);
    if (entry >= 0) this.#release(entry, this.length);
  }

  /** The hashes and values, in no order. What is written meanwhile is missing, and what is deleted. */
  *entries(): Generator<readonly [hash: Bytes, value: Bytes], void, undefined> {
    for (const hash of this.hashes()) {
      const value = this.get(hash);
      if (value !== undefined) yield [hash, value];
    }
  }

  override clear(): void {
    super.clear();
    this.#places = new Uint32Array(0);
    this.#buffers = [];
    this.#free = [];
    this.#current = -1;
  }

  #bufferOf(entry: number): Records {
    return this.#buffers[this.#places[2 * entry] as number] as Records;
  }

  #valueOf(entry: number): Bytes {
    return valueAt(this.#bufferOf(entry), this.#places[2 * entry + 1] as number);
  }

  #put(entry: number, value: Bytes): void {
    const number = this.#roomFor(value);
    const buffer = this.#buffers[number] as Records;
    const { bytes, view, used } = buffer;
    view.setUint32(used, entry);
    view.setUint32(used + 4, value.length);
    bytes.set(value, used + HEAD_BYTES);
    buffer.used += HEAD_BYTES + value.length;
    buffer.live += HEAD_BYTES + value.length;
    if (2 * entry >= this.#places.length) this.#places = longer(this.#places, 2 * this.length);
    this.#places[2 * entry] = number;
    this.#places[2 * entry + 1] = used;
  }

  /** The number of a buffer with room for a value: the current one, a new one, or one of its own for a large value. */
  #roomFor({ length }: Bytes): number {
    const size = HEAD_BYTES + length;
    if (size > LARGEST) return this.#add(new Uint8Array(size));
    for (;;) {
      const [full, current] = [this.#current, this.#buffers[this.#current]];
      if (current !== undefined && current.used + size <= current.bytes.length) return full;
      const next = Math.max(FIRST, size, 2 * (current?.bytes.length ?? 0));
      this.#current = this.#add(next > LARGEST ? mappedBytes(MAPPED) : new Uint8Array(next));
      if (current !== undefined) this.#empty(full, current);
    }
  }

  #add(bytes: Bytes): number {
    const number = this.#free.pop() ?? this.#buffers.length;
    this.#buffers[number] = { bytes, view: new DataView(bytes.buffer), used: 0, live: 0 };
    return number;
  }

  /** Notes that the record of an entry is needed no more, and that the last entry has its number now. */
  #release(entry: number, last: number): void {
    const places = this.#places;
    const number = places[2 * entry] as number;
    const buffer = this.#bufferOf(entry);
    buffer.live -= HEAD_BYTES + this.#valueOf(entry).length;
    if (entry !== last) {
      this.#bufferOf(last).view.setUint32(places[2 * last + 1] as number, entry);
      places.copyWithin(2 * entry, 2 * last, 2 * last + 2);
    }
    places[2 * last] = NOWHERE;
    // Of an even length: an entry has two numbers.
    if (places.length > MANY_PLACES && 8 * last < places.length)
      this.#places = places.slice(0, 2 * (places.length >> 2));
    if (number !== this.#current) this.#empty(number, buffer);
  }

  /** Moves the records of a buffer, and drops it, if less than half of it is needed. */
  #empty(number: number, buffer: Records): void {
    const { view, used, live } = buffer;
    if (2 * live >= used) return;
    for (let at = 0; at < used && live > 0; ) {
      const entry = view.getUint32(at);
      const value = valueAt(buffer, at);
      const isNeeded = this.#places[2 * entry] === number && this.#places[2 * entry + 1] === at;
      if (isNeeded) this.#put(entry, value);
      at += HEAD_BYTES + value.length;
    }
    this.#buffers[number] = undefined;
    this.#free.push(number);
  }
}

function valueAt({ bytes, view }: Records, at: number): Bytes {
  const start = at + HEAD_BYTES;
  return bytes.subarray(start, start + view.getUint32(at + 4));
}

function longer(places: Uint32Array, least: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(Math.max(2 * places.length, 2 * least, 16));
  grown.set(places);
  return grown;
}
