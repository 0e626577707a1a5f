/**
 * The mark of a store that is shared, or that follows another one: its position in the stream of changes.
 *
 * A node that does not share writes without making entries. Its first write takes the mark away, so that readers begin
 * anew instead of going on from a place that is no longer theirs.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { settingKey } from "../codecs/keys.ts";
import type { OrderedTable, TableName } from "../schema.ts";
import type { Backend, BackendSnapshot } from "./backend.ts";
import type { BatchOperation } from "./level-database.ts";

/** Name of the setting that holds the position. */
export const STREAM_POSITION = "streamPosition";

const KEY = settingKey(STREAM_POSITION);

/** The backend as a node uses it that does not share: unchanged if the store has no mark. */
export function unshared(backend: Backend): Backend {
  return backend.get("settings", KEY) === undefined ? backend : new UnmarkingBackend(backend);
}

/** Takes the mark away with the first batch. */
class UnmarkingBackend implements Backend {
  readonly #backend: Backend;
  #isMarked = true;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  get(table: TableName, key: Bytes): Bytes | undefined {
    return this.#backend.get(table, key);
  }

  entries(table: OrderedTable, first: Bytes, last: Bytes): Promise<[Bytes, Bytes][]> {
    return this.#backend.entries(table, first, last);
  }

  snapshot(): BackendSnapshot {
    return this.#backend.snapshot();
  }

  write(operations: BatchOperation[]): Promise<void> {
    if (!this.#isMarked) return this.#backend.write(operations);
    this.#isMarked = false;
    return this.#backend.write([...operations, { type: "del", key: KEY }]);
  }
}
