/** The stream of a writer: every batch of its store becomes an entry, of which the last ones stay for readers. */
import type { AbortState } from "../primitives/abort-state.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { type Backend, WrappedBackend } from "../store/backends/backend.ts";
import type { BatchOperation } from "../store/backends/level-database.ts";
import { STREAM_POSITION } from "../store/backends/stream-mark.ts";
import { settingKey } from "../store/codecs/keys.ts";
import { digestOf, encodeOperations } from "./entry-codec.ts";
import {
  decodePosition,
  encodePosition,
  firstPosition,
  positionAfter,
  type StreamPosition,
} from "./stream-position.ts";

/** Bounds of the entries that stay. */
export interface StreamLimits {
  /** Most bytes of all of them. */
  readonly recentBytes: number;
  readonly recentEntries: number;
}

const DEFAULT_LIMITS: StreamLimits = { recentBytes: 64 * 1024 * 1024, recentEntries: 10_000 };

interface RecentEntry {
  /** The place after it. */
  readonly position: StreamPosition;
  readonly payload: Bytes;
}

/** Entries that follow each other. */
export interface StreamPart {
  /** The place after the last of them. */
  readonly position: StreamPosition;
  readonly payloads: readonly Bytes[];
}

/** Key of the setting that holds the position. */
export const POSITION_KEY = settingKey(STREAM_POSITION);

/** The backend of a shared chain. Its position is written with each batch, so that the two always agree. */
export class ChainStream extends WrappedBackend {
  readonly #limits: StreamLimits;
  readonly #recent: RecentEntry[] = [];
  #recentBytes = 0;
  /** The place after the last entry. */
  #position: StreamPosition;
  /** The place before the oldest of them. */
  #floor: StreamPosition;
  #lastWrite: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Set<() => void>();

  /** Goes on from the position in the store; begins a new incarnation if it has none. */
  static async over(backend: Backend, limits: StreamLimits = DEFAULT_LIMITS): Promise<ChainStream> {
    const stored = backend.get("settings", POSITION_KEY);
    const known = stored === undefined ? undefined : decodePosition(stored);
    const position = known ?? firstPosition();
    if (known === undefined) await backend.write([positionEntry(position)]);
    return new ChainStream(backend, position, limits);
  }

  private constructor(backend: Backend, position: StreamPosition, limits: StreamLimits) {
    super(backend);
    this.#limits = limits;
    this.#position = position;
    this.#floor = position;
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
    const payload = await encodeOperations(operations);
    const position = positionAfter(this.#position, await digestOf(payload));
    // Not in place: the caller may look at its list again.
    await this.inner.write([...operations, positionEntry(position)]);
    this.#add({ position, payload });
    this.#position = position;
    for (const wake of [...this.#waiting]) wake();
  }

  #add(entry: RecentEntry): void {
    this.#recent.push(entry);
    this.#recentBytes += entry.payload.length;
    while (this.#recentBytes > this.#limits.recentBytes || this.#recent.length > this.#limits.recentEntries) {
      const oldest = this.#recent.shift();
      if (oldest === undefined) return;
      this.#recentBytes -= oldest.payload.length;
      this.#floor = oldest.position;
    }
  }

  /**
   * The entries after a place, as many as fit; none if it is the last place.
   *
   * @param maxBytes - at least one entry is given, however long
   * @returns undefined if the place is not one of this stream, or too far behind
   */
  after(from: StreamPosition, maxBytes: number): StreamPart | undefined {
    if (!equalBytes(from.incarnation, this.#position.incarnation)) return undefined;
    if (from.sequence === this.#position.sequence) {
      return equalBytes(from.hash, this.#position.hash) ? { position: this.#position, payloads: [] } : undefined;
    }
    const first = this.#indexAfter(from);
    if (first === undefined) return undefined;
    let bytes = 0;
    let end = first;
    for (; end < this.#recent.length; end++) {
      bytes += (this.#recent[end] as RecentEntry).payload.length;
      if (bytes > maxBytes && end > first) break;
    }
    const part = this.#recent.slice(first, end);
    return {
      position: (part.at(-1) as RecentEntry).position,
      payloads: part.map(({ payload }) => payload),
    };
  }

  #indexAfter({ sequence, hash }: StreamPosition): number | undefined {
    const index = Number(sequence - this.#floor.sequence);
    if (index < 0 || index >= this.#recent.length) return undefined;
    const known = index === 0 ? this.#floor : (this.#recent[index - 1] as RecentEntry).position;
    return equalBytes(known.hash, hash) ? index : undefined;
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
