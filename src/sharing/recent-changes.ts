/** The last changes of a writer, which stay in its memory for readers over WebSocket. */
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import type { Change, ChangeLog, StreamPart } from "./change-log.ts";
import type { StreamPosition } from "./stream-position.ts";

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

/** The log of a chain whose writer keeps no other: what is older than its bounds, readers take from a base. */
export class RecentChanges implements ChangeLog {
  readonly #limits: StreamLimits;
  readonly #recent: RecentEntry[] = [];
  #recentBytes = 0;
  /** The place after the last entry. */
  #position: StreamPosition;
  /** The place before the oldest of them. */
  #floor: StreamPosition;

  constructor(position: StreamPosition, limits: StreamLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
    this.#position = position;
    this.#floor = position;
  }

  /** The writer's own store is what keeps its changes. */
  async append(): Promise<void> {}

  announce({ position, payload }: Change): void {
    this.#position = position;
    this.#recent.push({ position, payload });
    this.#recentBytes += payload.length;
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
}
