/** A table in memory whose keys are hashes and whose values change, with snapshots. */
import { type Bytes, bytesKey, keyBytes } from "../../../primitives/bytes/bytes.ts";
import { PackedTable } from "./packed-table.ts";

/** Each write notes in the open views what its key had before. Without views it costs nothing more. */
export class VersionedTable extends PackedTable {
  readonly #views = new Set<TableView>();

  /** The table as it is now, until the view is closed. */
  view(): TableView {
    const view: TableView = new TableView(this, () => this.#views.delete(view));
    this.#views.add(view);
    return view;
  }

  override set(hash: Bytes, value: Bytes): void {
    this.#note(hash);
    super.set(hash, value);
  }

  override delete(hash: Bytes): void {
    this.#note(hash);
    super.delete(hash);
  }

  #note(hash: Bytes): void {
    if (this.#views.size === 0) return;
    const before = this.get(hash);
    for (const view of this.#views) view.note(hash, before);
  }
}

/** A table as it was. It must be closed. */
export class TableView {
  /** Closes it: later writes are not noted any more. */
  readonly close: () => void;
  readonly #table: PackedTable;
  /** Values before the first write since, by key; undefined for a key that was not there. */
  readonly #before = new Map<string, Bytes | undefined>();

  /** Made by {@link VersionedTable.view}. */
  constructor(table: PackedTable, close: () => void) {
    this.#table = table;
    this.close = close;
  }

  /** @param before - the value before a write */
  note(hash: Bytes, before: Bytes | undefined): void {
    const key = bytesKey(hash);
    if (!this.#before.has(key)) this.#before.set(key, before);
  }

  /** The value of the hash at `offset` of some bytes, to their end. */
  get(bytes: Bytes, offset = 0): Bytes | undefined {
    if (this.#before.size > 0) {
      const key = bytesKey(bytes.subarray(offset));
      if (this.#before.has(key)) return this.#before.get(key);
    }
    return this.#table.get(bytes, offset);
  }

  /** The hashes as they were, in no order. */
  *hashes(): Generator<Bytes, void, undefined> {
    // As it is when reading begins: what is written meanwhile could be listed twice otherwise.
    const before = new Map(this.#before);
    for (const hash of this.#table.hashes()) if (before.size === 0 || !before.has(bytesKey(hash))) yield hash;
    for (const [key, value] of before) if (value !== undefined) yield keyBytes(key);
  }
}
