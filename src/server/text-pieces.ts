/** Joins the small pieces of a long answer into larger ones, so that fewer writes are needed. */

/** Length of joined pieces in UTF-16 units. A shorter answer is sent at once, with its length. */
export const PIECE_LENGTH = 64 * 1024;

/** A message of text on a connection of messages. */
export type Message = string | AsyncIterable<string>;

/** Bytes that a message is counted with while it waits. Of one in pieces, the part made is not known, but limited. */
export function queuedBytes(message: Message): number {
  return typeof message === "string" ? Buffer.byteLength(message) : 4 * PIECE_LENGTH;
}

/** Parts of {@link PIECE_LENGTH}; one that is empty for no bytes. */
export function* byteParts(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  let start = 0;
  do {
    yield bytes.subarray(start, start + PIECE_LENGTH);
    start += PIECE_LENGTH;
  } while (start < bytes.length);
}

/** Parts of {@link PIECE_LENGTH} of a long text; no part ends within a character. */
export function* textParts(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; ) {
    let end = start + PIECE_LENGTH;
    // Keeps the two halves of a surrogate pair together.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    yield text.slice(start, end);
    start = end;
  }
}

/** A message in parts, each for one write. */
export function messageParts(message: Message): AsyncIterable<string> | Iterable<string> {
  return typeof message === "string" ? textParts(message) : joinPieces(message);
}

/** The same text in pieces of at least {@link PIECE_LENGTH} units, but for the last one; none for an empty text. */
export async function* joinPieces(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let waiting = "";
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length < PIECE_LENGTH) continue;
    yield waiting;
    waiting = "";
  }
  if (waiting !== "") yield waiting;
}
