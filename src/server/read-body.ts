/** Reads a request body up to a limit, and never holds more than that. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

/** The body's text, or that it is longer than the limit. */
export type BodyText = { readonly text: string } | "tooLarge";

/**
 * Reads the whole body as UTF-8 text.
 *
 * Bytes that are no UTF-8 give the empty text: JSON is UTF-8 (RFC 8259 §8.1), so the handler refuses both alike.
 *
 * @param limitBytes - largest body accepted; a longer one is given up as soon as that is known
 * @throws {Error} if the client goes away first
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<BodyText> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limitBytes) return Promise.resolve("tooLarge");
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limitBytes) {
        stop();
        resolve("tooLarge");
      } else chunks.push(chunk);
    };
    const onEnd = (): void => {
      stop();
      resolve({ text: decode(chunks) });
    };
    const onGone = (): void => {
      stop();
      reject(new Error("The client went away before its request was complete."));
    };
    const stop = (): void => {
      request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
    };
    request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
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

function decode(chunks: readonly Buffer[]): string {
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  return isUtf8(bytes) ? bytes.toString("utf8") : "";
}
