/**
 * Format of a file of cached answers: a magic word, then records. Files are only appended to.
 *
 * A record has the length of its payload and its CRC-32 (both 4 bytes, big-endian), then the payload: flags (1), length
 * of the key (2), key, value. Reading ends at the first truncated or damaged record.
 */
import { crc32 } from "node:zlib";
import { CACHE_VERSION } from "./paths.ts";
import type { CacheEntry } from "./remote-cache.ts";

const MAGIC = Buffer.from(`HCFORK${CACHE_VERSION}\n`, "latin1");
const HEAD_BYTES = 8;
const KEY_OFFSET = 3;
const PROVEN = 1;

/** The beginning of a file. */
export const fileHead = (): Buffer => Buffer.from(MAGIC);

/** Records, concatenated. */
export function encodeRecords(entries: readonly CacheEntry[]): Buffer {
  return Buffer.concat(entries.map(encodeRecord));
}

function encodeRecord({ key, value, isProven }: CacheEntry): Buffer {
  const record = Buffer.allocUnsafe(HEAD_BYTES + KEY_OFFSET + key.length + value.length);
  const payload = record.subarray(HEAD_BYTES);
  payload.writeUInt8(isProven ? PROVEN : 0, 0);
  payload.writeUInt16BE(key.length, 1);
  payload.write(key, KEY_OFFSET, "latin1");
  payload.set(value, KEY_OFFSET + key.length);
  record.writeUInt32BE(payload.length, 0);
  record.writeUInt32BE(crc32(payload), 4);
  return record;
}

/** The complete records of a file, in the order of writing. Values are views into `file`. */
export function* decodeRecords(file: Buffer): Generator<CacheEntry, void, undefined> {
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) return;
  for (let at = MAGIC.length; at + HEAD_BYTES <= file.length; ) {
    const end = at + HEAD_BYTES + file.readUInt32BE(at);
    const payload = file.subarray(at + HEAD_BYTES, end);
    if (end > file.length || payload.length < KEY_OFFSET || crc32(payload) !== file.readUInt32BE(at + 4)) return;
    const keyEnd = KEY_OFFSET + payload.readUInt16BE(1);
    if (keyEnd > payload.length) return;
    yield {
      key: payload.toString("latin1", KEY_OFFSET, keyEnd),
      value: new Uint8Array(payload.buffer, payload.byteOffset + keyEnd, payload.length - keyEnd),
      isProven: (payload.readUInt8(0) & PROVEN) !== 0,
    };
    at = end;
  }
}
