/** What a check of a data folder has found, and what can be done about it. */
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { ChainStore } from "../../store/chain-store.ts";
import { describeKey } from "../../store/codecs/keys.ts";
import type { StoredEntry } from "../../store/scan-table.ts";
import type { TableName } from "../../store/schema.ts";

/** An entry as it should be; without a value it should not be there. */
export interface RightEntry {
  readonly key: Bytes;
  readonly value: Bytes | undefined;
}

/** How something wrong is made right: by writing entries, or by executing a block again and writing what comes of it. */
export type Remedy =
  | { readonly kind: "restore"; readonly entries: readonly RightEntry[] }
  | { readonly kind: "execute"; readonly blockHash: Bytes };

export interface Finding {
  readonly table: TableName;
  /** Whole, with the table's prefix. */
  readonly key: Bytes;
  /** What is wrong, as a clause: "is not there". */
  readonly what: string;
  /** undefined where the folder does not hold what the entry could be made of. */
  readonly remedy: Remedy | undefined;
}

/** What is wrong and where, in one line. */
export function findingText({ table, key, what }: Finding): string {
  const place = key.length === 0 ? "" : ` of ${describeKey(table, key)}`;
  return `${table}: the entry${place} ${what}.`;
}

export class Findings {
  readonly #list: Finding[] = [];

  get list(): readonly Finding[] {
    return this.#list;
  }

  add(table: TableName, key: Bytes, what: string, remedy?: Remedy): void {
    this.#list.push({ table, key, what, remedy });
  }

  /** Something that should stand under a key and does not, or is another. */
  addWrong(table: TableName, key: Bytes, found: Bytes | undefined, right: Bytes | undefined): void {
    const what = found === undefined ? "is not there" : right === undefined ? "should not be there" : "is wrong";
    this.add(table, key, what, { kind: "restore", entries: [{ key, value: right }] });
  }
}

/** Entries of a table, up to the first that cannot be read, which is a finding. */
export async function* readable(
  store: ChainStore,
  table: TableName,
  findings: Findings,
): AsyncGenerator<StoredEntry, void, undefined> {
  try {
    yield* store.eachEntry(table);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    findings.add(table, EMPTY_BYTES, `cannot be read: ${error.message}`);
  }
}

/** What a read gives; undefined where the store says that the value is damaged. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
