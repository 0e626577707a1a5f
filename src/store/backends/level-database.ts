/** The part of abstract-level that the store uses, implemented by LevelDB, in memory, and by a journal. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** An operation of a batch. */
export type BatchOperation = (
  | {
      readonly type: "put";
      /** The database keeps the array without a copy: it must not be changed. */
      readonly key: Bytes;
      readonly value: Bytes;
      /** True if the value too may be held without a copy. */
      readonly isGiven?: true;
    }
  | { readonly type: "del"; readonly key: Bytes }
) & {
  /**
   * Prefix of a table that is only looked up by hash. Then `key` is the hash without the prefix, so that no new array
   * is needed.
   */
  readonly table?: number;
};

/** The part of abstract-level that the store uses. */
export interface LevelDatabase {
  /** "open" between {@link open} and {@link close}. */
  readonly status: string;
  /** What the user should know of the folder that was opened. */
  readonly notices?: readonly string[];
  open(): Promise<void>;
  close(): Promise<void>;
  getSync(key: Bytes): Bytes | undefined;
  getSync(key: Bytes, options: SnapshotOptions): Bytes | undefined;
  batch(operations: BatchOperation[], options: { sync?: boolean }): Promise<void>;
  keys(options: RangeOptions): LevelKeys;
  iterator(options: { gte: Bytes; lte: Bytes }): { all(): Promise<[Bytes, Bytes][]> };
  snapshot(): LevelSnapshot;
}

/** The database at one point in time; it must be closed. */
export interface LevelSnapshot {
  close(): Promise<void>;
}

/** A read of one point in time. */
export interface SnapshotOptions {
  snapshot: LevelSnapshot;
  keyEncoding: "view";
  valueEncoding: "view";
}

/** A cursor over keys in ascending order; it must be closed. */
export interface LevelKeys {
  seek(target: Bytes): void;
  nextv(count: number): Promise<Bytes[]>;
  close(): Promise<void>;
}

/** Keys from `gte` on and below `lt`, as at one point in time. */
export interface RangeOptions {
  gte: Bytes;
  lt: Bytes;
  snapshot: LevelSnapshot;
  highWaterMarkBytes: number;
}

/** Keys and values are byte arrays as they are. */
export const ENCODINGS = { keyEncoding: "view", valueEncoding: "view" } as const;
