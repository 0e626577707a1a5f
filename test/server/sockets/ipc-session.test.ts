/** How a connection holds back a peer that sends more than is answered. */
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { IpcSession } from "../../../src/server/sockets/ipc-session.ts";
import { RequestsInHand } from "../../../src/server/sockets/request-queue.ts";
import { WaitingAnswers } from "../../../src/server/sockets/waiting-answers.ts";

/** The server's end of a connection whose peer reads only when told to. */
class HeldSocket extends Duplex {
  readonly #unread: (() => void)[] = [];

  constructor() {
    super({ writableHighWaterMark: 1_000 });
  }

  override _read(): void {}

  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    this.#unread.push(done);
  }

  /** The peer reads what waits for it, and all that comes of it. */
  async readAll(): Promise<void> {
    while (this.#unread.length > 0) {
      this.#unread.shift()?.();
      await new Promise(setImmediate);
    }
  }
}

function aSession(maxConcurrentRequests: number, maxBufferBytes = 1_000_000) {
  const answers: ((text: string) => void)[] = [];
  const socket = new HeldSocket();
  const session = new IpcSession(socket as unknown as Socket, {
    id: 1,
    handler: { handle: () => new Promise((resolve) => answers.push(resolve)), refuse: () => "refused" },
    maxRequestBytes: 1_000,
    maxBufferBytes,
    maxConcurrentRequests,
    stallTimeoutMs: 1_000_000,
    waiting: new WaitingAnswers(1_000_000_000),
    inHand: new RequestsInHand(1_000_000_000),
    onError: () => undefined,
  });
  return { socket, session, answers };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a peer of a socket file", () => {
  it("is not read while as many requests are under way as are allowed, and is read again once one is answered", async () => {
    const { socket, answers } = aSession(2);
    socket.push("[1]");
    await turn();
    expect([answers.length, socket.isPaused()]).toEqual([1, false]);
    socket.push("[2][3]");
    await turn();
    expect([answers.length, socket.isPaused()]).toEqual([2, true]);
    answers[0]?.("1");
    await turn();
    await socket.readAll();
    // The third took its place.
    expect([answers.length, socket.isPaused()]).toEqual([3, true]);
    answers[1]?.("2");
    await turn();
    await socket.readAll();
    expect(socket.isPaused()).toBe(false);
    socket.destroy();
  });

  it("is not read while more of its answers wait than are allowed, and is read again once it has read them", async () => {
    const { socket, answers } = aSession(10, 5_000);
    socket.push("[1]");
    await turn();
    answers[0]?.("x".repeat(6_000));
    await turn();
    expect(socket.isPaused()).toBe(true);
    await socket.readAll();
    expect(socket.isPaused()).toBe(false);
    socket.destroy();
  });
});
