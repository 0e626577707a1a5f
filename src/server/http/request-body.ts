/** Reads request bodies up to a limit, or drops them. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

/** Receives a body. Neither function is called if the client goes away before its end. */
export interface BodyReader {
  /** Called with the whole body as text; empty if it is not UTF-8, which JSON must be (RFC 8259 §8.1). */
  onText(text: string): void;
  /** Called once when the body is known to be longer than the limit. The rest is not read. */
  onTooLong(): void;
}

/** Reads a body of at most `limitBytes`. */
export function readBody(request: IncomingMessage, limitBytes: number, reader: BodyReader): void {
  // Without a content-length this is NaN, which is not above the limit.
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
  // The response's close handler deals with broken connections.
  request
    .on("data", onData)
    .on("end", onEnd)
    .on("error", () => undefined);
}

/**
 * Reads and drops the rest of a body, because some clients read the answer only after they have sent everything.
 *
 * Ends when the body ends, or after `limitBytes` or `timeoutMs`.
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
