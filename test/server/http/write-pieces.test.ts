import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { endWith } from "../../../src/server/http/write-pieces.ts";
import { deferred } from "../a-server.ts";

it("gives up a whole answer that nobody reads after the stall timeout", async () => {
  const closed = deferred<void>();
  const server = createServer((_request, response) => {
    response.on("close", closed.resolve);
    endWith(response, {}, Buffer.alloc(50_000_000, "x"), 50);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await closed.promise;
  let received = 0;
  socket.on("data", (chunk) => {
    received += chunk.length;
  });
  const ended = new Promise((resolve) => socket.on("close", resolve));
  socket.resume();
  await ended;
  // The bytes buffered for the client, and no more.
  expect(received).toBeLessThan(50_000_000);
  await new Promise((resolve) => server.close(resolve));
});
