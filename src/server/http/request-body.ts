/** Bodies of requests: read up to a limit, or thrown away. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

/** Takes a body. Neither function is called where the sender goes away before its end. */
export interface BodyReader {
  /** Takes the whole body as text: empty where it is not UTF-8, as which no JSON is (RFC 8259 §8.1). */
  onText(text: string): void;
  /** Called once as soon as the body is known to be longer than the limit. The rest of it is not read. */
  onTooLong(): void;
}

/** Reads a body of at most `limitBytes`. */
export function readBody(request: IncomingMessage, limitBytes: number, reader: BodyReader): void {
  // NaN, and so not above the limit, where the length is not told.
  if (Number(request.headers["content-length"]) > limitBytes) return void reader.onTooLong();
  const chunks: Buffer[] = [];
  let length = 0;
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    chunks.push(chunk);
    if (length <= limitBytes) return;
    request.off("data", onData).off("end", onEnd);
    reader.onTooLong();
  };
  const onEnd = (): void => {
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    reader.onText(isUtf8(body) ? body.toString("utf8") : "");
  };
  // A broken connection is reported here; the response's close handler has dealt with it.
  request
    .on("data", onData)
    .on("end", onEnd)
    .on("error", () => undefined);
}

/**
 * Throws away what is left of a body, so that a client which writes before it reads gets to read the answer.
 *
 * Ends when the body ends, or gives up after `limitBytes` or `timeoutMs`.
 */
export function discardBody(request: IncomingMessage, limitBytes: number, timeoutMs: number): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let length = 0;
    const timer = setTimeout(finish, timeoutMs);
    function finish(): void {
      clearTimeout(timer);
      request.off("data", onData).off("end", finish).off("close", finish).off("error", finish);
      resolve();
    }
    function onData(chunk: Buffer): void {
      length += chunk.length;
      if (length > limitBytes) finish();
    }
    request.on("data", onData).on("end", finish).on("close", finish).on("error", finish);
  });
}
