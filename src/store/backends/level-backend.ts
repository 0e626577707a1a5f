/**
 * Implements the backend port over LevelDB, a journal, or a database in memory. Converts LevelDB's errors to StoreErrors.
 */
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { type OrderedTable, type TableName, tables } from "../schema.ts";
import { corruptValue, levelCode, readFailed, storeClosed, writeFailed } from "../store-errors.ts";
import type { Backend, BackendSnapshot } from "./backend.ts";
import { folderDatabase } from "./folder-database.ts";
import {
  type BatchOperation,
  ENCODINGS,
  type LevelDatabase,
  type LevelKeys,
  type SnapshotOptions,
} from "./level-database.ts";
import { MemoryDatabase } from "./memory/memory-database.ts";

/** Bytes that LevelDB reads in one call of a cursor: a thousand keys of the greatest length. */
const READ_AHEAD_BYTES = 64 * 1024;

/** Owns its database, and closes it after the last write has ended. */
export class LevelBackend implements Backend {
  readonly #database: LevelDatabase;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #hasWritten = false;
  /** LevelDB's error from a failed write. */
  #failure: unknown;

  /**
   * Opens the database of a folder; creates it if it does not exist.
   *
   * @throws {StoreError} `DATA_DIR_LOCKED`, `DATA_DIR_UNUSABLE`, `STORE_CORRUPT`
   */
  static async onDisk(folder: string): Promise<LevelBackend> {
    const database = await folderDatabase(folder);
    try {
      await database.open();
    } catch (cause) {
      const { openingFailed } = await import("../folder-errors.ts");
      throw openingFailed(folder, cause);
    }
    return new LevelBackend(database);
  }

  static async inMemory(): Promise<LevelBackend> {
    const database = new MemoryDatabase();
    await database.open();
    return new LevelBackend(database);
  }

  private constructor(database: LevelDatabase) {
    this.#database = database;
  }

  /** What the user should know of the folder that was opened. */
  get notices(): readonly string[] {
    return this.#database.notices ?? [];
  }

  get(table: TableName, key: Bytes): Bytes | undefined {
    try {
      const value = this.#database.getSync(key);
      return value === undefined ? undefined : plainBytes(value);
    } catch (error) {
      throw this.#readingError(error, table, key);
    }
  }

  async entries(table: OrderedTable, first: Bytes, last: Bytes): Promise<[Bytes, Bytes][]> {
    try {
      const entries = await this.#database.iterator({ gte: first, lte: last }).all();
      return entries.map(([key, value]) => [plainBytes(key), plainBytes(value)]);
    } catch (error) {
      throw this.#readingError(error, table, first);
    }
  }

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
    const readOptions: SnapshotOptions = { snapshot, ...ENCODINGS };
    const cursors = new Set<LevelKeys>();
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
        cursors.add(keys);
        /** The key after which it goes on; undefined at the beginning. */
        let last: Bytes | undefined;
        return {
          keysFrom: async (target, count) => {
            try {
              // Where a table file is damaged, a needless seek can end the process by an assertion of LevelDB's.
              if (last === undefined ? !equalBytes(target, first) : !isNext(target, last)) keys.seek(target);
              const found = (await keys.nextv(count)).map(plainBytes);
              last = found.at(-1) ?? target;
              return found;
            } catch (error) {
              throw this.#readingError(error, tableOfKey(target), target);
            }
          },
          close: async () => {
            cursors.delete(keys);
            await keys.close();
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
   * Writes all operations or none, after those of earlier calls. The write survives the end of the process, but not a
   * power failure; {@link close} makes it durable.
   *
   * @throws {StoreError} `STORE_CLOSED`, `STORE_IO_FAILED`; after the latter all writes are refused
   */
  write(operations: BatchOperation[]): Promise<void> {
    // LevelDB does not keep the order of concurrent writes.
    const written = this.#lastWrite.then(() => this.#writeNow(operations, false));
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }

  async #writeNow(operations: BatchOperation[], sync: boolean): Promise<void> {
    // The journal may end with half a record; records after it would be lost on the next start.
    if (this.#failure !== undefined) throw writeFailed(this.#failure);
    try {
      await this.#database.batch(operations, { sync });
      this.#hasWritten = true;
    } catch (error) {
      if (this.#isClosed(error)) throw storeClosed(error);
      this.#failure = error;
      throw writeFailed(error);
    }
  }

  /**
   * Waits for pending writes and closes.
   *
   * @param last - written with a sync to disk, which makes all earlier writes durable; without it nothing is synced
   * @throws {StoreError} `STORE_IO_FAILED`; the store is closed nevertheless
   */
  async close(last?: BatchOperation): Promise<void> {
    await this.#lastWrite;
    try {
      if (last !== undefined && this.#hasWritten && this.#failure === undefined) await this.#writeNow([last], true);
    } finally {
      await this.#database.close();
    }
  }

  #readingError(error: unknown, table: TableName, key: Bytes): Error {
    if (this.#isClosed(error)) return storeClosed(error);
    return levelCode(error) === "LEVEL_CORRUPTION" ? corruptValue(table, key, error) : readFailed(table, error);
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

/**
 * Converts LevelDB's Buffers to Uint8Arrays, because `slice` of a Buffer shares memory and that of a Uint8Array copies.
 */
function plainBytes(value: Bytes): Bytes {
  if (value.constructor === Uint8Array) return value;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/** True for the smallest key above another one. */
function isNext(key: Bytes, before: Bytes): boolean {
  const { length } = before;
  return key.length === length + 1 && key[length] === 0 && equalBytes(key.subarray(0, length), before);
}

function tableOfKey(key: Bytes): TableName {
  const names = Object.keys(tables) as TableName[];
  return names.find((name) => tables[name].prefix === key[0]) ?? "meta";
}
