/** What the chain store asks of a database: LevelDB, its likeness in memory, or a branch over either. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { OrderedTable, TableName } from "../schema.ts";
import type { BatchOperation } from "./level-database.ts";

/** Keys of a range, in order, at one moment. One call at a time. */
export interface KeyCursor {
  /** At most `count` keys from `target` on; fewer than `count` is not yet the end, none is. */
  keysFrom(target: Bytes, count: number): Promise<Bytes[]>;
  /** Lets go of it; the end of its snapshot does so too. */
  close(): Promise<void>;
}

/** The store as it was when the snapshot was taken. To be closed. */
export interface BackendSnapshot {
  get(table: OrderedTable, key: Bytes): Bytes | undefined;
  /** Keys from `first` up to, and without, `end`. Lives as long as the snapshot. */
  cursor(first: Bytes, end: Bytes): KeyCursor;
  close(): Promise<void>;
}

export interface Backend {
  /**
   * The value under a key. Not to be written to: in memory it is the store's own.
   *
   * @throws {StoreError} `STORE_CLOSED`, `STORE_CORRUPT`
   */
  get(table: TableName, key: Bytes): Bytes | undefined;

  /**
   * All entries from `first` to `last`, both included; for ranges that are known to be short.
   *
   * @throws {StoreError} `STORE_CLOSED`, `STORE_CORRUPT`
   */
  entries(table: OrderedTable, first: Bytes, last: Bytes): Promise<[Bytes, Bytes][]>;

  /** @throws {StoreError} `STORE_CLOSED` */
  snapshot(): BackendSnapshot;

  /**
   * Writes all operations or none, after those of earlier calls.
   *
   * @throws {StoreError} `STORE_CLOSED`, `STORE_IO_FAILED`; after the latter every write is refused
   */
  write(operations: BatchOperation[]): Promise<void>;
}
