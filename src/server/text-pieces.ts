/** Joins the many small pieces of a long answer into few larger ones, so that each costs one write. */

import type { Answer, AnswerPiece } from "./handler.ts";

/** Length at which pieces are passed on, in UTF-16 units. Below it an answer is sent in one go, with its length. */
export const PIECE_LENGTH = 64 * 1024;

/** An answer as it waits on a connection of messages. */
export type Message = string | AsyncIterable<AnswerPiece>;

/** An answer that says something, with what is whole as a string. */
export function toMessage(answer: Exclude<Answer, undefined>): Message {
  if (!(answer instanceof Uint8Array)) return answer;
  return Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength).toString("utf8");
}

/** A long text in parts of {@link PIECE_LENGTH}, none of which ends within a character. */
export function* textParts(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; ) {
    let end = start + PIECE_LENGTH;
    // The first half of a surrogate pair goes with the second.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    yield text.slice(start, end);
    start = end;
  }
}

/** A message in parts of which each is written at once. */
export function messageParts(message: Message): AsyncIterable<AnswerPiece> | Iterable<AnswerPiece> {
  return typeof message === "string" ? textParts(message) : joinPieces(message);
}

/**
 * The same text with its strings joined to at least {@link PIECE_LENGTH} units, except at the end and before bytes, which
 * are passed on as they are; none for an empty text.
 */
export async function* joinPieces(pieces: AsyncIterable<AnswerPiece>): AsyncGenerator<AnswerPiece, void, undefined> {
  let waiting = "";
  for await (const piece of pieces) {
    if (typeof piece !== "string") {
      if (waiting !== "") yield waiting;
      waiting = "";
      yield piece;
      continue;
    }
    waiting += piece;
    if (waiting.length < PIECE_LENGTH) continue;
    yield waiting;
    waiting = "";
  }
  if (waiting !== "") yield waiting;
}
