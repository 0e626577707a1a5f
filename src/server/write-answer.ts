/** Writes one answer as an HTTP response: whole with its length, or in pieces no faster than the client reads. */
import type { ServerResponse } from "node:http";
import type { Answer, AnswerPiece } from "./handler.ts";
import { joinPieces } from "./text-pieces.ts";

const JSON_TYPE = "application/json";

/**
 * Writes the answer and ends the response: 200 with JSON, or 204 when there is nothing to say.
 *
 * @param stallTimeoutMs - a client that reads nothing for so long loses its connection
 */
export async function writeAnswer(response: ServerResponse, answer: Answer, stallTimeoutMs: number): Promise<void> {
  if (response.destroyed) return;
  if (answer === undefined) response.writeHead(204).end();
  else if (typeof answer === "string") writeWhole(response, answer);
  else await writePieces(response, answer, stallTimeoutMs);
}

function writeWhole(response: ServerResponse, text: AnswerPiece): void {
  response.writeHead(200, { "content-type": JSON_TYPE, "content-length": Buffer.byteLength(text) });
  response.end(text);
}

async function writePieces(
  response: ServerResponse,
  pieces: AsyncIterable<AnswerPiece>,
  stallTimeoutMs: number,
): Promise<void> {
  const iterator = joinPieces(pieces);
  try {
    const first = await iterator.next();
    const second = first.done === true ? first : await iterator.next();
    if (response.destroyed) return;
    if (second.done === true) return writeWhole(response, first.done === true ? "" : first.value);
    response.setTimeout(stallTimeoutMs, () => response.destroy());
    response.writeHead(200, { "content-type": JSON_TYPE });
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
