/** Writes one answer as an HTTP response: what is there in one go, what comes in pieces no faster than the client reads. */
import type { OutgoingHttpHeader, ServerResponse } from "node:http";
import type { AnswerPiece } from "../handler.ts";
import { joinPieces } from "../text-pieces.ts";

export const JSON_TYPE = "application/json";

/** Headers of an answer beside those of its content. */
export type AnswerHeaders = Readonly<Record<string, OutgoingHttpHeader | undefined>>;

/** What a connection takes at once, or nearly: only for more than that is a reader waited for. */
const UNREAD_LENGTH = 64 * 1024;

/**
 * Sends a whole answer with status 200. A text leaves with its head in one write, which bytes do not.
 *
 * @param stallTimeoutMs - a client that reads nothing for so long loses its connection
 */
export function endWith(
  response: ServerResponse,
  headers: AnswerHeaders,
  answer: AnswerPiece,
  stallTimeoutMs: number,
): void {
  const length = typeof answer === "string" ? Buffer.byteLength(answer) : answer.length;
  // Until the response is finished; then the connection's own timeout between two requests begins.
  if (length > UNREAD_LENGTH) response.setTimeout(stallTimeoutMs, () => response.destroy());
  response.writeHead(200, { "content-type": JSON_TYPE, "content-length": length, ...headers });
  response.end(answer);
}

export interface LongAnswer {
  readonly pieces: AsyncIterable<AnswerPiece>;
  /** A client that reads nothing for so long loses its connection. */
  readonly stallTimeoutMs: number;
}

/**
 * Writes the answer with status 200 and ends the response. What turns out to be short is sent whole, with its length.
 *
 * @throws whatever the pieces throw, or {@link Error} if the client goes away before the end; it is left to the caller to
 * break the connection
 */
export async function writePieces(
  response: ServerResponse,
  headers: AnswerHeaders,
  { pieces, stallTimeoutMs }: LongAnswer,
): Promise<void> {
  const iterator = joinPieces(pieces);
  try {
    const first = await iterator.next();
    const second = first.done === true ? first : await iterator.next();
    if (response.destroyed) return;
    if (second.done === true) return endWith(response, headers, first.value ?? "", stallTimeoutMs);
    response.setTimeout(stallTimeoutMs, () => response.destroy());
    response.writeHead(200, { "content-type": JSON_TYPE, ...headers });
    await write(response, first.value ?? "");
    await write(response, second.value);
    for await (const piece of iterator) await write(response, piece);
    if (response.destroyed) return;
    response.setTimeout(0);
    response.end();
  } finally {
    // Reached early when the client is gone: whatever computes the rest has to stop.
    await iterator.return();
  }
}

/** Hands a piece to the connection; settles once there is room for the next. */
async function write(response: ServerResponse, piece: AnswerPiece): Promise<void> {
  if (response.destroyed) throw new Error("The client went away before its answer was complete.");
  if (response.write(piece)) return;
  await new Promise<void>((resolve) => {
    // "close" comes instead of "drain" when the client goes away.
    const settle = (): void => {
      response.off("drain", settle).off("close", settle);
      resolve();
    };
    response.on("drain", settle).on("close", settle);
  });
}
