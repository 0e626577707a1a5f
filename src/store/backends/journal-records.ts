/**
 * The bytes of a journal: a header, and a record for each batch. Integers are big-endian.
 *
 * A header has eight letters, the version of this format, the file's generation, a random number, the length that the
 * file had when the header was written, and the CRC-32 of all these: 32 bytes.
 *
 * A record has the length of its operations, its number, a CRC-32, and the operations. The checksum begins with the random
 * number of the file, so that bytes which somebody stores in a chain cannot look like a record of its journal. An
 * operation is the length of its key, the length of its value plus one (zero deletes the key), the key, and the value.
 * Lengths are in groups of seven bits, the lowest first; all but the last have the eighth bit.
 */
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { fromLatin1 } from "../../primitives/platform/encodings.ts";
import { crc32Of } from "../../primitives/platform/gzip.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import type { BatchOperation } from "./level-database.ts";
import { isHashedKey } from "./memory/memory-database.ts";

/** Bytes of a file's header. */
export const FILE_HEADER_BYTES = 32;
/** Bytes of a record's header. */
export const RECORD_HEADER_BYTES = 12;
/** Bytes of a checksum, the last ones of a file's header. */
export const CHECKSUM_BYTES = 4;

const MAGIC = "HINDJRNL";
const VERSION = 1;
/** Operations between two steps. */
const STEP = 256;

/** What the header of a file says. */
export interface FileHeader {
  /** Of two files the one with the greater number holds the chain. */
  readonly generation: number;
  /** A random number of 32 bits. */
  readonly salt: number;
  /** Bytes of the file that were complete when the header was written: none of them may be missing. */
  readonly complete: number;
}

/** The bytes of a file's header. */
export function encodeFileHeader({ generation, salt, complete }: FileHeader): Bytes {
  const bytes = new Uint8Array(FILE_HEADER_BYTES);
  const view = viewOf(bytes);
  bytes.set(fromLatin1(MAGIC));
  view.setUint32(8, VERSION);
  view.setUint32(12, generation);
  view.setUint32(16, salt);
  view.setBigUint64(20, BigInt(complete));
  view.setUint32(28, crc32Of(bytes.subarray(0, 28)));
  return bytes;
}

/** The header in the first bytes of a file; undefined if they are damaged, or of another format. */
export function decodeFileHeader(bytes: Bytes): FileHeader | undefined {
  if (bytes.length < FILE_HEADER_BYTES) return undefined;
  const view = viewOf(bytes);
  const complete = Number(view.getBigUint64(20));
  const header = { generation: view.getUint32(12), salt: view.getUint32(16), complete };
  if (complete > Number.MAX_SAFE_INTEGER) return undefined;
  return equalBytes(bytes.subarray(0, FILE_HEADER_BYTES), encodeFileHeader(header)) ? header : undefined;
}

/** What the header of a record says. */
export interface RecordHeader {
  /** Bytes of its operations. */
  readonly length: number;
  /** Records of a file are counted from zero. */
  readonly number: number;
  readonly checksum: number;
}

/** Reads a record's header, from a position on. */
export function decodeRecordHeader(bytes: Bytes, at = 0): RecordHeader {
  const view = viewOf(bytes);
  return { length: view.getUint32(at), number: view.getUint32(at + 4), checksum: view.getUint32(at + 8) };
}

/** True if a record's operations are those that its header is of. */
export function isIntact(record: Bytes, salt: number): boolean {
  return decodeRecordHeader(record).checksum === checksumOf(record, salt);
}

/** Of all bytes of a record but for the checksum itself. */
function checksumOf(record: Bytes, salt: number): number {
  return crc32Of(record.subarray(RECORD_HEADER_BYTES), startOfChecksum(record, salt));
}

/** The checksum of a record's length and number, with which that of its operations goes on. */
function startOfChecksum(header: Bytes, salt: number): number {
  return crc32Of(header.subarray(0, 8), salt);
}

/** The bytes of a record's header before its checksum. */
export function encodeRecordPlace({ length, number }: Omit<RecordHeader, "checksum">): Bytes {
  const bytes = new Uint8Array(8);
  viewOf(bytes).setUint32(0, length);
  viewOf(bytes).setUint32(4, number);
  return bytes;
}

/** The checksum that a record with a length, a number and some operations has. The operations come in parts. */
export function checksumWith(
  { length, number }: Omit<RecordHeader, "checksum">,
  operations: Iterable<Bytes>,
  salt: number,
): number {
  let checksum = startOfChecksum(encodeRecordPlace({ length, number }), salt);
  for (const part of operations) checksum = crc32Of(part, checksum);
  return checksum;
}

/** Encodes a record whose number and checksum are still to be set. Operations must not change before its end. */
export function* encodeRecord(operations: readonly BatchOperation[]): Steps<Bytes> {
  let length = RECORD_HEADER_BYTES;
  for (const operation of operations) length += encodedLength(operation);
  const record = new Uint8Array(length);
  let at = RECORD_HEADER_BYTES;
  for (const [index, operation] of operations.entries()) {
    at = writeOperation(record, at, operation);
    if (index % STEP === STEP - 1) yield;
  }
  viewOf(record).setUint32(0, length - RECORD_HEADER_BYTES);
  return record;
}

/** Completes a record, when its place is known. */
export function sealRecord(record: Bytes, number: number, salt: number): void {
  const view = viewOf(record);
  view.setUint32(4, number);
  view.setUint32(8, checksumOf(record, salt));
}

/** Bytes that an operation takes in a record. */
export function encodedLength(operation: BatchOperation): number {
  const { key, table } = operation;
  const keyLength = key.length + (table === undefined ? 0 : 1);
  if (operation.type === "del") return groupsOf(keyLength) + 1 + keyLength;
  const { length } = operation.value;
  return groupsOf(keyLength) + groupsOf(length + 1) + keyLength + length;
}

function writeOperation(record: Bytes, start: number, operation: BatchOperation): number {
  const { key, table } = operation;
  let at = writeLength(record, start, key.length + (table === undefined ? 0 : 1));
  at = writeLength(record, at, operation.type === "del" ? 0 : operation.value.length + 1);
  if (table !== undefined) record[at++] = table;
  record.set(key, at);
  at += key.length;
  if (operation.type === "del") return at;
  record.set(operation.value, at);
  return at + operation.value.length;
}

/**
 * The operations of an intact record. Their keys and values are parts of one copy of it, which takes less memory than an
 * array for each.
 *
 * @throws {RangeError} if it is not made of whole operations
 */
export function decodeOperations(original: Bytes): BatchOperation[] {
  const record = original.slice();
  const operations: BatchOperation[] = [];
  const position = { at: RECORD_HEADER_BYTES };
  while (position.at < record.length) {
    const keyLength = readLength(record, position);
    const valueLength = readLength(record, position) - 1;
    const end = position.at + keyLength;
    if (keyLength === 0 || end + Math.max(valueLength, 0) > record.length)
      throw new RangeError("an operation is longer than its record");
    const prefix = record[position.at] as number;
    const place = isHashedKey(prefix, keyLength)
      ? { table: prefix, key: record.subarray(position.at + 1, end) }
      : { key: record.subarray(position.at, end) };
    position.at = end;
    if (valueLength < 0) {
      operations.push({ type: "del", ...place });
      continue;
    }
    position.at += valueLength;
    operations.push({ type: "put", ...place, value: record.subarray(end, position.at), isGiven: true });
  }
  return operations;
}

function groupsOf(length: number): number {
  let groups = 1;
  for (let rest = length; rest >= 0x80; rest = Math.floor(rest / 0x80)) groups++;
  return groups;
}

function writeLength(record: Bytes, start: number, length: number): number {
  let at = start;
  let rest = length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) record[at++] = (rest % 0x80) | 0x80;
  record[at++] = rest;
  return at;
}

function readLength(record: Bytes, position: { at: number }): number {
  let length = 0;
  for (let factor = 1; ; factor *= 0x80) {
    const group = record[position.at++];
    if (group === undefined || factor > 2 ** 42) throw new RangeError("a length is longer than its record");
    length += (group & 0x7f) * factor;
    if (group < 0x80) return length;
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Bytes): DataView => new DataView(buffer, byteOffset, byteLength);
