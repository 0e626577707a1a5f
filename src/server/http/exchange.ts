/** Handles one request from its text to the last byte of the answer. */
import type { ServerResponse } from "node:http";
import type { ResponseShape } from "../address-forms.ts";
import type { OnError, RequestHandler } from "../handler.ts";
import { Work } from "../work.ts";
import { abortWithConnection } from "./requests-of-connection.ts";
import { type AnswerHeaders, endWith, writePieces } from "./write-pieces.ts";

/** The handler of requests, and the time after which a slow client is given up. */
export interface ExchangeOptions {
  readonly handler: RequestHandler;
  /** Milliseconds after which a client that reads nothing of its answer is disconnected. */
  readonly stallTimeoutMs: number;
  /** Running requests, which are aborted when the server closes. */
  readonly pending: Set<Work>;
  readonly onError: OnError;
}

/** The text of a request and the response for it. */
export interface Exchange {
  readonly text: string;
  readonly responseShape: ResponseShape;
  readonly response: ServerResponse;
  /** Headers of the answer other than those of its content. */
  readonly headers: AnswerHeaders;
}

/** Content type of refusals, which are plain text. */
export const TEXT_TYPE = "text/plain; charset=UTF-8";

/** Passes the text to the handler and sends the answer. Never rejects: errors are answered, or close the connection. */
export async function answerText(options: ExchangeOptions, exchange: Exchange): Promise<void> {
  const { handler, pending, stallTimeoutMs } = options;
  const { response, headers } = exchange;
  const work = new Work(exchange.responseShape);
  const isDone = abortWithConnection(work, response.req.socket);
  // Writing to a closed connection also emits an error here; the close handler deals with it.
  response.on("error", () => undefined);
  pending.add(work);
  try {
    const answer = await handler.handle(exchange.text, work);
    if (answer === undefined) response.writeHead(204, headers).end();
    else if (typeof answer === "string") endWith(response, headers, answer, stallTimeoutMs);
    else await writePieces(response, headers, { pieces: answer, stallTimeoutMs, signal: work });
  } catch (error) {
    // An aborted request is not a failure.
    const isGivenUp = work.aborted || response.destroyed;
    answerFailure(exchange, error);
    if (!isGivenUp) options.onError(error);
  } finally {
    pending.delete(work);
    isDone();
  }
}

/** Closes the connection if the head was sent or the client is gone, because an error can no longer be answered. */
function answerFailure({ response, headers }: Exchange, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const text = `Internal error: ${error instanceof Error ? error.message : String(error)}\n`;
  response.writeHead(500, { ...headers, "content-type": TEXT_TYPE, "content-length": Buffer.byteLength(text) });
  response.end(text);
}
