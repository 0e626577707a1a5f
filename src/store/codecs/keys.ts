/** Keys of the store in the form of `schema.ts`, and their decoding for error texts and log positions. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { MAX_UINT64 } from "../../primitives/bytes/limits.ts";
import { fromUtf8, toUtf8 } from "../../primitives/platform/encodings.ts";
import { type HashTable, type MetaSlot, metaSlots, type Table, type TableName, tables, widths } from "../schema.ts";

const TWO_POW_32 = 0x1_0000_0000;

/** True for numbers that fit in a key: 0 to 2^64 - 1. */
export function isStorableNumber(value: bigint): boolean {
  return value >= 0n && value <= MAX_UINT64;
}

/** Lengths in bytes of a {@link hashKey}, a {@link canonicalKey} and a {@link blockAtNumberKey}. */
export const HASH_KEY_BYTES = 1 + widths.hash;
/** Length of a key of the table `canonical`: prefix and block number. */
export const CANONICAL_KEY_BYTES = 1 + widths.blockNumber;
/** Length of a key that has prefix, block number and block hash. */
export const BLOCK_AT_NUMBER_KEY_BYTES = 1 + widths.blockNumber + widths.blockHash;

/**
 * Key of a table by hash.
 *
 * @param target - written and returned instead of a new array; likewise in the next two functions
 * @throws {TypeError} unless the hash has 32 bytes
 */
export function hashKey(table: HashTable, hash: Bytes, target: Bytes = new Uint8Array(HASH_KEY_BYTES)): Bytes {
  if (hash.length !== widths.hash) throw new TypeError(`hashKey: ${table} takes 32 bytes, got ${hash.length}`);
  target[0] = tables[table].prefix;
  target.set(hash, 1);
  return target;
}

/** @throws {TypeError} unless the number fits in 64 bits */
export function canonicalKey(blockNumber: bigint, target: Bytes = new Uint8Array(CANONICAL_KEY_BYTES)): Bytes {
  target[0] = tables.canonicalHashes.prefix;
  writeUint64(target, 1, blockNumber);
  return target;
}

/** @throws {TypeError} unless the number fits in 64 bits */
export function blockAtNumberKey(
  blockNumber: bigint,
  blockHash: Bytes,
  target: Bytes = new Uint8Array(BLOCK_AT_NUMBER_KEY_BYTES),
): Bytes {
  target[0] = tables.blocksByNumber.prefix;
  writeUint64(target, 1, blockNumber);
  target.set(blockHash, 1 + widths.blockNumber);
  return target;
}

/** The block hash in a key of the table `blocksByNumber`. */
export function blockHashOfKey(key: Bytes): Bytes {
  return key.slice(1 + widths.blockNumber);
}

/** The key of an entry of the table `meta`: prefix and one byte. */
export function metaKey(slot: MetaSlot): Bytes {
  return Uint8Array.of(tables.meta.prefix, metaSlots[slot]);
}

/** The key of a setting: prefix and name in UTF-8. */
export function settingKey(name: string): Bytes {
  const utf8 = fromUtf8(name);
  const key = new Uint8Array(1 + utf8.length);
  key[0] = tables.settings.prefix;
  key.set(utf8, 1);
  return key;
}

/** Length of a log's position in bytes; it is the end of every key in the log tables. */
export const POSITION_BYTES = widths.blockNumber + widths.logIndex + widths.txIndex;

/** @throws {TypeError} unless all parts fit their widths */
export function positionBytes(blockNumber: bigint, logIndex: number, txIndex: number): Bytes {
  const bytes = new Uint8Array(POSITION_BYTES);
  writeUint64(bytes, 0, blockNumber);
  writeUint32(bytes, widths.blockNumber, logIndex);
  writeUint32(bytes, widths.blockNumber + widths.logIndex, txIndex);
  return bytes;
}

/** The parts of a log's position. */
export function readPosition(bytes: Bytes): { blockNumber: bigint; logIndex: number; txIndex: number } {
  return {
    blockNumber: readUint64(bytes, 0),
    logIndex: readUint32(bytes, widths.blockNumber),
    txIndex: readUint32(bytes, widths.blockNumber + widths.logIndex),
  };
}

/** Prefix of the keys of all logs. */
export function logsPrefix(): Bytes {
  return Uint8Array.of(tables.logs.prefix);
}

/** Prefix of the keys of an address's logs. */
export function addressLogsPrefix(address: Bytes): Bytes {
  if (address.length !== widths.address) throw new TypeError(`addressLogsPrefix: ${address.length} bytes`);
  const prefix = new Uint8Array(1 + widths.address);
  prefix[0] = tables.logsByAddress.prefix;
  prefix.set(address, 1);
  return prefix;
}

/** Prefix of the keys of logs with a topic at a position, 0 to 3. */
export function topicLogsPrefix(topicPosition: number, topic: Bytes): Bytes {
  if (topic.length !== widths.topic) throw new TypeError(`topicLogsPrefix: ${topic.length} bytes`);
  const prefix = new Uint8Array(1 + widths.topicPosition + widths.topic);
  prefix[0] = tables.logsByTopic.prefix;
  prefix[1] = topicPosition;
  prefix.set(topic, 1 + widths.topicPosition);
  return prefix;
}

/** Key of the entry of an address in the traces of a block. */
export function traceAddressKey(address: Bytes, blockNumber: bigint): Bytes {
  if (address.length !== widths.address) throw new TypeError(`traceAddressKey: ${address.length} bytes`);
  const key = new Uint8Array(1 + widths.address + widths.blockNumber);
  key[0] = tables.tracesByAddress.prefix;
  key.set(address, 1);
  writeUint64(key, 1 + widths.address, blockNumber);
  return key;
}

/** Block number of a {@link traceAddressKey}. */
export function blockNumberOfTraceKey(key: Bytes): bigint {
  return readUint64(key, 1 + widths.address);
}

/** Key of one log entry. */
export function logKey(
  prefix: Bytes,
  position: Bytes,
  key: Bytes = new Uint8Array(prefix.length + POSITION_BYTES),
): Bytes {
  key.set(prefix);
  key.set(position, prefix.length);
  return key;
}

/** A key as text for errors: each part by its name, bytes as DATA, numbers in decimal. */
export function describeKey(name: TableName, key: Bytes): string {
  const table: Table = tables[name];
  let offset = 1;
  const parts = table.key.map((part) => {
    const bytes = key.subarray(offset, Math.min(offset + widths[part], key.length));
    offset += bytes.length;
    return `${part} ${describePart(part, bytes)}`;
  });
  return parts.join(", ");
}

function describePart(part: keyof typeof widths, bytes: Bytes): string {
  if (part === "name") return JSON.stringify(toUtf8(bytes));
  if (part === "slot") return Object.entries(metaSlots).find(([, slot]) => slot === bytes[0])?.[0] ?? encodeData(bytes);
  if (part === "blockNumber" && bytes.length === widths.blockNumber) return readUint64(bytes, 0).toString();
  if ((part === "logIndex" || part === "txIndex") && bytes.length === widths[part]) return String(readUint32(bytes, 0));
  return encodeData(bytes);
}

/** @throws {TypeError} unless the value fits in 64 bits */
export function writeUint64(target: Bytes, offset: number, value: bigint): void {
  if (!isStorableNumber(value)) throw new TypeError(`writeUint64: ${value} does not fit in 64 bits`);
  writeUint32(target, offset, Number(value >> 32n));
  writeUint32(target, offset + 4, Number(BigInt.asUintN(32, value)));
}

/** A big-endian number of 8 bytes at an offset, which must be within the array. */
export function readUint64(bytes: Bytes, offset: number): bigint {
  const low = BigInt(readUint32(bytes, offset + 4));
  const high = readUint32(bytes, offset);
  return high === 0 ? low : (BigInt(high) << 32n) | low;
}

/** @throws {TypeError} unless the value is an integer that fits in 32 bits */
export function writeUint32(target: Bytes, offset: number, value: number): void {
  if (!Number.isInteger(value) || value < 0 || value >= TWO_POW_32) {
    throw new TypeError(`writeUint32: ${value} does not fit in 32 bits`);
  }
  target[offset] = value >>> 24;
  target[offset + 1] = value >>> 16;
  target[offset + 2] = value >>> 8;
  target[offset + 3] = value;
}

/** A big-endian number of 4 bytes at an offset, which must be within the array. */
export function readUint32(bytes: Bytes, offset: number): number {
  const high = ((bytes[offset] as number) << 8) | (bytes[offset + 1] as number);
  const low = ((bytes[offset + 2] as number) << 8) | (bytes[offset + 3] as number);
  return high * 0x1_0000 + low;
}
