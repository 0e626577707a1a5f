/** The databases behind the store: what is used of abstract-level, on disk and in memory. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** One write of a batch. */
export type BatchOperation = (
  | {
      readonly type: "put";
      /** Given away: nobody writes to it afterwards. */
      readonly key: Bytes;
      readonly value: Bytes;
      /** The value is given away as the key is. */
      readonly isGiven?: true;
    }
  | { readonly type: "del"; readonly key: Bytes }
) & {
  /** Prefix of a table that is only looked up by hash: `key` is the hash without it, an array that is there already. */
  readonly table?: number;
};

/** The part of abstract-level that the store uses. */
export interface LevelDatabase {
  /** "open" between {@link open} and {@link close}. */
  readonly status: string;
  open(): Promise<void>;
  close(): Promise<void>;
  getSync(key: Bytes): Bytes | undefined;
  getSync(key: Bytes, options: SnapshotOptions): Bytes | undefined;
  batch(operations: BatchOperation[], options: { sync?: boolean }): Promise<void>;
  keys(options: RangeOptions): LevelKeys;
  iterator(options: { gte: Bytes; lte: Bytes }): { all(): Promise<[Bytes, Bytes][]> };
  snapshot(): LevelSnapshot;
}

export interface LevelSnapshot {
  close(): Promise<void>;
}

export interface SnapshotOptions {
  snapshot: LevelSnapshot;
  keyEncoding: "view";
  valueEncoding: "view";
}

export interface LevelKeys {
  seek(target: Bytes): void;
  nextv(count: number): Promise<Bytes[]>;
  close(): Promise<void>;
}

export interface RangeOptions {
  gte: Bytes;
  lt: Bytes;
  snapshot: LevelSnapshot;
  highWaterMarkBytes: number;
}

export const ENCODINGS = { keyEncoding: "view", valueEncoding: "view" } as const;
