/**
 * A journal: every batch is a record that is added to a file, and reading them in order gives what was written.
 *
 * A record that is incomplete at the end of the file was being written when the program ended, and was not acknowledged:
 * it is cut off. Damage of a record that was complete is an error, and nothing of such a file is believed.
 *
 * The file is rewritten without records that later ones have made needless: into a second file, whose header is written
 * last and has a greater generation. Until then the first file counts, and from then on the second.
 */
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { randomBytes } from "../../primitives/platform/crypto.ts";
import { JOURNAL_FILES, type JournalFile, type JournalFolder } from "./journal-file.ts";
import { corruption, readRecords } from "./journal-reader.ts";
import {
  CHECKSUM_BYTES,
  decodeFileHeader,
  encodeFileHeader,
  FILE_HEADER_BYTES,
  type FileHeader,
  sealRecord,
} from "./journal-records.ts";

/** An open journal. Only one may be open at a time: the folder's lock sees to that. */
export class Journal {
  readonly #folder: JournalFolder;
  #file: JournalFile;
  /** Empty, but while the journal is rewritten. */
  #spare: JournalFile;
  #header: FileHeader;
  #size: number;
  #count: number;
  /** Why nothing can be added any more. */
  #failure: unknown;
  /** Bytes of an incomplete record that were cut off at the end. */
  readonly cutBytes: number;

  /**
   * Opens the journal of a folder, or begins one, and hands over all its records in order.
   *
   * @throws {Error} with the code `LEVEL_CORRUPTION` if it is damaged; the files are unchanged
   */
  static async open(folder: JournalFolder, onRecord: (record: Bytes) => void): Promise<Journal> {
    const files: NamedFile[] = [];
    try {
      for (const name of JOURNAL_FILES) files.push({ path: `${folder.path}/${name}`, file: await folder.open(name) });
      return new Journal(folder, openFiles(files, folder.path, onRecord));
    } catch (error) {
      for (const { file } of files) file.close();
      throw error;
    }
  }

  private constructor(folder: JournalFolder, opened: OpenFiles) {
    this.#folder = folder;
    this.#file = opened.file;
    this.#spare = opened.spare;
    this.#header = opened.header;
    this.#size = opened.size;
    this.#count = opened.count;
    this.cutBytes = opened.cutBytes;
  }

  /** Bytes of the file. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds a record; all of it, or nothing.
   *
   * @throws {Error} if it could not be written
   */
  append(record: Bytes, isFlushed: boolean): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#file.size() !== this.#size) {
      // What another program added must not be cut off.
      this.#failure = new Error("the journal was changed by another program");
      throw this.#failure;
    }
    sealRecord(record, this.#count, this.#header.salt);
    try {
      this.#file.write(record, this.#size);
      if (isFlushed || this.#folder.flushesEach) this.#file.flush();
    } catch (error) {
      this.#undo(this.#file, this.#size, error);
      throw error;
    }
    this.#size += record.length;
    this.#count++;
  }

  /**
   * Replaces all records by other ones. If that fails, the journal is as before.
   *
   * @param records - unsealed, with the whole content; nothing may be added before all of them are made
   * @throws {Error} if there is no room for them
   */
  async rewrite(records: AsyncIterable<Bytes>): Promise<void> {
    const next = this.#spare;
    const salt = randomSalt();
    let header: FileHeader;
    let [size, count] = [FILE_HEADER_BYTES, 0];
    try {
      next.write(new Uint8Array(FILE_HEADER_BYTES), 0);
      for await (const record of records) {
        sealRecord(record, count, salt);
        next.write(record, size);
        size += record.length;
        count++;
      }
      next.flush();
      header = { generation: this.#header.generation + 1, salt, complete: size };
      next.write(encodeFileHeader(header), 0);
      next.flush();
    } catch (error) {
      this.#undo(next, 0, error);
      throw error;
    }
    this.#spare = this.#file;
    this.#file = next;
    this.#header = header;
    this.#size = size;
    this.#count = count;
    try {
      this.#spare.truncate(0);
    } catch {
      // Its generation is smaller. It is cleared when the journal is opened next.
    }
  }

  /** Takes back a write that failed. If that fails, too, nothing may follow: it would be behind an incomplete record. */
  #undo(file: JournalFile, size: number, error: unknown): void {
    try {
      file.truncate(size);
    } catch {
      this.#failure = error;
    }
  }

  close(): void {
    this.#file.close();
    this.#spare.close();
  }
}

interface NamedFile {
  readonly path: string;
  readonly file: JournalFile;
}

/** Both files, after everything was read. */
interface OpenFiles {
  readonly file: JournalFile;
  readonly spare: JournalFile;
  readonly header: FileHeader;
  readonly size: number;
  readonly count: number;
  readonly cutBytes: number;
}

/** Reads the file that counts. Writes only after all was found to be intact. */
function openFiles(files: readonly NamedFile[], folder: string, onRecord: (record: Bytes) => void): OpenFiles {
  const headers = files.map(readHeader);
  const [first, second] = headers.map((header) => header?.generation ?? -1);
  const index = (second ?? -1) > (first ?? -1) ? 1 : 0;
  const [{ file, path }, { file: spare }] = [files[index], files[1 - index]] as [NamedFile, NamedFile];
  const found = headers[index];
  if (found === undefined) return { file, spare, ...begun(files, file, folder) };
  const { end, count } = readRecords(file, found, path, onRecord);
  const cutBytes = file.size() - end;
  if (cutBytes > 0) {
    file.truncate(end);
    file.flush();
  }
  // Of a rewriting that did not come to its end, or that was not cleared after it.
  if (spare.size() > 0) spare.truncate(0);
  return { file, spare, header: found, size: end, count, cutBytes };
}

/** Begins a journal in files that have nothing, or no more than the begun header of one. */
function begun(files: readonly NamedFile[], file: JournalFile, folder: string): Omit<OpenFiles, "file" | "spare"> {
  const sizes = files.map((each) => each.file.size());
  if (sizes.some((size) => size > FILE_HEADER_BYTES))
    throw corruption(`no file of the journal in ${folder} has a header`);
  const header = { generation: 1, salt: randomSalt(), complete: FILE_HEADER_BYTES };
  for (const each of files) each.file.truncate(0);
  file.write(encodeFileHeader(header), 0);
  file.flush();
  return { header, size: FILE_HEADER_BYTES, count: 0, cutBytes: Math.max(...sizes) };
}

const randomSalt = (): number => Number(bytesToBigInt(randomBytes(4)));

/** Undefined for a file whose header was not written to its end, which has the checksum. */
function readHeader({ file, path }: NamedFile): FileHeader | undefined {
  const bytes = new Uint8Array(FILE_HEADER_BYTES);
  if (file.read(bytes, 0) < FILE_HEADER_BYTES) return undefined;
  if (bytes.subarray(-CHECKSUM_BYTES).every((byte) => byte === 0)) return undefined;
  const header = decodeFileHeader(bytes);
  if (header === undefined) throw corruption(`the header of ${path} is damaged, or of a newer version`);
  return header;
}
