/**
 * Cached answers about one block: a folder of append-only files, one for each process that added answers.
 *
 * All files are read when the folder is opened. There are no locks: each process appends only to its own file, whose
 * name is unique.
 */
import { createHash, randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { attempt, namesIn, readFileAt, remove, touch, writeWhole } from "./files.ts";
import { decodeRecords, encodeRecords, fileHead } from "./records.ts";
import type { BlockCache, CacheEntry } from "./remote-cache.ts";

/** If there are this many files they are merged, so that opening stays fast. */
const MOST_FILES = 12;
/** Replaces the process id in the name of a completed file. */
const COMPLETE = 0;

const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
const fileName = (process: number): string => `${HOST}-${process}-${randomBytes(6).toString("hex")}.log`;

/** The cached answers about one block. One for each block that a process reads. */
export class DiskBlock implements BlockCache {
  readonly #folder: string;
  readonly #entries: Map<string, CacheEntry>;
  /** File of this process; undefined before the first entry. */
  #file: { readonly path: string; readonly descriptor: number } | undefined;
  #isWritable = true;

  constructor(folder: string) {
    this.#folder = folder;
    const { entries, names } = readFolder(folder);
    this.#entries = entries;
    touch(folder);
    const complete = names.filter(isComplete);
    if (complete.length > MOST_FILES) joinFiles(folder, complete);
  }

  get(key: string, provenOnly: boolean): Bytes | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || (provenOnly && !entry.isProven) ? undefined : entry.value;
  }

  put(entries: readonly CacheEntry[]): void {
    if (entries.length === 0) return;
    for (const entry of entries) note(this.#entries, entry);
    if (!this.#isWritable) return;
    // After a failed write the file may end with part of a record, after which nothing can be read. So this process
    // stops writing to this block.
    this.#isWritable = attempt(() => this.#append(encodeRecords(entries))) !== undefined;
  }

  #append(records: Buffer): true {
    this.#file ??= this.#begin();
    writeAll(this.#file.descriptor, records);
    return true;
  }

  #begin(): { readonly path: string; readonly descriptor: number } {
    mkdirSync(this.#folder, { recursive: true });
    const path = join(this.#folder, fileName(process.pid));
    const descriptor = openSync(path, "ax");
    writeAll(descriptor, fileHead());
    return { path, descriptor };
  }

  /** Stops keeping entries: later ones are dropped. */
  close(): void {
    const file = this.#file;
    this.#file = undefined;
    this.#isWritable = false;
    if (file === undefined) return;
    attempt(() => closeSync(file.descriptor));
    attempt(() => renameSync(file.path, join(this.#folder, fileName(COMPLETE))));
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** Adds an entry. An unproven entry does not replace a proven one. */
function note(entries: Map<string, CacheEntry>, entry: CacheEntry): void {
  if (entry.isProven || entries.get(entry.key)?.isProven !== true) entries.set(entry.key, entry);
}

interface FolderContent {
  readonly entries: Map<string, CacheEntry>;
  readonly names: readonly string[];
}

/** Number of attempts to list a folder in which files are renamed or merged meanwhile. */
const LISTINGS = 5;

/** Content of all files in a block's folder. */
export function readFolder(folder: string): FolderContent {
  for (let listing = 1; ; listing++) {
    const names = namesIn(folder).filter((name) => name.endsWith(".log"));
    const files = names.map((name) => readFileAt(join(folder, name)));
    if (files.includes(undefined) && listing < LISTINGS) continue;
    const entries = new Map<string, CacheEntry>();
    for (const file of files) for (const entry of file === undefined ? [] : decodeRecords(file)) note(entries, entry);
    return { entries, names };
  }
}

/** True for files that no process appends to: closed ones, and those of ended processes of this machine. */
function isComplete(name: string): boolean {
  const [host, id] = name.split("-");
  if (Number(id) === COMPLETE) return true;
  if (host !== HOST || Number(id) === process.pid) return false;
  try {
    process.kill(Number(id), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Merges several files. If two processes do so at once, entries are duplicated, but none is lost. */
function joinFiles(folder: string, names: readonly string[]): void {
  const entries = new Map<string, CacheEntry>();
  for (const name of names) {
    const file = readFileAt(join(folder, name));
    if (file === undefined) return;
    for (const entry of decodeRecords(file)) note(entries, entry);
  }
  writeWhole(join(folder, fileName(COMPLETE)), Buffer.concat([fileHead(), encodeRecords([...entries.values()])]));
  for (const name of names) remove(join(folder, name));
}
