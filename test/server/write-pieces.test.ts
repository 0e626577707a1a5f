import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { endWith } from "../../src/server/write-pieces.ts";
import { deferred } from "./a-server.ts";

it("gives up a whole answer that nobody reads after the stall timeout", async () => {
  const closed = deferred<number>();
  const server = createServer((_request, response) => {
    response.on("close", () => closed.resolve(response.socket?.bytesWritten ?? 0));
    endWith(response, {}, Buffer.alloc(50_000_000, "x"), 50);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  expect(await closed.promise).toBeLessThan(50_000_000);
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
