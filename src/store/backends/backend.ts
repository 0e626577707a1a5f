/** The database port of the chain store: a database, a branch of one, or what stands before one and sees all writes. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { OrderedTable, TableName } from "../schema.ts";
import type { BatchOperation } from "./level-database.ts";

/** Iterates over the keys of a range in a snapshot. Only one call at a time. */
export interface KeyCursor {
  /** At most `count` keys from `target` on. An empty result means the end; fewer than `count` keys do not. */
  keysFrom(target: Bytes, count: number): Promise<Bytes[]>;
  /** Frees the cursor; closing its snapshot does so too. */
  close(): Promise<void>;
}

/** The store at one point in time. Must be closed. */
export interface BackendSnapshot {
  get(table: OrderedTable, key: Bytes): Bytes | undefined;
  /** Keys from `first` to before `end`. Valid as long as the snapshot. */
  cursor(first: Bytes, end: Bytes): KeyCursor;
  close(): Promise<void>;
}

/** Keys are as `schema.ts` builds them. Reads of whole keys are synchronous, ranges are not. */
export interface Backend {
  /**
   * The value of a key. It must not be changed, because in memory it is the store's own array.
   *
   * @throws {StoreError} `STORE_CLOSED`, `STORE_CORRUPT`
   */
  get(table: TableName, key: Bytes): Bytes | undefined;

  /**
   * All entries from `first` to `last`, both inclusive, in one array: for short ranges.
   *
   * @throws {StoreError} `STORE_CLOSED`, `STORE_CORRUPT`
   */
  entries(table: OrderedTable, first: Bytes, last: Bytes): Promise<[Bytes, Bytes][]>;

  /** @throws {StoreError} `STORE_CLOSED` */
  snapshot(): BackendSnapshot;

  /**
   * Writes all operations or none, after those of earlier calls.
   *
   * @throws {StoreError} `STORE_CLOSED`, `STORE_IO_FAILED`; after the latter all writes are refused
   */
  write(operations: BatchOperation[]): Promise<void>;
}

/** A backend before another one: it passes reads on, and decides what becomes of writes. */
export abstract class WrappedBackend implements Backend {
  protected readonly inner: Backend;

  constructor(inner: Backend) {
    this.inner = inner;
  }

  get(table: TableName, key: Bytes): Bytes | undefined {
    return this.inner.get(table, key);
  }

  entries(table: OrderedTable, first: Bytes, last: Bytes): Promise<[Bytes, Bytes][]> {
    return this.inner.entries(table, first, last);
  }

  snapshot(): BackendSnapshot {
    return this.inner.snapshot();
  }

  abstract write(operations: BatchOperation[]): Promise<void>;
}

/** An open database of the requested chain. */
export interface OpenBackend {
  readonly backend: Backend;
  /** Sentences for the user about the folder that was opened. */
  readonly notices?: readonly string[];
  /** Syncs to disk, closes, and unlocks the folder. */
  close(): Promise<void>;
}
