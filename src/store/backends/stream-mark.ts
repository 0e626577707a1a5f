/**
 * The mark of a store that is shared, or that follows another one: its position in the stream of changes.
 *
 * A node that does not share writes without making entries. Its first write takes the mark away, so that readers begin
 * anew instead of going on from a place that is no longer theirs.
 */
import { settingKey } from "../codecs/keys.ts";
import { type Backend, WrappedBackend } from "./backend.ts";
import type { BatchOperation } from "./level-database.ts";

/** Name of the setting that holds the position. */
export const STREAM_POSITION = "streamPosition";

const KEY = settingKey(STREAM_POSITION);

/** The backend as a node uses it that does not share: unchanged if the store has no mark. */
export function unshared(backend: Backend): Backend {
  return backend.get("settings", KEY) === undefined ? backend : new UnmarkingBackend(backend);
}

/** Takes the mark away with the first batch. */
class UnmarkingBackend extends WrappedBackend {
  #isMarked = true;

  write(operations: BatchOperation[]): Promise<void> {
    if (!this.#isMarked) return this.inner.write(operations);
    this.#isMarked = false;
    return this.inner.write([...operations, { type: "del", key: KEY }]);
  }
}
