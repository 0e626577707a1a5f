/** Reads a whole table, entry by entry, as the bytes that stand there. */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { Backend, BackendSnapshot } from "./backends/backend.ts";
import { type OrderedTable, type Table, type TableName, tables } from "./schema.ts";

/** Keys read at once. */
const CHUNK = 1_024;

/** A key and a value, whole. */
export interface StoredEntry {
  readonly key: Bytes;
  readonly value: Bytes;
}

/**
 * All entries of a table as they are when reading begins, in the order of their keys; in memory those under hashes in any
 * order.
 *
 * @throws {StoreError} `STORE_CLOSED`, `STORE_CORRUPT`
 */
export async function* scanTable(backend: Backend, table: TableName): AsyncGenerator<StoredEntry, void, undefined> {
  const snapshot = backend.snapshot();
  try {
    yield* scanSnapshot(snapshot, backend, table);
  } finally {
    await snapshot.close();
  }
}

/**
 * All entries of a table in a snapshot; of tables under hashes, whose values never change, at least those of the snapshot.
 *
 * @param backend - of the snapshot
 * @throws {StoreError} `STORE_CLOSED`, `STORE_CORRUPT`
 */
export async function* scanSnapshot(
  snapshot: BackendSnapshot,
  backend: Backend,
  table: TableName,
): AsyncGenerator<StoredEntry, void, undefined> {
  const { prefix } = tables[table];
  const cursor = snapshot.cursor(Uint8Array.of(prefix), Uint8Array.of(prefix + 1));
  let target: Bytes = Uint8Array.of(prefix);
  for (;;) {
    const keys = await cursor.keysFrom(target, CHUNK);
    for (const key of keys) {
      const value = isOrdered(table) ? snapshot.get(table, key) : backend.get(table, key);
      if (value !== undefined) yield { key, value };
    }
    const last = keys.at(-1);
    if (last === undefined) return;
    target = new Uint8Array(last.length + 1);
    target.set(last);
  }
}

function isOrdered(table: TableName): table is OrderedTable {
  const { ordered }: Table = tables[table];
  return ordered === true;
}
