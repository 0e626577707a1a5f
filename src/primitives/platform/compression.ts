/** Packing, and unpacking within bounds. */
import { LimitError } from "../../errors/hindcast-error.ts";
import { packedChunks, unpackedChunks } from "./gzip.ts";
import { Breaks } from "./turns.ts";

type Bytes = Uint8Array;

const MEBIBYTE = 1024 * 1024;
/** Some megabytes of gzipped zeros could otherwise fill all memory. */
const DEFAULT_MAX_BYTES = 1024 * MEBIBYTE;
/** Largest ratio of unpacked to packed size. The JSON of a chain of empty blocks has 40. */
export const MAX_RATIO = 200;
/** Bytes to which any small file may unpack; {@link MAX_RATIO} limits larger ones. */
export const SMALL_BYTES = 64 * MEBIBYTE;

/** Bytes that are packed at a time. */
const CHUNK_BYTES = 64 * 1024;

/** The bytes of all pieces gzipped. Pieces are taken when those before them were packed. */
export function zipped(pieces: Iterable<Bytes>): Promise<Bytes> {
  return joinChunks(packedChunks(inChunks(pieces)));
}

/** Small pieces joined. */
function* inChunks(pieces: Iterable<Bytes>): Generator<Bytes> {
  let chunk = new Uint8Array(CHUNK_BYTES);
  let length = 0;
  for (const piece of pieces) {
    if (length + piece.length > CHUNK_BYTES) {
      yield chunk.subarray(0, length);
      chunk = new Uint8Array(CHUNK_BYTES);
      length = 0;
    }
    if (piece.length > CHUNK_BYTES) {
      yield piece;
      continue;
    }
    chunk.set(piece, length);
    length += piece.length;
  }
  yield chunk.subarray(0, length);
}

/** True for bytes that begin as a gzip file does (RFC 1952). */
export function isGzip(bytes: Bytes): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * The unpacked bytes in chunks, unpacked one after another. Bytes that are not gzipped are passed unchanged.
 *
 * @param maxBytes - most unpacked bytes; 200 times the packed size, or 64 MiB if that is more, is a limit too
 * @param flag - raises `maxBytes`; for the error
 * @throws {LimitError} `UNPACKED_TOO_LARGE`
 * @throws {Error} if they are truncated or damaged
 */
export async function* unzippedChunks(
  bytes: Bytes,
  maxBytes = DEFAULT_MAX_BYTES,
  flag?: string,
): AsyncGenerator<Bytes> {
  const isPacked = isGzip(bytes);
  const most = isPacked ? Math.min(maxBytes, Math.max(SMALL_BYTES, MAX_RATIO * bytes.length)) : maxBytes;
  if (!isPacked) {
    if (bytes.length > most) throw tooLarge(most, most === maxBytes ? flag : undefined);
    yield bytes;
    return;
  }
  let length = 0;
  for await (const chunk of unpackedChunks(bytes)) {
    length += chunk.length;
    if (length > most) throw tooLarge(most, most === maxBytes ? flag : undefined);
    yield chunk;
  }
}

/**
 * The chunks of {@link unzippedChunks} as one array.
 *
 * @throws as {@link unzippedChunks}
 */
export async function unzipped(bytes: Bytes, maxBytes = DEFAULT_MAX_BYTES): Promise<Bytes> {
  if (!isGzip(bytes)) return bytes;
  return joinChunks(unzippedChunks(bytes, maxBytes));
}

/** Joins chunks step by step, because copying hundreds of megabytes takes long. */
export async function joinChunks(chunks: AsyncIterable<Bytes>): Promise<Bytes> {
  const list: Bytes[] = [];
  for await (const chunk of chunks) list.push(chunk);
  if (list.length === 1 && list[0] !== undefined) return list[0];
  const breaks = new Breaks();
  const whole = new Uint8Array(list.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of list) {
    whole.set(chunk, at);
    at += chunk.length;
    const turn = breaks.check();
    if (turn !== undefined) await turn;
  }
  return whole;
}

function tooLarge(maxBytes: number, flag: string | undefined): LimitError {
  return new LimitError({
    code: "UNPACKED_TOO_LARGE",
    what: `Unpacked it is more than ${maxBytes} bytes.`,
    fix: `Unpack it first, or raise the limit${flag === undefined ? "" : ` with ${flag}`}.`,
    data: { limit: maxBytes, flag: flag ?? null },
  });
}
