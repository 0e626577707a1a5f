/** Lets the sender of a body that nobody wants finish. */
import type { IncomingMessage } from "node:http";

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
