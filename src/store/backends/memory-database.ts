/** A database in memory that looks like LevelDB: order and snapshots for the tables that need them, hash maps for others. */

import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import { type Table, tables } from "../schema.ts";
import type { BatchOperation, LevelDatabase, LevelKeys, LevelSnapshot, SnapshotOptions } from "./level-database.ts";
import { SortedMap, type SortedView } from "./sorted-map.ts";

const ORDERED_PREFIXES: ReadonlySet<number> = new Set(
  Object.values(tables)
    .filter((table: Table) => table.ordered === true)
    .map(({ prefix }) => prefix),
);

/** Operations from which on a batch takes several turns, and how many are applied at a time. */
const LONG_BATCH = 10_000;
const STEP = 1_000;

type RangeOptions = Parameters<LevelDatabase["keys"]>[0];

/**
 * Among 100,000 nodes in an ordered map a read takes three times, a write twice as long as in a hash map. What that one
 * lacks, order and snapshots, nobody asks of the tables that are only looked up, most of all trie nodes.
 */
export class MemoryDatabase implements LevelDatabase {
  #status: "opening" | "open" | "closed" = "opening";
  readonly #ordered = new SortedMap();
  /** By table and hash; those whose keys are a prefix and a hash. */
  readonly #hashed = new Map<number, HashMap<Bytes>>();
  /** All others. */
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
    this.#requireOpen();
    if (options !== undefined) return viewOf(options.snapshot).get(key);
    if (isOrdered(key)) return this.#ordered.get(key);
    return isHashed(key) ? this.#hashed.get(key[0] as number)?.get(key, 1) : this.#values.get(bytesKey(key));
  }

  /**
   * Refused, or done when the call returns: nobody can read between two operations. Of a long one that only adds, what is
   * stored under hashes comes first, in several turns of the event loop: nobody knows those hashes before the rest is
   * there.
   */
  async batch(operations: BatchOperation[]): Promise<void> {
    this.#requireOpen();
    const isLong = operations.length > LONG_BATCH && !operations.some(deletesHashed);
    const rest = isLong ? await this.#applyHashed(operations) : operations;
    this.#requireOpen();
    this.#applyAll(rest);
  }

  /** Applies what is stored under hashes; gives what is left. */
  async #applyHashed(operations: readonly BatchOperation[]): Promise<readonly BatchOperation[]> {
    const breaks = new Breaks();
    const rest: BatchOperation[] = [];
    for (let start = 0; start < operations.length; start += STEP) {
      this.#applySome(operations, start, rest);
      const turn = breaks.check();
      if (turn !== undefined) await turn;
      this.#requireOpen();
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

  /** Not in the asynchronous function, where V8 runs a loop several times as slowly. */
  #applyAll(operations: readonly BatchOperation[]): void {
    for (const operation of operations) this.#apply(operation);
  }

  /** Keeps a copy of what is not given away: the caller may write to his array afterwards, as he may with LevelDB. */
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
    this.#requireOpen();
    return new MemoryKeys(viewOf(snapshot), { first: gte, end: lt }, () => this.#requireOpen());
  }

  iterator({ gte, lte }: { gte: Bytes; lte: Bytes }): { all(): Promise<[Bytes, Bytes][]> } {
    return {
      all: async () => {
        this.#requireOpen();
        const entries: [Bytes, Bytes][] = [];
        for (const [key, value] of this.#ordered.from(gte)) {
          if (Buffer.compare(key, lte) > 0) break;
          entries.push([key, value]);
        }
        return entries;
      },
    };
  }

  snapshot(): LevelSnapshot {
    this.#requireOpen();
    return new MemorySnapshot(this.#ordered.snapshot());
  }

  #requireOpen(): void {
    if (this.#status !== "open") throw withCode("LEVEL_DATABASE_NOT_OPEN", "the database is not open");
  }
}

class MemorySnapshot implements LevelSnapshot {
  view: SortedView | undefined;

  constructor(view: SortedView) {
    this.view = view;
  }

  async close(): Promise<void> {
    this.view = undefined;
  }
}

/** Keys of a range of a snapshot, from wherever they were last sought. */
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
    this.#entries = this.#view.from(Buffer.compare(target, first) < 0 ? first : target);
  }

  async nextv(count: number): Promise<Bytes[]> {
    this.#requireOpen();
    if (this.#isClosed) throw withCode("LEVEL_ITERATOR_NOT_OPEN", "the iterator is not open");
    const keys: Bytes[] = [];
    while (keys.length < count) {
      const next = this.#entries.next();
      if (next.done === true || Buffer.compare(next.value[0], this.#range.end) >= 0) break;
      keys.push(next.value[0]);
    }
    return keys;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }
}

function viewOf(snapshot: LevelSnapshot): SortedView {
  const view = snapshot instanceof MemorySnapshot ? snapshot.view : undefined;
  if (view === undefined) throw withCode("LEVEL_SNAPSHOT_NOT_OPEN", "the snapshot is not open");
  return view;
}

/** An error as `abstract-level` throws it: told by its code. */
function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** A prefix and 32 bytes, of the tables that are looked up by hash. */
function isHashed(key: Bytes): boolean {
  return key.length === 33;
}

/** Whether an operation is on something that stands under its own hash, or that of its block. */
function isUnderHash({ key, table }: BatchOperation): boolean {
  return table !== undefined || key[0] === tables.headers.prefix;
}

function deletesHashed(operation: BatchOperation): boolean {
  return operation.type === "del" && isUnderHash(operation);
}

function isOrdered(key: Bytes): boolean {
  return ORDERED_PREFIXES.has(key[0] as number);
}
