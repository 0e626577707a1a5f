import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { AbortSwitch } from "../../../src/primitives/abort-state.ts";
import { endWith, writePieces } from "../../../src/server/http/write-pieces.ts";
import { slowIt } from "../../support/slow-suite.ts";
import { deferred } from "../a-server.ts";

it("gives up a whole answer that nobody reads after the stall timeout", async () => {
  const closed = deferred<void>();
  const server = createServer((_request, response) => {
    response.on("close", closed.resolve);
    endWith(response, {}, "x".repeat(50_000_000), 50);
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

/** A response whose client takes a piece only when it is told to. */
class HeldResponse extends Writable {
  readonly #unread: (() => void)[] = [];

  setTimeout(): this {
    return this;
  }

  writeHead(): this {
    return this;
  }

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    this.#unread.push(done);
  }

  takeOne(): boolean {
    const done = this.#unread.shift();
    done?.();
    return done !== undefined;
  }
}

slowIt("asks for pieces no faster than the client takes them", async () => {
  const COUNT = 50;
  let produced = 0;
  async function* pieces() {
    for (; produced < COUNT; produced++) yield "x".repeat(100_000);
  }
  const response = new HeldResponse();
  const answer = { pieces: pieces(), stallTimeoutMs: 1_000, signal: new AbortSwitch() };
  const written = writePieces(response as unknown as ServerResponse, {}, answer);
  for (let taken = 0; produced < COUNT; taken += response.takeOne() ? 1 : 0) {
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    // Two before it is known to be long, one that is written, one that waits for it.
    expect(produced - taken).toBeLessThan(5);
  }
  while (!response.writableFinished) {
    response.takeOne();
    await new Promise(setImmediate);
  }
  await written;
});
