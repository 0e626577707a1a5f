/**
 * LevelDB in a folder. Writes batches by LevelDB's chained batch, because `batch()` with an array copies and checks
 * each operation, which takes more processor time.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Bytes, concatBytes } from "../../primitives/bytes/bytes.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import {
  type BatchOperation,
  ENCODINGS,
  type LevelDatabase,
  type LevelKeys,
  type LevelSnapshot,
  type RangeOptions,
  type SnapshotOptions,
} from "./level-database.ts";

/** Members of `level` that are used beside {@link LevelDatabase}. */
type Level = LevelDatabase & {
  batch(): {
    put(key: Bytes, value: Bytes): unknown;
    del(key: Bytes): unknown;
    write(options: { sync?: boolean }): Promise<void>;
  };
};

/**
 * Bytes that LevelDB collects in memory before it writes a sorted file. Most of what a block writes are trie nodes, whose
 * keys are hashes: each new file overlaps all others, and with LevelDB's default of 4 MiB merging them takes as much
 * processor time as mining after 30,000 blocks. Files eight times as large are merged an eighth as often.
 */
const WRITE_BUFFER = 32 * 1024 * 1024;

/** LevelDB's report of what it did since it was opened. */
const REPORT_FILE = "LOG";

/** Operations between two checks whether to yield. */
const STEP = 256;

/**
 * The package of LevelDB, which has a part in machine code.
 *
 * @throws {Error} where that cannot be loaded
 */
export const loadLevel = (): Promise<typeof import("level")> => import("level");

/** Only one process can open a folder at a time. */
export class DiskDatabase implements LevelDatabase {
  readonly #folder: string;
  readonly #level: Level;
  #notices: readonly string[] = [];

  /** The database of a folder, which is created if it does not exist. Not open yet. */
  static async in(folder: string): Promise<DiskDatabase> {
    const { Level } = await loadLevel();
    const level = new Level<Bytes, Bytes>(folder, { ...ENCODINGS, writeBufferSize: WRITE_BUFFER });
    return new DiskDatabase(folder, level);
  }

  private constructor(folder: string, level: Level) {
    this.#folder = folder;
    this.#level = level;
  }

  get status(): string {
    return this.#level.status;
  }

  /** A sentence on what LevelDB left out when it opened the folder, if it did. */
  get notices(): readonly string[] {
    return this.#notices;
  }

  async open(): Promise<void> {
    await this.#level.open();
    // Without a report nothing is known, and the folder is open all the same.
    const dropped = droppedBytes(await readFile(join(this.#folder, REPORT_FILE), "utf8").catch(() => ""));
    if (dropped === 0) return;
    this.#notices = [
      `The last writes in ${this.#folder} are damaged: ${dropped} bytes of LevelDB's log were left out. They may be blocks ` +
        "or edits that were stored. Restore the data folder from a copy, or look at what is left with hindcast check.",
    ];
  }

  close(): Promise<void> {
    return this.#level.close();
  }

  getSync(key: Bytes, options?: SnapshotOptions): Bytes | undefined {
    return options === undefined ? this.#level.getSync(key) : this.#level.getSync(key, options);
  }

  async batch(operations: BatchOperation[], options: { sync?: boolean }): Promise<void> {
    const batch = this.#level.batch();
    const breaks = new Breaks();
    for (const [index, operation] of operations.entries()) {
      // The batch is not visible before it is written, so yielding is safe.
      const turn = index % STEP === STEP - 1 ? breaks.check() : undefined;
      if (turn !== undefined) await turn;
      const { table } = operation;
      const key = table === undefined ? operation.key : concatBytes(Uint8Array.of(table), operation.key);
      if (operation.type === "put") batch.put(key, operation.value);
      else batch.del(key);
    }
    await batch.write(options);
  }

  keys(options: RangeOptions): LevelKeys {
    return this.#level.keys(options);
  }

  iterator(options: { gte: Bytes; lte: Bytes }): { all(): Promise<[Bytes, Bytes][]> } {
    return this.#level.iterator(options);
  }

  snapshot(): LevelSnapshot {
    return this.#level.snapshot();
  }
}

/**
 * Bytes of damaged records in its log that LevelDB did not apply, by what it reports. It opens the folder all the same, and
 * reports no record at the end that was not written completely.
 */
function droppedBytes(report: string): number {
  const lines = report.matchAll(/ \(ignoring error\) .*: dropping (\d+) bytes; /g);
  return [...lines].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
}
