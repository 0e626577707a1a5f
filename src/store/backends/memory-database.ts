/**
 * A database in memory with LevelDB's interface: sorted maps with snapshots for tables that are read by range, hash
 * maps for others.
 */

import { type Bytes, bytesKey, concatBytes, keyBytes } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { compareLongBytes } from "../../primitives/platform/encodings.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import { type Table, tables } from "../schema.ts";
import type { BatchOperation, LevelDatabase, LevelKeys, LevelSnapshot, SnapshotOptions } from "./level-database.ts";
import { SortedMap, type SortedView } from "./sorted-map.ts";

const ORDERED_PREFIXES: ReadonlySet<number> = new Set(
  Object.values(tables)
    .filter((table: Table) => table.ordered === true)
    .map(({ prefix }) => prefix),
);

/** A prefix and a hash. */
const HASHED_KEY_BYTES = 33;

/** Operations from which on a batch yields to the event loop, and the number applied between yields. */
const LONG_BATCH = 10_000;
const STEP = 1_000;

type RangeOptions = Parameters<LevelDatabase["keys"]>[0];

/**
 * Hash maps are faster than sorted maps, and most entries, above all trie nodes, are in tables that need neither order
 * nor snapshots.
 */
export class MemoryDatabase implements LevelDatabase {
  #status: "opening" | "open" | "closed" = "opening";
  readonly #ordered = new SortedMap();
  /** Tables whose keys are a prefix and a hash, by prefix. */
  readonly #hashed = new Map<number, HashMap<Bytes>>();
  /** All other tables. */
  readonly #values = new Map<string, Bytes>();

  get status(): string {
    return this.#status;
  }

  async open(): Promise<void> {
    this.#status = "open";
  }

  async close(): Promise<void> {
    this.#status = "closed";
    this.#ordered.clear();
    this.#values.clear();
    this.#hashed.clear();
  }

  getSync(key: Bytes, options?: SnapshotOptions): Bytes | undefined {
    this.requireOpen();
    if (options !== undefined) return viewOf(options.snapshot).get(key);
    if (isOrdered(key)) return this.#ordered.get(key);
    return isHashed(key) ? this.#hashed.get(key[0] as number)?.get(key, 1) : this.#values.get(bytesKey(key));
  }

  /**
   * Applies a batch synchronously, so that no read sees a part of it. Of a long batch without deletions, entries stored
   * under hashes are applied first and with yields, because these hashes are unknown to readers until the rest is
   * applied.
   */
  async batch(operations: BatchOperation[]): Promise<void> {
    this.requireOpen();
    const isLong = operations.length > LONG_BATCH && !operations.some(deletesHashed);
    const rest = isLong ? await this.#applyHashed(operations) : operations;
    this.requireOpen();
    this.applyAll(rest);
  }

  /** Applies the entries stored under hashes; returns the others. */
  async #applyHashed(operations: readonly BatchOperation[]): Promise<readonly BatchOperation[]> {
    const breaks = new Breaks();
    const rest: BatchOperation[] = [];
    for (let start = 0; start < operations.length; start += STEP) {
      this.#applySome(operations, start, rest);
      const turn = breaks.check();
      if (turn !== undefined) await turn;
      this.requireOpen();
    }
    return rest;
  }

  #applySome(operations: readonly BatchOperation[], start: number, rest: BatchOperation[]): void {
    const end = Math.min(start + STEP, operations.length);
    for (let index = start; index < end; index++) {
      const operation = operations[index] as BatchOperation;
      if (isUnderHash(operation)) this.#apply(operation);
      else rest.push(operation);
    }
  }

  /** Applies operations. A function of its own, because V8 runs loops in async functions more slowly. */
  protected applyAll(operations: readonly BatchOperation[]): void {
    for (const operation of operations) this.#apply(operation);
  }

  /** Copies arrays unless they are given away, because the caller may change them afterwards, as with LevelDB. */
  #apply(operation: BatchOperation): void {
    const { key, table } = operation;
    if (operation.type === "del") {
      if (table !== undefined) this.#tableOf(table).delete(key);
      else if (isOrdered(key)) this.#ordered.delete(key);
      else if (isHashed(key)) this.#tableOf(key[0] as number).delete(key.subarray(1));
      else this.#values.delete(bytesKey(key));
      return;
    }
    const value = operation.isGiven === true ? operation.value : operation.value.slice();
    if (table !== undefined) this.#tableOf(table).set(key, value);
    else if (isOrdered(key)) this.#ordered.set(key, value);
    else if (isHashed(key)) this.#tableOf(key[0] as number).set(key.subarray(1), value);
    else this.#values.set(bytesKey(key), value);
  }

  #tableOf(prefix: number): HashMap<Bytes> {
    let values = this.#hashed.get(prefix);
    if (values === undefined) {
      values = new HashMap();
      this.#hashed.set(prefix, values);
    }
    return values;
  }

  keys({ gte, lt, snapshot }: RangeOptions): LevelKeys {
    this.requireOpen();
    const view = viewOf(snapshot);
    const hashed = isOrdered(gte) ? undefined : this.#hashed.get(gte[0] as number);
    // Only whole tables are listed.
    if (hashed !== undefined) return new HashedKeys(gte, hashed.hashes(), () => this.requireOpen());
    return new MemoryKeys(view, { first: gte, end: lt }, () => this.requireOpen());
  }

  iterator({ gte, lte }: { gte: Bytes; lte: Bytes }): { all(): Promise<[Bytes, Bytes][]> } {
    return {
      all: async () => {
        this.requireOpen();
        const entries: [Bytes, Bytes][] = [];
        for (const [key, value] of this.#ordered.from(gte)) {
          if (compareLongBytes(key, lte) > 0) break;
          entries.push([key, value]);
        }
        return entries;
      },
    };
  }

  /** Everything in it, as operations that put it into another database. It must not change meanwhile. */
  protected *content(): Generator<BatchOperation, void, undefined> {
    for (const [key, value] of this.#ordered.from(NO_KEY)) yield { type: "put", key, value };
    for (const [key, value] of this.#values) yield { type: "put", key: keyBytes(key), value };
    for (const [table, values] of this.#hashed) {
      for (const key of values.hashes()) yield { type: "put", table, key, value: values.get(key) as Bytes };
    }
  }

  snapshot(): LevelSnapshot {
    this.requireOpen();
    return new MemorySnapshot(this.#ordered.snapshot());
  }

  protected requireOpen(): void {
    if (this.#status !== "open") throw withCode("LEVEL_DATABASE_NOT_OPEN", "the database is not open");
  }
}

const NO_KEY = new Uint8Array(0);

class MemorySnapshot implements LevelSnapshot {
  view: SortedView | undefined;

  constructor(view: SortedView) {
    this.view = view;
  }

  async close(): Promise<void> {
    this.view = undefined;
  }
}

/** Iterates over the keys of a range in a snapshot, from any position. */
class MemoryKeys implements LevelKeys {
  readonly #view: SortedView;
  readonly #range: { readonly first: Bytes; readonly end: Bytes };
  readonly #requireOpen: () => void;
  #entries: Generator<readonly [Bytes, Bytes], void, undefined>;
  #isClosed = false;

  constructor(view: SortedView, range: { readonly first: Bytes; readonly end: Bytes }, requireOpen: () => void) {
    this.#view = view;
    this.#range = range;
    this.#requireOpen = requireOpen;
    this.#entries = view.from(range.first);
  }

  seek(target: Bytes): void {
    const { first } = this.#range;
    this.#entries = this.#view.from(compareLongBytes(target, first) < 0 ? first : target);
  }

  async nextv(count: number): Promise<Bytes[]> {
    this.#requireOpen();
    if (this.#isClosed) throw withCode("LEVEL_ITERATOR_NOT_OPEN", "the iterator is not open");
    const keys: Bytes[] = [];
    while (keys.length < count) {
      const next = this.#entries.next();
      if (next.done === true || compareLongBytes(next.value[0], this.#range.end) >= 0) break;
      keys.push(next.value[0]);
    }
    return keys;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }
}

/** Lists the keys of a table under hashes in no order, so that it can only be read from its beginning to its end. */
class HashedKeys implements LevelKeys {
  readonly #first: Bytes;
  readonly #hashes: readonly Bytes[];
  readonly #requireOpen: () => void;
  #at = 0;

  constructor(first: Bytes, hashes: readonly Bytes[], requireOpen: () => void) {
    this.#first = first;
    this.#hashes = hashes;
    this.#requireOpen = requireOpen;
  }

  seek(): void {
    throw new TypeError("MemoryDatabase: a table under hashes has no order to seek in");
  }

  async nextv(count: number): Promise<Bytes[]> {
    this.#requireOpen();
    const hashes = this.#hashes.slice(this.#at, this.#at + count);
    this.#at += hashes.length;
    return hashes.map((hash) => concatBytes(this.#first.subarray(0, 1), hash));
  }

  async close(): Promise<void> {
    this.#at = this.#hashes.length;
  }
}

function viewOf(snapshot: LevelSnapshot): SortedView {
  const view = snapshot instanceof MemorySnapshot ? snapshot.view : undefined;
  if (view === undefined) throw withCode("LEVEL_SNAPSHOT_NOT_OPEN", "the snapshot is not open");
  return view;
}

/** An error with a code, like those of `abstract-level`. */
export function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** True for a key that begins with a prefix and is only looked up by hash: one of 32 bytes, in a table without order. */
export function isHashedKey(prefix: number, length: number): boolean {
  return length === HASHED_KEY_BYTES && !ORDERED_PREFIXES.has(prefix);
}

/** True for a prefix and 32 bytes, as in tables that are looked up by hash. */
function isHashed(key: Bytes): boolean {
  return key.length === HASHED_KEY_BYTES;
}

/** True if the entry is stored under its own hash, or that of its block. */
function isUnderHash({ key, table }: BatchOperation): boolean {
  return table !== undefined || key[0] === tables.headers.prefix;
}

function deletesHashed(operation: BatchOperation): boolean {
  return operation.type === "del" && isUnderHash(operation);
}

function isOrdered(key: Bytes): boolean {
  return ORDERED_PREFIXES.has(key[0] as number);
}
