/** A base: all entries of a store at one place of its stream, in chunks, for a reader that begins or is too far behind. */
import { type Bytes, bytesToBigInt, EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import { randomBytes } from "../primitives/platform/crypto.ts";
import type { Backend, BackendSnapshot } from "../store/backends/backend.ts";
import type { BatchOperation } from "../store/backends/level-database.ts";
import { scanSnapshot } from "../store/scan-table.ts";
import { type Table, type TableName, tables } from "../store/schema.ts";
import { POSITION_KEY } from "./chain-stream.ts";
import { encodeOperations } from "./entry-codec.ts";
import { decodePosition, type StreamPosition } from "./stream-position.ts";

/** Bytes of a chunk, more or less. */
const CHUNK_BYTES = 1024 * 1024;
/** Milliseconds after which a base that nobody reads is given up. */
const IDLE_MS = 60_000;

/** A chunk, by its number from zero on. Empty after the last one. */
interface Chunk {
  readonly number: number;
  readonly payload: Bytes;
}

/** One for each reader that begins. */
export class BaseReading {
  readonly id = bytesToBigInt(randomBytes(8));
  /** The place of the stream that the base is of. */
  readonly position: StreamPosition;
  readonly #snapshot: BackendSnapshot;
  readonly #chunks: AsyncGenerator<Bytes, void, undefined>;
  /** Held so that a reader whose connection was cut can ask again. */
  #last: Chunk = { number: -1, payload: EMPTY_BYTES };
  #usedAt = performance.now();
  #isFree = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(backend: Backend) {
    this.#snapshot = backend.snapshot();
    const stored = this.#snapshot.get("settings", POSITION_KEY);
    const position = stored && decodePosition(stored);
    if (position === undefined) throw new TypeError("BaseReading: the store has no position");
    this.position = position;
    this.#chunks = chunksOf(this.#snapshot, backend);
  }

  get isIdle(): boolean {
    return performance.now() - this.#usedAt > IDLE_MS;
  }

  /**
   * A chunk, which is the next one or again the last one. Empty bytes are the end.
   *
   * @returns undefined for any other number
   */
  chunk(number: number): Promise<Bytes | undefined> {
    const found = this.#turn.then(() => this.#chunk(number));
    this.#turn = found.catch(() => undefined);
    return found;
  }

  async #chunk(number: number): Promise<Bytes | undefined> {
    this.#usedAt = performance.now();
    if (number === this.#last.number) return this.#last.payload;
    if (number !== this.#last.number + 1) return undefined;
    const next = await this.#chunks.next();
    if (next.done === true) await this.#free();
    this.#last = { number, payload: next.done === true ? EMPTY_BYTES : next.value };
    return this.#last.payload;
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#chunks.return();
    await this.#free();
  }

  async #free(): Promise<void> {
    if (this.#isFree) return;
    this.#isFree = true;
    await this.#snapshot.close();
  }

  /** True if it holds no snapshot any more. Its last chunk can still be asked for again. */
  get isFree(): boolean {
    return this.#isFree;
  }
}

/** Entries under hashes first, which change nothing by themselves, and last what makes a chain of all others. */
const LAST: readonly TableName[] = ["settings", "meta"];
const ORDER: readonly TableName[] = (() => {
  const names = (Object.entries(tables) as [TableName, Table][]).filter(([name]) => !LAST.includes(name));
  const named = (isOrdered: boolean): TableName[] =>
    names.filter(([, { ordered }]) => (ordered === true) === isOrdered).map(([name]) => name);
  return [...named(false), ...named(true), ...LAST];
})();

async function* chunksOf(snapshot: BackendSnapshot, backend: Backend): AsyncGenerator<Bytes, void, undefined> {
  let operations: BatchOperation[] = [];
  let bytes = 0;
  for (const name of ORDER) {
    const { prefix, ordered }: Table = tables[name];
    for await (const { key, value } of scanSnapshot(snapshot, backend, name)) {
      operations.push(
        ordered === true ? { type: "put", key, value } : { type: "put", table: prefix, key: key.subarray(1), value },
      );
      bytes += key.length + value.length;
      if (bytes < CHUNK_BYTES) continue;
      yield await encodeOperations(operations);
      operations = [];
      bytes = 0;
    }
  }
  if (operations.length > 0) yield await encodeOperations(operations);
}
