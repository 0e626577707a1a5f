/** gzip by the platform's streams, and CRC-32. Counterpart of `primitives/platform/gzip.ts`. */
import { once } from "../../primitives/once.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes that are handed over at a time. */
const CHUNK_BYTES = 64 * 1024;

/** The polynomial of ISO 3309, with its bits in reverse order. */
const POLYNOMIAL = 0xedb8_8320;

const table = once(() =>
  Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? POLYNOMIAL : 0);
    return rest;
  }),
);

/** CRC-32 of bytes that follow those of a checksum. */
export function crc32Of(bytes: Uint8Array, checksum = 0): number {
  const steps = table();
  let rest = ~checksum;
  for (const byte of bytes) rest = (rest >>> 8) ^ (steps[(rest ^ byte) & 0xff] as number);
  return ~rest >>> 0;
}

/** The bytes of all chunks gzipped, in chunks. */
export function packedChunks(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return through(new CompressionStream("gzip"), chunks);
}

/**
 * The content of gzipped bytes, in chunks. Unpacking stops when the consumer does.
 *
 * @throws {Error} if they are truncated or damaged
 */
export function unpackedChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  return through(new DecompressionStream("gzip"), [bytes]);
}

async function* through(
  stream: { readonly readable: ReadableStream<Uint8Array>; readonly writable: WritableStream<Bytes> },
  chunks: Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  // A failure shows at the reader, also one of the chunks.
  const written = writeAll(writer, chunks)
    .catch((error: unknown) => writer.abort(error))
    .catch(() => undefined);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
    await written;
  }
}

/** In pieces, each of which is taken when the one before was read. */
async function writeAll(writer: WritableStreamDefaultWriter<Bytes>, chunks: Iterable<Uint8Array>): Promise<void> {
  for (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += CHUNK_BYTES) {
      await writer.ready;
      await writer.write(chunk.slice(start, start + CHUNK_BYTES) as Bytes);
    }
  }
  await writer.close();
}
