/** The stream of a writer: every batch of its store becomes an entry of a log. */
import type { AbortState } from "../primitives/abort-state.ts";
import { type Backend, WrappedBackend } from "../store/backends/backend.ts";
import type { BatchOperation } from "../store/backends/level-database.ts";
import { STREAM_POSITION } from "../store/backends/stream-mark.ts";
import { settingKey } from "../store/codecs/keys.ts";
import type { ChangeLog } from "./change-log.ts";
import { digestOf, encodeOperations } from "./entry-codec.ts";
import {
  decodePosition,
  encodePosition,
  firstPosition,
  positionAfter,
  type StreamPosition,
} from "./stream-position.ts";

/** Key of the setting that holds the position. */
export const POSITION_KEY = settingKey(STREAM_POSITION);

/** The place in the stream that a database is at; undefined if it is no part of one. */
export function storedPosition(database: Backend): StreamPosition | undefined {
  const stored = database.get("settings", POSITION_KEY);
  return stored === undefined ? undefined : decodePosition(stored);
}

/** The position in a database, which begins a new incarnation if it has none. */
export async function continuedPosition(database: Backend): Promise<StreamPosition> {
  const known = storedPosition(database);
  if (known !== undefined) return known;
  const position = firstPosition();
  await database.write([positionEntry(position)]);
  return position;
}

/** The backend of a shared chain. Its position is written with each batch, so that the two always agree. */
export class ChainStream extends WrappedBackend {
  readonly #log: ChangeLog;
  /** The place after the last entry that the store has. */
  #position: StreamPosition;
  #lastWrite: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Set<() => void>();

  /** @param position - of the database and of the log */
  constructor(database: Backend, log: ChangeLog, position: StreamPosition) {
    super(database);
    this.#log = log;
    this.#position = position;
  }

  /** The place after the last entry. */
  get position(): StreamPosition {
    return this.#position;
  }

  write(operations: BatchOperation[]): Promise<void> {
    const written = this.#lastWrite.then(() => this.#writeNext(operations));
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }

  async #writeNext(operations: BatchOperation[]): Promise<void> {
    const before = this.#position;
    const payload = await encodeOperations(operations);
    const position = positionAfter(before, await digestOf(payload));
    const change = { before, position, payload };
    await this.#log.append(change);
    // Not in place: the caller may look at its list again.
    await this.inner.write([...operations, positionEntry(position)]);
    this.#position = position;
    this.#log.announce(change);
    for (const wake of [...this.#waiting]) wake();
  }

  /** Waits for an entry after a number of them, at most for some milliseconds. Ends early if the signal aborts. */
  async waitBeyond(sequence: bigint, timeoutMs: number, signal?: AbortState): Promise<void> {
    if (this.#position.sequence > sequence || timeoutMs <= 0) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, timeoutMs);
      this.#waiting.add(end);
      signal?.addEventListener("abort", end, { once: true });
    });
  }

  /** Ends all waits. */
  close(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

/** The entry of the store that holds a position. */
export function positionEntry(position: StreamPosition): BatchOperation {
  return { type: "put", key: POSITION_KEY, value: encodePosition(position) };
}
