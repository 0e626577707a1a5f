/** The errors that a check of a data folder has found, and how to repair them. */
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { ChainStore } from "../../store/chain-store.ts";
import { describeKey } from "../../store/codecs/keys.ts";
import type { StoredEntry } from "../../store/scan-table.ts";
import type { TableName } from "../../store/schema.ts";

/** A correct entry. Without a value, the entry must not exist. */
export interface RightEntry {
  readonly key: Bytes;
  readonly value: Bytes | undefined;
}

/**
 * The repair of an error: write entries, execute a block again and write its results, or remove a block that nobody can
 * read, with all that follow it.
 */
export type Remedy =
  | { readonly kind: "remove"; readonly blockHash: Bytes }
  | { readonly kind: "restore"; readonly entries: readonly RightEntry[] }
  | { readonly kind: "execute"; readonly blockHash: Bytes };

/** An entry of the store that is wrong or missing. */
export interface Finding {
  readonly table: TableName;
  /** The complete key, with the table's prefix. */
  readonly key: Bytes;
  /** The error, as the end of a sentence: "is not there". */
  readonly what: string;
  /** undefined if the data folder does not contain enough to rebuild the entry. */
  readonly remedy: Remedy | undefined;
}

/** Describes an error and its place in one line. */
export function findingText({ table, key, what }: Finding): string {
  const place = key.length === 0 ? "" : ` of ${describeKey(table, key)}`;
  return `${table}: the entry${place} ${what}.`;
}

/** Collected by all parts of a check, in the order in which they were found. */
export class Findings {
  readonly #list: Finding[] = [];

  get list(): readonly Finding[] {
    return this.#list;
  }

  add(table: TableName, key: Bytes, what: string, remedy?: Remedy): void {
    this.#list.push({ table, key, what, remedy });
  }

  /** Adds an entry that is missing, wrong, or should not exist. */
  addWrong(table: TableName, key: Bytes, found: Bytes | undefined, right: Bytes | undefined): void {
    const what = found === undefined ? "is not there" : right === undefined ? "should not be there" : "is wrong";
    this.add(table, key, what, { kind: "restore", entries: [{ key, value: right }] });
  }
}

/** Yields the entries of a table up to the first that cannot be read, which it adds to the findings. */
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

/** Returns the message of the error that a read throws; undefined if it throws none. */
export function failureOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the result of a read; undefined if the store reports that the value is damaged. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
