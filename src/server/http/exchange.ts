/** One exchange from the text of a request to the last byte of its answer, on Node's own response. */
import type { ServerResponse } from "node:http";
import type { ResponseShape } from "../address-forms.ts";
import type { OnError, RequestHandler } from "../handler.ts";
import { Work } from "../work.ts";
import { type AnswerHeaders, endWith, writePieces } from "./write-pieces.ts";

export interface ExchangeOptions {
  readonly handler: RequestHandler;
  /** A client that reads nothing of its answer for so long loses its connection. */
  readonly stallTimeoutMs: number;
  /** Work under way: the server aborts it when it closes. */
  readonly pending: Set<Work>;
  readonly onError: OnError;
}

/** What was asked, and where the answer goes. */
export interface Exchange {
  readonly text: string;
  readonly responseShape: ResponseShape;
  readonly response: ServerResponse;
  /** Of the answer, beside those of its content. */
  readonly headers: AnswerHeaders;
}

export const TEXT_TYPE = "text/plain; charset=UTF-8";

/** Asks the handler and sends what it says. Never rejects: what goes wrong is answered, or breaks the connection. */
export async function answerText(options: ExchangeOptions, exchange: Exchange): Promise<void> {
  const { handler, pending, stallTimeoutMs } = options;
  const { response, headers } = exchange;
  const work = new Work(exchange.responseShape);
  response.on("close", () => {
    if (!response.writableFinished) work.abort(new Error("The client went away."));
  });
  // A write that meets a closed connection is reported here too; the close handler has dealt with it.
  response.on("error", () => undefined);
  pending.add(work);
  try {
    const answer = await handler.handle(exchange.text, work);
    if (answer === undefined) response.writeHead(204, headers).end();
    else if (typeof answer === "string" || answer instanceof Uint8Array)
      endWith(response, headers, answer, stallTimeoutMs);
    else await writePieces(response, headers, { pieces: answer, stallTimeoutMs });
  } catch (error) {
    // What was given up on purpose has not failed.
    const isGivenUp = work.aborted || response.destroyed;
    answerFailure(exchange, error);
    if (!isGivenUp) options.onError(error);
  } finally {
    pending.delete(work);
  }
}

/** After the head is out, or with the client gone, breaking the connection is the only way to say that something failed. */
function answerFailure({ response, headers }: Exchange, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const text = `Internal error: ${error instanceof Error ? error.message : String(error)}\n`;
  response.writeHead(500, { ...headers, "content-type": TEXT_TYPE, "content-length": Buffer.byteLength(text) });
  response.end(text);
}
