/**
 * A database in memory that writes its batches to a journal. It takes LevelDB's place in browsers, and in processes that
 * load no native addons. A chain in it is bounded by the memory.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { atOnce, Breaks, inTurns, type Steps } from "../../primitives/platform/turns.ts";
import { Journal } from "./journal.ts";
import type { JournalFolder } from "./journal-file.ts";
import { decodeOperations, encodedLength, encodeRecord } from "./journal-records.ts";
import type { BatchOperation } from "./level-database.ts";
import { MemoryDatabase } from "./memory/memory-database.ts";

/** Operations from which on a batch is encoded in turns. */
const LONG_BATCH = 1_000;
/** Bytes from which on it is worth looking whether the journal has needless records. */
const SMALLEST_REWRITTEN = 16 * 1024 * 1024;
/** Bytes of operations in a record of a journal that is rewritten, and entries between two steps. */
const REWRITTEN_BYTES = 1024 * 1024;
const STEP = 1_000;

/** Writes may not overlap, which {@link LevelBackend} sees to. */
export class JournalDatabase extends MemoryDatabase {
  readonly #folder: JournalFolder;
  readonly #smallest: number;
  #journal: Journal | undefined;
  /** Bytes of the journal from which on its content is counted. */
  #countedFrom: number;

  /** @param smallest - bytes from which on a journal is rewritten if half of it is needless */
  constructor(folder: JournalFolder, smallest = SMALLEST_REWRITTEN) {
    super();
    this.#folder = folder;
    this.#smallest = smallest;
    this.#countedFrom = smallest;
  }

  /** What the user should know of the journal that was opened. */
  get notices(): readonly string[] {
    const { cutBytes = 0 } = this.#journal ?? {};
    if (cutBytes === 0) return [];
    return [
      `The journal in ${this.#folder.path} ended with an incomplete record of ${cutBytes} bytes, which was cut off: ` +
        "the program ended while it was written. What was acknowledged before is there.",
    ];
  }

  /** @throws {Error} with the code `LEVEL_CORRUPTION` if the journal is damaged */
  override async open(): Promise<void> {
    this.#journal = await Journal.open(this.#folder, (record) => this.applyAll(decodeOperations(record)));
    await super.open();
  }

  override async close(): Promise<void> {
    const isOpen = this.status === "open";
    await super.close();
    if (isOpen) this.#journal?.close();
  }

  /** Writes a batch to the journal, and then applies it. */
  override async batch(operations: BatchOperation[], { sync = false }: { sync?: boolean } = {}): Promise<void> {
    const encoding = encodeRecord(operations);
    const record = operations.length < LONG_BATCH ? atOnce(encoding) : await inTurns(encoding);
    const journal = this.#openJournal();
    journal.append(record, sync);
    await super.batch(operations);
    if (journal.size >= this.#countedFrom) await this.#shorten(journal);
  }

  #openJournal(): Journal {
    this.requireOpen();
    return this.#journal as Journal;
  }

  /** Rewrites the journal if more than half of it is needless. */
  async #shorten(journal: Journal): Promise<void> {
    const content = await inTurns(this.#contentLength());
    try {
      if (journal.size > 2 * content) await journal.rewrite(this.#records());
      this.#countedFrom = Math.max(this.#smallest, 2 * content);
    } catch {
      // There was no room for a second file. The batch is written, and the journal as it was.
      this.#countedFrom = 2 * journal.size;
    }
  }

  *#contentLength(): Steps<number> {
    let [length, index] = [0, 0];
    for (const operation of this.content()) {
      length += encodedLength(operation);
      if (++index % STEP === 0) yield;
    }
    return length;
  }

  /** All entries as unsealed records. */
  async *#records(): AsyncGenerator<Bytes> {
    const breaks = new Breaks();
    let [operations, length]: [BatchOperation[], number] = [[], 0];
    for (const operation of this.content()) {
      operations.push(operation);
      length += encodedLength(operation);
      if (length < REWRITTEN_BYTES) continue;
      yield atOnce(encodeRecord(operations));
      [operations, length] = [[], 0];
      const turn = breaks.check();
      if (turn !== undefined) await turn;
    }
    if (operations.length > 0) yield atOnce(encodeRecord(operations));
  }
}
