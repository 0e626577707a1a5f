/** gzip (RFC 1952) and CRC-32, by Node's zlib, which is loaded when it is first needed: that takes milliseconds. */

type Bytes = Uint8Array;

const zlib = (): typeof import("node:zlib") => process.getBuiltinModule("node:zlib");

const stream = (): typeof import("node:stream") => process.getBuiltinModule("node:stream");

/** Bytes that are packed or unpacked at a time. */
const CHUNK_BYTES = 64 * 1024;

/** CRC-32 of bytes that follow those of a checksum. */
export function crc32Of(bytes: Bytes, checksum = 0): number {
  return zlib().crc32(bytes, checksum);
}

/** The bytes of all chunks gzipped, in chunks, packed on a thread of Node's pool. */
export async function* packedChunks(chunks: Iterable<Bytes>): AsyncGenerator<Bytes> {
  const gzip = zlib().createGzip({ chunkSize: CHUNK_BYTES });
  // An error of the chunks shows at the reader. As an event that nobody listens to it would end the process.
  const source = stream().Readable.from(chunks, { highWaterMark: 1 });
  source.on("error", (error) => gzip.destroy(error)).pipe(gzip);
  yield* gzip as AsyncIterable<Buffer>;
}

/**
 * The content of gzipped bytes, in chunks, unpacked on a thread of Node's pool. Unpacking stops when the consumer does.
 *
 * @throws {Error} if they are truncated or damaged
 */
export async function* unpackedChunks(bytes: Bytes): AsyncGenerator<Bytes> {
  const gunzip = zlib().createGunzip({ chunkSize: CHUNK_BYTES });
  stream().Readable.from(pieces(bytes)).pipe(gunzip);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
    }
  } finally {
    gunzip.destroy();
  }
}

/** Passed in pieces, so that it can stop between them. */
function* pieces(bytes: Bytes): Generator<Bytes> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
}
