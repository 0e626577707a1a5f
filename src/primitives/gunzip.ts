/** Unpacks what may be gzipped. */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Bytes } from "./bytes.ts";

const MEBIBYTE = 1024 * 1024;
/** A thousandth of it may be all that is sent: without a bound some megabytes of zeros would take all memory there is. */
const DEFAULT_MAX_BYTES = 1024 * MEBIBYTE;

const unpack = promisify(gunzip);

export function isGzip(bytes: Bytes): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * The same bytes unpacked, on a thread of Node's; those that are not gzipped as they are.
 *
 * @throws {Error} when they are cut off, damaged, or would be more than `maxBytes`
 */
export async function unzipped(bytes: Bytes, maxBytes = DEFAULT_MAX_BYTES): Promise<Bytes> {
  if (!isGzip(bytes)) return bytes;
  try {
    return new Uint8Array(await unpack(bytes, { maxOutputLength: maxBytes }));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw cause;
    throw new RangeError(`unpacked it is more than ${maxBytes / MEBIBYTE} MiB`, { cause });
  }
}
