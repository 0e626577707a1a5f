/**
 * A database in memory with LevelDB's interface: a sorted map with snapshots for tables that are read by range, hash maps
 * for others.
 */

import { type Bytes, bytesKey, concatBytes, keyBytes } from "../../../primitives/bytes/bytes.ts";
import { compareLongBytes } from "../../../primitives/platform/encodings.ts";
import { Breaks } from "../../../primitives/platform/turns.ts";
import { type Table, tables } from "../../schema.ts";
import type { BatchOperation, LevelDatabase, LevelKeys, LevelSnapshot, SnapshotOptions } from "../level-database.ts";
import { HashedKeys, MemoryKeys, withCode } from "./memory-keys.ts";
import { PackedTable } from "./packed-table.ts";
import { SortedMap, type SortedView } from "./sorted-map.ts";
import { type TableView, VersionedTable } from "./versioned-table.ts";

const ORDERED_PREFIXES: ReadonlySet<number> = new Set(
  Object.values(tables)
    .filter((table: Table) => table.ordered === true)
    .map(({ prefix }) => prefix),
);

/** Of these, tables whose keys are a prefix and a hash: they are read in snapshots, but never by range. */
const VERSIONED_PREFIXES: ReadonlySet<number> = new Set(
  Object.values(tables)
    .filter((table: Table) => table.ordered === true && (table.key[0] === "blockHash" || table.key[0] === "txHash"))
    .map(({ prefix }) => prefix),
);

/** Tables of logs. Nobody finds their entries before the block is canonical: see `find-logs.ts`. */
const LOG_PREFIXES: ReadonlySet<number> = new Set([
  tables.logs.prefix,
  tables.logsByAddress.prefix,
  tables.logsByTopic.prefix,
]);

/** A prefix and a hash. */
const HASHED_KEY_BYTES = 33;

/** Operations from which on a batch yields to the event loop, and the number applied between yields. */
const LONG_BATCH = 10_000;
const STEP = 1_000;

type RangeOptions = Parameters<LevelDatabase["keys"]>[0];

/**
 * Hash maps are faster than sorted maps, and most entries, above all trie nodes and the places of transactions, are in
 * tables that need no order.
 */
export class MemoryDatabase implements LevelDatabase {
  #status: "opening" | "open" | "closed" = "opening";
  readonly #ordered = new SortedMap();
  /** Tables whose keys are a prefix and a hash, by prefix. */
  readonly #hashed = new Map<number, PackedTable>();
  /** Those of them that snapshots read. */
  readonly #versioned = [...VERSIONED_PREFIXES].map((prefix) => [prefix, new VersionedTable()] as const);
  /** All other tables. */
  readonly #values = new Map<string, Bytes>();

  constructor() {
    for (const [prefix, table] of this.#versioned) this.#hashed.set(prefix, table);
  }

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
    if (options !== undefined) return viewsOf(options.snapshot).get(key);
    if (isHashed(key)) return this.#hashed.get(key[0] as number)?.get(key, 1);
    return isOrdered(key) ? this.#ordered.get(key) : this.#values.get(bytesKey(key));
  }

  /**
   * Applies a batch synchronously, so that no read sees a part of it. Of a long batch, entries that nobody finds until the
   * rest is applied are applied first and with yields: those stored under hashes, unless it deletes such, and those of
   * logs, unless a block leaves the chain.
   */
  async batch(operations: BatchOperation[]): Promise<void> {
    this.requireOpen();
    const isLong = operations.length > LONG_BATCH && !operations.some(deletesHashed);
    const rest = isLong ? await this.#applyUnseen(operations) : operations;
    this.requireOpen();
    this.applyAll(rest);
  }

  /** Applies the entries that nobody finds yet; returns the others. */
  async #applyUnseen(operations: readonly BatchOperation[]): Promise<readonly BatchOperation[]> {
    const isUnseen = operations.some(endsBlock) ? isUnderHash : isUnderHashOrOfLogs;
    const breaks = new Breaks();
    const rest: BatchOperation[] = [];
    for (let start = 0; start < operations.length; start += STEP) {
      this.#applySome(operations.slice(start, start + STEP), isUnseen, rest);
      const turn = breaks.check();
      if (turn !== undefined) await turn;
      this.requireOpen();
    }
    return rest;
  }

  #applySome(
    operations: readonly BatchOperation[],
    isUnseen: (operation: BatchOperation) => boolean,
    rest: BatchOperation[],
  ): void {
    for (const operation of operations) {
      if (isUnseen(operation)) this.#apply(operation);
      else rest.push(operation);
    }
  }

  /** Applies operations. A function of its own, because V8 runs loops in async functions more slowly. */
  protected applyAll(operations: readonly BatchOperation[]): void {
    for (const operation of operations) this.#apply(operation);
  }

  #apply(operation: BatchOperation): void {
    const { key, table } = operation;
    if (operation.type === "del") {
      if (table !== undefined) this.#tableOf(table).delete(key);
      else if (isHashed(key)) this.#tableOf(key[0] as number).delete(key.subarray(1));
      else if (isOrdered(key)) this.#ordered.delete(key);
      else this.#values.delete(bytesKey(key));
      return;
    }
    if (table !== undefined) this.#tableOf(table).set(key, operation.value);
    else if (isHashed(key)) this.#tableOf(key[0] as number).set(key.subarray(1), operation.value);
    else if (isOrdered(key)) this.#ordered.set(key, ownValue(operation));
    else this.#values.set(bytesKey(key), ownValue(operation));
  }

  #tableOf(prefix: number): PackedTable {
    let values = this.#hashed.get(prefix);
    if (values === undefined) {
      values = new PackedTable();
      this.#hashed.set(prefix, values);
    }
    return values;
  }

  keys({ gte, lt, snapshot }: RangeOptions): LevelKeys {
    this.requireOpen();
    const { ordered, versioned } = viewsOf(snapshot);
    const prefix = gte[0] as number;
    // Only whole tables are listed.
    const hashes = versioned.get(prefix)?.hashes() ?? this.#hashed.get(prefix)?.hashes();
    if (hashes !== undefined) return new HashedKeys(prefix, hashes, () => this.requireOpen());
    return new MemoryKeys(ordered, { first: gte, end: lt }, () => this.requireOpen());
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
    for (const [prefix, values] of this.#hashed) {
      const isVersioned = VERSIONED_PREFIXES.has(prefix);
      for (const [hash, value] of values.entries()) {
        if (isVersioned) yield { type: "put", key: concatBytes(Uint8Array.of(prefix), hash), value };
        else yield { type: "put", table: prefix, key: hash, value };
      }
    }
  }

  snapshot(): LevelSnapshot {
    this.requireOpen();
    const versioned = this.#versioned.map(([prefix, table]) => [prefix, table.view()] as const);
    return new MemorySnapshot(this.#ordered.snapshot(), new Map(versioned));
  }

  protected requireOpen(): void {
    if (this.#status !== "open") throw withCode("LEVEL_DATABASE_NOT_OPEN", "the database is not open");
  }
}

const NO_KEY = new Uint8Array(0);

/** The tables as a snapshot reads them. */
class MemoryViews {
  readonly ordered: SortedView;
  readonly versioned: ReadonlyMap<number, TableView>;

  constructor(ordered: SortedView, versioned: ReadonlyMap<number, TableView>) {
    this.ordered = ordered;
    this.versioned = versioned;
  }

  get(key: Bytes): Bytes | undefined {
    const table = isHashed(key) ? this.versioned.get(key[0] as number) : undefined;
    return table === undefined ? this.ordered.get(key) : table.get(key, 1);
  }
}

class MemorySnapshot implements LevelSnapshot {
  views: MemoryViews | undefined;

  constructor(ordered: SortedView, versioned: ReadonlyMap<number, TableView>) {
    this.views = new MemoryViews(ordered, versioned);
  }

  async close(): Promise<void> {
    for (const view of this.views?.versioned.values() ?? []) view.close();
    this.views = undefined;
  }
}

function viewsOf(snapshot: LevelSnapshot): MemoryViews {
  const views = snapshot instanceof MemorySnapshot ? snapshot.views : undefined;
  if (views === undefined) throw withCode("LEVEL_SNAPSHOT_NOT_OPEN", "the snapshot is not open");
  return views;
}

/** True for a key that begins with a prefix and is only looked up by hash: one of 32 bytes, in a table without order. */
export function isHashedKey(prefix: number, length: number): boolean {
  return length === HASHED_KEY_BYTES && !ORDERED_PREFIXES.has(prefix);
}

/** True for a prefix and 32 bytes, in a table that is looked up by hash. */
function isHashed(key: Bytes): boolean {
  return key.length === HASHED_KEY_BYTES && (!isOrdered(key) || VERSIONED_PREFIXES.has(key[0] as number));
}

/** True if the entry is stored under its own hash, or that of its block. */
function isUnderHash({ key, table }: BatchOperation): boolean {
  return table !== undefined || key[0] === tables.headers.prefix;
}

function isUnderHashOrOfLogs(operation: BatchOperation): boolean {
  return isUnderHash(operation) || LOG_PREFIXES.has(operation.key[0] as number);
}

/** True if a block leaves the chain: the one that takes its place has the same number. */
function endsBlock({ type, key }: BatchOperation): boolean {
  return type === "del" && key[0] === tables.canonicalHashes.prefix;
}

function deletesHashed(operation: BatchOperation): boolean {
  return operation.type === "del" && isUnderHash(operation);
}

/** A copy unless the array was given away, because the caller may change it afterwards, as with LevelDB. */
function ownValue({ value, isGiven }: { readonly value: Bytes; readonly isGiven?: true }): Bytes {
  return isGiven === true ? value : value.slice();
}

function isOrdered(key: Bytes): boolean {
  return ORDERED_PREFIXES.has(key[0] as number);
}
