/** Writes an answer as an HTTP response: available text at once, text in pieces no faster than the client reads. */
import type { OutgoingHttpHeader, ServerResponse } from "node:http";
import type { AbortState } from "../../primitives/abort-state.ts";
import { joinPieces } from "../text-pieces.ts";

/** Content type of answers. */
export const JSON_TYPE = "application/json";

/** Headers of an answer other than those of its content. */
export type AnswerHeaders = Readonly<Record<string, OutgoingHttpHeader | undefined>>;

/** About as much as a connection buffers; only for longer answers is the client's reading supervised. */
const UNREAD_LENGTH = 64 * 1024;

/**
 * Sends a whole answer with status 200. It is sent in one write with the headers.
 *
 * @param stallTimeoutMs - a client that reads nothing for this long is disconnected
 */
export function endWith(
  response: ServerResponse,
  headers: AnswerHeaders,
  answer: string,
  stallTimeoutMs: number,
): void {
  const length = Buffer.byteLength(answer);
  // Applies until the response is finished; then the connection's idle timeout applies.
  if (length > UNREAD_LENGTH) response.setTimeout(stallTimeoutMs, () => response.destroy());
  response.writeHead(200, { "content-type": JSON_TYPE, "content-length": length, ...headers });
  response.end(answer, encodingOf(answer, length));
}

/**
 * The encoding in which to write. ASCII has the same bytes in Latin-1, for which Node makes room for one byte a character;
 * for UTF-8 it makes room for three.
 *
 * @param byteLength - of the answer in UTF-8
 */
function encodingOf(answer: string, byteLength: number): "latin1" | "utf8" {
  return answer.length === byteLength ? "latin1" : "utf8";
}

/** An answer that is made while it is written. */
export interface LongAnswer {
  readonly pieces: AsyncIterable<string>;
  /** Milliseconds after which a client that reads nothing is disconnected. */
  readonly stallTimeoutMs: number;
  /** Aborts when the client goes away. */
  readonly signal: AbortState;
}

/**
 * Writes the answer with status 200 and ends the response. A short answer is sent whole, with its length.
 *
 * @throws errors of the pieces, or {@link Error} if the client goes away; the caller must close the connection
 */
export async function writePieces(
  response: ServerResponse,
  headers: AnswerHeaders,
  { pieces, stallTimeoutMs, signal }: LongAnswer,
): Promise<void> {
  const iterator = joinPieces(pieces);
  const writePiece = (piece: string): Promise<void> => write(response, piece, { stallTimeoutMs, signal });
  try {
    const first = await iterator.next();
    const second = first.done === true ? first : await iterator.next();
    if (response.destroyed || signal.aborted) return;
    if (second.done === true) return endWith(response, headers, first.value ?? "", stallTimeoutMs);
    response.on("timeout", () => response.destroy());
    response.writeHead(200, { "content-type": JSON_TYPE, ...headers });
    await writePiece(first.value ?? "");
    await writePiece(second.value);
    for await (const piece of iterator) await writePiece(piece);
    if (!response.destroyed) response.end();
  } finally {
    // Stops the computation of the rest if the client is gone.
    await iterator.return();
  }
}

/** Writes a piece; resolves when there is room for the next one. */
async function write(
  response: ServerResponse,
  piece: string,
  { stallTimeoutMs, signal }: Pick<LongAnswer, "stallTimeoutMs" | "signal">,
): Promise<void> {
  if (response.destroyed || signal.aborted) throw new Error("The client went away before its answer was complete.");
  if (response.write(piece, encodingOf(piece, Buffer.byteLength(piece)))) return;
  // Only until the client has read: making the next piece may take long, where executions wait for others.
  response.setTimeout(stallTimeoutMs);
  await new Promise<void>((resolve) => {
    // A response whose turn has not come gets no "close".
    const settle = (): void => {
      response.off("drain", settle).off("close", settle);
      signal.removeEventListener("abort", settle);
      resolve();
    };
    response.on("drain", settle).on("close", settle);
    signal.addEventListener("abort", settle);
  });
  response.setTimeout(0);
}
