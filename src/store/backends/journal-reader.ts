/**
 * Reads the records of a journal's file, and tells an incomplete end from damage.
 *
 * The writing of the last record may have been cut short. If the program ended, the file has the beginning of the record.
 * If the machine did, the file may have its full length, and in it sectors that were not written, which are zeros: file
 * systems show nothing else beyond what was the end of a file. Everything else is damage of a record that was complete.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { JournalFile } from "./journal-file.ts";
import {
  checksumWith,
  decodeRecordHeader,
  encodeRecordPlace,
  FILE_HEADER_BYTES,
  type FileHeader,
  isIntact,
  RECORD_HEADER_BYTES,
  type RecordHeader,
} from "./journal-records.ts";
import { withCode } from "./memory/memory-keys.ts";

/** Bytes that are read at a time. */
const WINDOW_BYTES = 1024 * 1024;
/** Bytes that a disk writes together, or not at all. Many write more; no disk writes fewer. */
const SECTOR_BYTES = 512;

/** The error for a file that is damaged. */
export const corruption = (message: string): Error => withCode("LEVEL_CORRUPTION", message);

/**
 * Hands over all intact records.
 *
 * @returns where they end, and their number
 * @throws {Error} with the code `LEVEL_CORRUPTION` if something damaged lies before an intact record, or before the end
 * of what was complete, or if the last record was complete and is damaged
 */
export function readRecords(
  file: JournalFile,
  { salt, complete }: FileHeader,
  path: string,
  onRecord: (record: Bytes) => void,
): { readonly end: number; readonly count: number } {
  const reader = new Reader(file, salt);
  let [end, count] = [FILE_HEADER_BYTES, 0];
  for (let record = reader.record(end, count); record !== undefined; record = reader.record(end, count)) {
    try {
      onRecord(record);
    } catch (error) {
      throw corruption(`record ${count} of ${path}, at byte ${end}, cannot be understood: ${error}`);
    }
    end += record.length;
    count++;
  }
  const found = end < reader.size || end < complete ? reader.damageAt(end, count, complete) : undefined;
  if (found === undefined) return { end, count };
  throw corruption(`record ${count} of ${path}, at byte ${end}, is damaged, and ${found}`);
}

class Reader {
  readonly size: number;
  readonly #file: JournalFile;
  readonly #salt: number;
  #window: Bytes = new Uint8Array(0);
  #start = 0;

  constructor(file: JournalFile, salt: number) {
    this.#file = file;
    this.#salt = salt;
    this.size = file.size();
  }

  /** The intact record at a position with a number; undefined if there is none. */
  record(at: number, number: number): Bytes | undefined {
    if (at + RECORD_HEADER_BYTES > this.size) return undefined;
    const header = decodeRecordHeader(this.#bytes(at, RECORD_HEADER_BYTES));
    return header.number === number ? this.#intact(at, header) : undefined;
  }

  /** What shows that the record at a position, which is not intact, was complete; undefined if its writing was cut short. */
  damageAt(at: number, number: number, complete: number): string | undefined {
    const next = this.#intactAfter(at, number);
    if (next !== undefined) return `record ${next.number} after it is not`;
    if (at < complete) return `${complete} bytes were written together`;
    return this.#wasComplete(at, number) ? "it was written to its end" : undefined;
  }

  /** Whether the last record reaches the end of the file, by its length or by its checksum, and lacks no sector. */
  #wasComplete(at: number, number: number): boolean {
    const length = this.size - at - RECORD_HEADER_BYTES;
    if (length < 0) return false;
    const header = decodeRecordHeader(this.#bytes(at, RECORD_HEADER_BYTES));
    const operations = this.#parts(at + RECORD_HEADER_BYTES, WINDOW_BYTES);
    if (checksumWith({ length, number }, operations, this.#salt) === header.checksum)
      return !this.#lacksBeginning(at, { length, number });
    if (header.length > length) return false;
    for (const sector of this.#parts(at, SECTOR_BYTES)) if (sector.every((byte) => byte === 0)) return false;
    return true;
  }

  /** Whether a record with another length or number in its header has zeros in their place, in a sector of nothing else. */
  #lacksBeginning(at: number, { length, number }: Omit<RecordHeader, "checksum">): boolean {
    const [first = new Uint8Array(0)] = this.#parts(at, SECTOR_BYTES);
    const written = first.length;
    if (first.some((byte) => byte !== 0)) return false;
    const expected = encodeRecordPlace({ length, number });
    return this.#bytes(at, expected.length).every((byte, index) => index < written || byte === expected[index]);
  }

  /** The rest of the file from a position on, in parts that end at multiples of a length. Each is valid until the next. */
  *#parts(start: number, length: number): Generator<Bytes, void, undefined> {
    for (let at = start; at < this.size; ) {
      const end = Math.min((Math.floor(at / length) + 1) * length, this.size);
      yield this.#bytes(at, end - at);
      at = end;
    }
  }

  /** The header of the first intact record with a greater number, behind a position. */
  #intactAfter(position: number, number: number): RecordHeader | undefined {
    const most = number + this.size / RECORD_HEADER_BYTES;
    const last = this.size - RECORD_HEADER_BYTES;
    for (let start = position + 1; start <= last; start += WINDOW_BYTES) {
      const bytes = this.#bytes(start, Math.min(WINDOW_BYTES + RECORD_HEADER_BYTES, this.size - start)).slice();
      for (let at = 0; at < WINDOW_BYTES && at + RECORD_HEADER_BYTES <= bytes.length; at++) {
        const header = decodeRecordHeader(bytes, at);
        if (header.number <= number || header.number > most) continue;
        if (this.#intact(start + at, header) !== undefined) return header;
      }
    }
    return undefined;
  }

  #intact(at: number, { length }: RecordHeader): Bytes | undefined {
    const end = at + RECORD_HEADER_BYTES + length;
    if (end > this.size) return undefined;
    const record = this.#bytes(at, end - at);
    return isIntact(record, this.#salt) ? record : undefined;
  }

  /** Valid until the next call. */
  #bytes(at: number, length: number): Bytes {
    const isInside = at >= this.#start && at + length <= this.#start + this.#window.length;
    if (!isInside) {
      const window = new Uint8Array(Math.min(Math.max(length, WINDOW_BYTES), this.size - at));
      const read = this.#file.read(window, at);
      if (read < length) throw new Error(`the system read ${read} of ${length} bytes`);
      this.#window = window.subarray(0, read);
      this.#start = at;
    }
    return this.#window.subarray(at - this.#start, at - this.#start + length);
  }
}
