/** Reads a whole table, entry by entry, as the bytes that stand there. */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { Backend } from "./backends/backend.ts";
import { type TableName, tables } from "./schema.ts";

/** Keys read at once. */
const CHUNK = 1_024;

/** A key and a value, whole. */
export interface StoredEntry {
  readonly key: Bytes;
  readonly value: Bytes;
}

/**
 * All entries of a table in the order of their keys, as they are when reading begins.
 *
 * @throws {StoreError} `STORE_CLOSED`, `STORE_CORRUPT`
 */
export async function* scanTable(backend: Backend, table: TableName): AsyncGenerator<StoredEntry, void, undefined> {
  const { prefix } = tables[table];
  const snapshot = backend.snapshot();
  try {
    const cursor = snapshot.cursor(Uint8Array.of(prefix), Uint8Array.of(prefix + 1));
    let target: Bytes = Uint8Array.of(prefix);
    for (;;) {
      const keys = await cursor.keysFrom(target, CHUNK);
      for (const key of keys) {
        const value = backend.get(table, key);
        if (value !== undefined) yield { key, value };
      }
      const last = keys.at(-1);
      if (last === undefined) return;
      target = new Uint8Array(last.length + 1);
      target.set(last);
    }
  } finally {
    await snapshot.close();
  }
}
