/** The files that a journal needs, whatever the platform: Node's, or the synchronous handles of a browser's own files. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** An open file. All its functions are synchronous, so that nothing is read between a write and its end. */
export interface JournalFile {
  /** Length in bytes, as the system has it. */
  size(): number;
  /** Fills an array from a position on. Returns the number of bytes, which are fewer at the end of the file only. */
  read(target: Bytes, at: number): number;
  /** Writes all bytes. @throws {Error} if there is no room for all of them; then some may be there */
  write(bytes: Bytes, at: number): void;
  truncate(size: number): void;
  /** Returns when what was written survives a power failure, as far as the system promises that. */
  flush(): void;
  close(): void;
}

/** The folder of a journal. */
export interface JournalFolder {
  /** Its name, for messages. */
  readonly path: string;
  /** Whether each batch is flushed, or only the last one before the end, as with LevelDB. */
  readonly flushesEach: boolean;
  /** Opens a file, and makes it if it is not there. */
  open(name: string): Promise<JournalFile>;
}

/** The two files of a journal. One of them holds the chain, the other one is empty unless the first is rewritten. */
export const JOURNAL_FILES = ["journal-a", "journal-b"] as const;
