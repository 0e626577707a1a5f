/** A request over HTTP, as most tests send it: `fetch` takes more than twice the processor's time. */
import { request } from "node:http";

/** Sends JSON. @throws {Error} where nobody answers */
export function post(url: string, body: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", headers }, (reply) => {
      const pieces: Buffer[] = [];
      reply.on("data", (piece: Buffer) => pieces.push(piece));
      reply.on("error", reject);
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(pieces).toString() }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
