/**
 * A store in memory over another one: reads the other as it was when the branch began, and keeps its own writes in
 * memory.
 *
 * Values stored under their hash never change, so they are read from the present state of the other store; all else
 * from a snapshot.
 */
import { type Bytes, compareBytes, concatBytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { type OrderedTable, type Table, type TableName, tables } from "../schema.ts";
import type { Backend, BackendSnapshot, KeyCursor } from "./backend.ts";
import { LevelBackend } from "./level-backend.ts";
import type { BatchOperation } from "./level-database.ts";

/** Lives as long as its branch, which the other store must outlive. */
export class BranchBackend implements Backend {
  readonly #base: Backend;
  readonly #shared: BackendSnapshot;
  readonly #own: LevelBackend;

  /** Begins a branch of the present state. */
  static async over(base: Backend): Promise<BranchBackend> {
    const own = await LevelBackend.inMemory();
    return new BranchBackend(base, base.snapshot(), own);
  }

  private constructor(base: Backend, shared: BackendSnapshot, own: LevelBackend) {
    this.#base = base;
    this.#shared = shared;
    this.#own = own;
  }

  get(table: TableName, key: Bytes): Bytes | undefined {
    const value = this.#own.get(table, key);
    if (value !== undefined) return value;
    if (!isOrdered(table)) return this.#base.get(table, key);
    return this.#own.get("deletedKeys", deletedKey(key)) === undefined ? this.#shared.get(table, key) : undefined;
  }

  async entries(table: OrderedTable, first: Bytes, last: Bytes): Promise<[Bytes, Bytes][]> {
    const snapshot = this.snapshot();
    try {
      const cursor = snapshot.cursor(first, successor(last));
      const entries: [Bytes, Bytes][] = [];
      for (let keys = await cursor.keysFrom(first, SCANNED); keys.length > 0; ) {
        for (const key of keys) entries.push([key, snapshot.get(table, key) ?? EMPTY_BYTES]);
        keys = await cursor.keysFrom(successor(keys.at(-1) as Bytes), SCANNED);
      }
      return entries;
    } finally {
      await snapshot.close();
    }
  }

  snapshot(): BackendSnapshot {
    return new BranchSnapshot(this.#own.snapshot(), this.#shared);
  }

  write(operations: BatchOperation[]): Promise<void> {
    return this.#own.write(operations.flatMap(overlaid));
  }

  /** Closes the snapshot of the other store and drops its own values. */
  async close(): Promise<void> {
    await this.#own.close();
    await this.#shared.close();
  }
}

/** A snapshot of a branch. The shared part belongs to the branch and stays open. */
class BranchSnapshot implements BackendSnapshot {
  readonly #own: BackendSnapshot;
  readonly #shared: BackendSnapshot;
  readonly #cursors: KeyCursor[] = [];

  constructor(own: BackendSnapshot, shared: BackendSnapshot) {
    this.#own = own;
    this.#shared = shared;
  }

  get(table: OrderedTable, key: Bytes): Bytes | undefined {
    const value = this.#own.get(table, key);
    if (value !== undefined) return value;
    return this.#isDeleted(key) ? undefined : this.#shared.get(table, key);
  }

  #isDeleted(key: Bytes): boolean {
    return this.#own.get("deletedKeys", deletedKey(key)) !== undefined;
  }

  cursor(first: Bytes, end: Bytes): KeyCursor {
    const own = this.#own.cursor(first, end);
    const shared = this.#shared.cursor(first, end);
    const cursor: KeyCursor = {
      keysFrom: (target, count) => this.#mergedKeys([own, shared], target, count),
      close: async () => {
        await own.close();
        await shared.close();
      },
    };
    this.#cursors.push(cursor);
    return cursor;
  }

  /**
   * Merges the keys of both parts. Each part may return few keys, so only those up to the smaller of the two last keys
   * are complete; the others are read again.
   */
  async #mergedKeys([own, shared]: [KeyCursor, KeyCursor], from: Bytes, count: number): Promise<Bytes[]> {
    for (let target = from; ; ) {
      const added = await own.keysFrom(target, count);
      const sharedKeys = await shared.keysFrom(target, count);
      const [lastAdded, lastShared] = [added.at(-1), sharedKeys.at(-1)];
      const bound =
        lastAdded !== undefined && lastShared !== undefined ? lesser(lastAdded, lastShared) : (lastAdded ?? lastShared);
      if (bound === undefined) return [];
      const isKnown = (key: Bytes): boolean => compareBytes(key, bound) <= 0;
      const merged = merge(
        added.filter(isKnown),
        sharedKeys.filter((key) => isKnown(key) && !this.#isDeleted(key)),
      );
      if (merged.length > 0) return merged.slice(0, count);
      target = successor(bound);
    }
  }

  async close(): Promise<void> {
    for (const cursor of this.#cursors) await cursor.close();
    await this.#own.close();
  }
}

/** Keys that are read at once in a short range. */
const SCANNED = 64;

const ORDERED_TABLES: ReadonlySet<string> = new Set(
  Object.entries<Table>(tables)
    .filter(([, table]) => table.ordered === true)
    .map(([name]) => name),
);

const ORDERED_PREFIXES: ReadonlySet<number> = new Set(
  Object.values<Table>(tables)
    .filter((table) => table.ordered === true)
    .map(({ prefix }) => prefix),
);

function isOrdered(table: TableName): table is OrderedTable {
  return ORDERED_TABLES.has(table);
}

const DELETED_PREFIX = Uint8Array.of(tables.deletedKeys.prefix);

function deletedKey(key: Bytes): Bytes {
  return concatBytes(DELETED_PREFIX, key);
}

/** Converts an operation on a branch to operations on its own part: deleting a key must also hide the shared one. */
function overlaid(operation: BatchOperation): BatchOperation[] {
  if (operation.table !== undefined || !ORDERED_PREFIXES.has(operation.key[0] as number)) return [operation];
  const mark = deletedKey(operation.key);
  return operation.type === "put"
    ? [operation, { type: "del", key: mark }]
    : [operation, { type: "put", key: mark, value: EMPTY_BYTES }];
}

/** The smallest key after this one. */
function successor(key: Bytes): Bytes {
  return concatBytes(key, Uint8Array.of(0));
}

function lesser(left: Bytes, right: Bytes): Bytes {
  return compareBytes(left, right) <= 0 ? left : right;
}

/** Merges two ascending lists without duplicates. */
function merge(left: readonly Bytes[], right: readonly Bytes[]): Bytes[] {
  const merged: Bytes[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [a, b] = [left[i], right[j]];
    const order = a === undefined ? 1 : b === undefined ? -1 : compareBytes(a, b);
    merged.push((order <= 0 ? a : b) as Bytes);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return merged;
}
