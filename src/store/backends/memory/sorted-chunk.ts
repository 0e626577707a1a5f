/** Parts of a sorted map: entries in the order of their keys. */
import { type Bytes, compareBytes } from "../../../primitives/bytes/bytes.ts";

/** Entries in the order of their keys; not empty. */
export interface Chunk {
  readonly length: number;
  keyAt(index: number): Bytes;
  valueAt(index: number): Bytes;
  /** As `compareBytes` of a key and another one. */
  compareAt(index: number, key: Bytes): number;
}

/** Entries that a map changes in place. */
export class OpenChunk implements Chunk {
  readonly keys: Bytes[];
  readonly values: Bytes[];
  /** The map that may change it. */
  readonly owner: object;

  constructor(keys: Bytes[], values: Bytes[], owner: object) {
    this.keys = keys;
    this.values = values;
    this.owner = owner;
  }

  get length(): number {
    return this.keys.length;
  }

  keyAt(index: number): Bytes {
    return this.keys[index] as Bytes;
  }

  valueAt(index: number): Bytes {
    return this.values[index] as Bytes;
  }

  compareAt(index: number, key: Bytes): number {
    return compareBytes(this.keys[index] as Bytes, key);
  }
}

/**
 * Entries that are not changed: their bytes one after the other. By itself, a short array takes V8 some 150 bytes more, and
 * work in each garbage collection.
 */
export class PackedChunk implements Chunk {
  readonly length: number;
  /** Each key, and after it its value. */
  readonly #bytes: Bytes;
  /** The end of each key and of each value. */
  readonly #ends: Uint32Array;

  /** Copies the entries of a chunk. */
  constructor({ keys, values }: OpenChunk) {
    this.length = keys.length;
    this.#ends = new Uint32Array(2 * keys.length);
    let end = 0;
    for (let index = 0; index < keys.length; index++) {
      this.#ends[2 * index] = end += (keys[index] as Bytes).length;
      this.#ends[2 * index + 1] = end += (values[index] as Bytes).length;
    }
    this.#bytes = new Uint8Array(end);
    for (let index = 0; index < keys.length; index++) {
      this.#bytes.set(keys[index] as Bytes, this.#startOf(index));
      this.#bytes.set(values[index] as Bytes, this.#ends[2 * index] as number);
    }
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : (this.#ends[2 * index - 1] as number);
  }

  keyAt(index: number): Bytes {
    return this.#bytes.subarray(this.#startOf(index), this.#ends[2 * index]);
  }

  valueAt(index: number): Bytes {
    return this.#bytes.subarray(this.#ends[2 * index], this.#ends[2 * index + 1]);
  }

  compareAt(index: number, key: Bytes): number {
    const start = this.#startOf(index);
    const length = (this.#ends[2 * index] as number) - start;
    for (let at = 0; at < length && at < key.length; at++) {
      const difference = (this.#bytes[start + at] as number) - (key[at] as number);
      if (difference !== 0) return difference;
    }
    return length - key.length;
  }

  /** The entries, for a map that changes them. */
  open(owner: object): OpenChunk {
    const [keys, values]: [Bytes[], Bytes[]] = [[], []];
    for (let index = 0; index < this.length; index++) {
      keys.push(this.keyAt(index));
      values.push(this.valueAt(index));
    }
    return new OpenChunk(keys, values, owner);
  }
}
