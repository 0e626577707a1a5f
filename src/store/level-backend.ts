/**
 * LevelDB on disk or its likeness in memory, behind the five operations the store needs. Knows keys and values as bytes;
 * turns what LevelDB throws into StoreErrors.
 */
import type { Bytes } from "../primitives/bytes.ts";
import { type TableName, tables } from "./schema.ts";
import { corruptValue, levelCode, openingFailed, readFailed, storeClosed, writeFailed } from "./store-errors.ts";

/** One write of a batch. */
export type BatchOperation =
  | { readonly type: "put"; readonly key: Bytes; readonly value: Bytes }
  | { readonly type: "del"; readonly key: Bytes };

/** Keys of a range, in order, at one moment. One call at a time. */
export interface KeyCursor {
  /** At most `count` keys from `target` on; fewer than `count` is not yet the end, none is. */
  keysFrom(target: Bytes, count: number): Promise<Bytes[]>;
}

/** The store as it was when the snapshot was taken. To be closed. */
export interface BackendSnapshot {
  get(table: TableName, key: Bytes): Bytes | undefined;
  /** Keys from `first` up to, and without, `end`. Lives as long as the snapshot. */
  cursor(first: Bytes, end: Bytes): KeyCursor;
  close(): Promise<void>;
}

/** What is used of abstract-level: `level` and `memory-level` both have it. */
interface LevelDatabase {
  readonly status: string;
  open(): Promise<void>;
  close(): Promise<void>;
  getSync(key: Bytes): Bytes | undefined;
  getSync(key: Bytes, options: ReadOptions): Bytes | undefined;
  batch(operations: BatchOperation[], options: { sync?: boolean }): Promise<void>;
  keys(options: RangeOptions): LevelKeys;
  iterator(options: { gte: Bytes; lte: Bytes }): { all(): Promise<[Bytes, Bytes][]> };
  snapshot(): LevelSnapshot;
}

interface LevelSnapshot {
  close(): Promise<void>;
}

interface ReadOptions {
  snapshot: LevelSnapshot;
  keyEncoding: "view";
  valueEncoding: "view";
}

interface RangeOptions {
  gte: Bytes;
  lt: Bytes;
  snapshot?: LevelSnapshot;
  highWaterMarkBytes?: number;
}

interface LevelKeys {
  seek(target: Bytes): void;
  nextv(count: number): Promise<Bytes[]>;
  close(): Promise<void>;
}

const ENCODINGS = { keyEncoding: "view", valueEncoding: "view" } as const;
/** Bytes that LevelDB reads ahead for one call: a thousand of the longest keys. */
const READ_AHEAD_BYTES = 64 * 1024;

export class LevelBackend {
  readonly #database: LevelDatabase;
  readonly #inMemory: boolean;
  #hasWritten = false;

  /** Opens a LevelDB folder, creating it if there is none. */
  static async onDisk(folder: string): Promise<LevelBackend> {
    const { Level } = await import("level");
    const database: LevelDatabase = new Level<Bytes, Bytes>(folder, ENCODINGS);
    try {
      await database.open();
    } catch (cause) {
      throw openingFailed(folder, cause);
    }
    return new LevelBackend(database, false);
  }

  static async inMemory(): Promise<LevelBackend> {
    const { MemoryLevel } = await import("memory-level");
    const database: LevelDatabase = new MemoryLevel<Bytes, Bytes>({ ...ENCODINGS, storeEncoding: "view" });
    await database.open();
    return new LevelBackend(database, true);
  }

  private constructor(database: LevelDatabase, inMemory: boolean) {
    this.#database = database;
    this.#inMemory = inMemory;
  }

  /**
   * The value under a key. Not to be written to: in memory it is the store's own.
   *
   * @throws {StoreError} `STORE_CLOSED`, `STORE_CORRUPT`
   */
  get(table: TableName, key: Bytes): Bytes | undefined {
    try {
      const value = this.#database.getSync(key);
      return value === undefined ? undefined : plainBytes(value);
    } catch (error) {
      throw this.#readingError(error, table, key);
    }
  }

  /**
   * All entries from `first` to `last`, both included; for ranges that are known to be short.
   *
   * @throws {StoreError} `STORE_CLOSED`, `STORE_CORRUPT`
   */
  async entries(table: TableName, first: Bytes, last: Bytes): Promise<[Bytes, Bytes][]> {
    try {
      const entries = await this.#database.iterator({ gte: first, lte: last }).all();
      return entries.map(([key, value]) => [plainBytes(key), plainBytes(value)]);
    } catch (error) {
      throw this.#readingError(error, table, first);
    }
  }

  /** @throws {StoreError} `STORE_CLOSED` */
  snapshot(): BackendSnapshot {
    try {
      return this.#snapshot();
    } catch (error) {
      throw this.#readingError(error, "logs", EMPTY_KEY);
    }
  }

  #snapshot(): BackendSnapshot {
    const database = this.#database;
    const snapshot = database.snapshot();
    const readOptions: ReadOptions = { ...ENCODINGS, snapshot };
    const cursors: LevelKeys[] = [];
    return {
      get: (table, key) => {
        try {
          const value = database.getSync(key, readOptions);
          return value === undefined ? undefined : plainBytes(value);
        } catch (error) {
          throw this.#readingError(error, table, key);
        }
      },
      cursor: (first, end) => {
        const keys = database.keys({ gte: first, lt: end, snapshot, highWaterMarkBytes: READ_AHEAD_BYTES });
        cursors.push(keys);
        return {
          keysFrom: async (target, count) => {
            try {
              keys.seek(target);
              return (await keys.nextv(count)).map(plainBytes);
            } catch (error) {
              throw this.#readingError(error, tableOfKey(target), target);
            }
          },
        };
      },
      close: async () => {
        for (const keys of cursors) await keys.close();
        await snapshot.close();
      },
    };
  }

  /**
   * Writes all operations or none. Survives the end of the process, not a power failure; {@link close} makes it durable.
   *
   * @throws {StoreError} `STORE_CLOSED`, `STORE_IO_FAILED`
   */
  async write(operations: BatchOperation[]): Promise<void> {
    // LevelDB copies what it is given; the store in memory would keep the caller's own arrays.
    const own = this.#inMemory ? operations.map(withOwnValue) : operations;
    this.#hasWritten = true;
    try {
      await this.#database.batch(own, {});
    } catch (error) {
      throw this.#writingError(error);
    }
  }

  /**
   * Ends what is under way and closes.
   *
   * @param last - written through to the disk, and with it everything before
   * @throws {StoreError} `STORE_IO_FAILED`; the store is closed all the same
   */
  async close(last: BatchOperation): Promise<void> {
    try {
      if (!this.#inMemory && this.#hasWritten) await this.#database.batch([last], { sync: true });
    } catch (error) {
      throw this.#writingError(error);
    } finally {
      await this.#database.close();
    }
  }

  #readingError(error: unknown, table: TableName, key: Bytes): Error {
    if (this.#isClosed(error)) return storeClosed(error);
    return levelCode(error) === "LEVEL_CORRUPTION" ? corruptValue(table, key, error) : readFailed(table, error);
  }

  #writingError(error: unknown): Error {
    return this.#isClosed(error) ? storeClosed(error) : writeFailed(error);
  }

  #isClosed(error: unknown): boolean {
    return this.#database.status !== "open" || CLOSED_CODES.has(levelCode(error) ?? "");
  }
}

const EMPTY_KEY = new Uint8Array(0);
const CLOSED_CODES: ReadonlySet<string> = new Set([
  "LEVEL_DATABASE_NOT_OPEN",
  "LEVEL_ITERATOR_NOT_OPEN",
  "LEVEL_SNAPSHOT_NOT_OPEN",
]);

/** LevelDB gives Buffers, whose `slice` shares memory where that of a Uint8Array copies: give plain arrays only. */
function plainBytes(value: Bytes): Bytes {
  if (!(value instanceof Buffer)) return value;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

function withOwnValue(operation: BatchOperation): BatchOperation {
  return operation.type === "del" ? operation : { type: "put", key: operation.key, value: operation.value.slice() };
}

function tableOfKey(key: Bytes): TableName {
  const names = Object.keys(tables) as TableName[];
  return names.find((name) => tables[name].prefix === key[0]) ?? "meta";
}
