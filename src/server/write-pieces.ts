/** Writes one answer that comes in pieces as an HTTP response: no faster than the client reads. */
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { AnswerPiece } from "./handler.ts";
import { joinPieces } from "./text-pieces.ts";

/**
 * Writes the answer and ends the response, with status 200 and the headers that are set already. What turns out to be
 * short is sent whole, with its length.
 *
 * @param stallTimeoutMs - a client that reads nothing for so long loses its connection
 * @throws whatever the pieces throw, or {@link Error} if the client goes away before the end; it is left to the caller to
 * break the connection
 */
export async function writePieces(
  reply: FastifyReply,
  pieces: AsyncIterable<AnswerPiece>,
  stallTimeoutMs: number,
): Promise<void> {
  const iterator = joinPieces(pieces);
  const response = reply.raw;
  try {
    const first = await iterator.next();
    const second = first.done === true ? first : await iterator.next();
    if (response.destroyed) return void reply.hijack();
    if (second.done === true) return void reply.send(Buffer.from(first.value ?? ""));
    response.setTimeout(stallTimeoutMs, () => response.destroy());
    passHeaders(reply);
    await write(response, first.value ?? "");
    await write(response, second.value);
    for await (const piece of iterator) await write(response, piece);
    reply.hijack();
    if (response.destroyed) return;
    response.setTimeout(0);
    response.end();
  } finally {
    // Reached early when the client is gone: whatever computes the rest has to stop.
    await iterator.return();
  }
}

/** Gives the headers that are set on Fastify's reply to Node's response under it, which is written to directly. */
export function passHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
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
