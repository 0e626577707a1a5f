/** The storage of an account in a state file: a million slots as bytes, not as texts or objects. */
import type { ListedEntries, StorageEntry } from "../../../chainspec/genesis/genesis.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { quickReader, REFUSED } from "../../../primitives/validation/quick-reader.ts";
import { word } from "./anvil-schema.ts";

const WORD_BYTES = 32;
const ENTRY_BYTES = 2 * WORD_BYTES;
/** Entries of a chunk: 64 KiB. */
const CHUNK_ENTRIES = 1_024;

/** Takes the members of a JSON object as they are parsed. An entry takes 64 bytes; as two texts it would take 200. */
export class PackedStorage implements ListedEntries<StorageEntry> {
  readonly #read = quickReader(word);
  readonly #chunks: Bytes[] = [];
  #length = 0;
  /** The first member that is no slot with a value; those after it are not taken. */
  #wrong: readonly [slot: string, value: unknown] | undefined;

  get length(): number {
    return this.#length;
  }

  get wrong(): readonly [slot: string, value: unknown] | undefined {
    return this.#wrong;
  }

  /** Adds a slot. One that is there already has its last value, because that is written last. */
  set(slot: string, value: unknown): void {
    if (this.#wrong !== undefined) return;
    const [key, content] = [this.#read(slot), this.#read(value)];
    if (key === REFUSED || content === REFUSED) {
      this.#wrong = [slot, value];
      return;
    }
    const at = (this.#length % CHUNK_ENTRIES) * ENTRY_BYTES;
    if (at === 0) this.#chunks.push(new Uint8Array(CHUNK_ENTRIES * ENTRY_BYTES));
    const chunk = this.#chunks.at(-1) as Bytes;
    chunk.set(key as Bytes, at);
    chunk.set(content as Bytes, at + WORD_BYTES);
    this.#length++;
  }

  at(index: number): StorageEntry | undefined {
    const chunk = this.#chunks[Math.floor(index / CHUNK_ENTRIES)];
    if (chunk === undefined || index >= this.#length) return undefined;
    const start = (index % CHUNK_ENTRIES) * ENTRY_BYTES;
    const end = start + ENTRY_BYTES;
    let valueStart = start + WORD_BYTES;
    while (valueStart < end && chunk[valueStart] === 0) valueStart++;
    // Copies, since caches hold them longer than the chunk is needed.
    return { slot: chunk.slice(start, start + WORD_BYTES), value: chunk.slice(valueStart, end) };
  }

  *[Symbol.iterator](): Generator<StorageEntry> {
    for (let index = 0; index < this.#length; index++) yield this.at(index) as StorageEntry;
  }
}
