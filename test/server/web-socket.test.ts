import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { createAccessRules } from "../../src/server/access.ts";
import type { RequestContext, Session } from "../../src/server/handler.ts";
import { ReceivedBodies } from "../../src/server/http/received-bodies.ts";
import { BODIES_TOGETHER, SERVER_DEFAULTS } from "../../src/server/limits.ts";
import { RequestsInHand } from "../../src/server/sockets/request-queue.ts";
import { WaitingAnswers } from "../../src/server/sockets/waiting-answers.ts";
import { attachWebSockets } from "../../src/server/sockets/web-sockets.ts";
import type { RunningServer } from "../../src/server/start-server.ts";
import { slowIt } from "../support/slow-suite.ts";
import { anEndlessRequest, aServer, deferred } from "./a-server.ts";

const clients: WebSocket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.terminate();
});

/** An open client; what arrives is collected from the start. */
async function aClient(server: RunningServer, path = "/", headers: Record<string, string> = {}): Promise<Client> {
  const socket = new WebSocket(`ws://${server.host}:${server.port}${path}`, { headers });
  clients.push(socket);
  const messages: string[] = [];
  let wake: () => void = () => undefined;
  socket.on("message", (data) => {
    messages.push(String(data));
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  await new Promise<void>((resolve, reject) => socket.on("open", resolve).on("error", reject));
  const received = async (count: number): Promise<readonly string[]> => {
    while (messages.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return messages;
  };
  return { socket, closed, received };
}

interface Client {
  readonly socket: WebSocket;
  readonly closed: Promise<{ code: number; reason: string }>;
  received(count: number): Promise<readonly string[]>;
}

const large = (letter: string) => letter.repeat(1_000_000);

describe("a WebSocket", () => {
  it("carries requests and answers at both address forms", async () => {
    const server = await aServer((text, context) => `${context.responseShape} ${text}`);
    const plain = await aClient(server);
    const path = await aClient(server, "/v4/ethereum/non-archival/mainnet");
    plain.socket.send("zwölf");
    path.socket.send("2");
    expect(await plain.received(1)).toEqual(["standard zwölf"]);
    expect(await path.received(1)).toEqual(["parity 2"]);
  });

  it.each([
    ["/elsewhere", {}, 404],
    ["/", { host: "evil.example" }, 403],
    ["/", { origin: "https://evil.example" }, 403],
  ])("to %s with %j is refused with %i", async (path, headers, status) => {
    await expect(aClient(await aServer(), path, headers)).rejects.toThrow(`Unexpected server response: ${status}`);
  });

  it("whose server closes before the upgrade is done is cut off, and never opened", async () => {
    const http = createServer();
    const handler = { handle: async (text: string) => text, refuse: () => "" };
    const sockets = attachWebSockets(http, {
      ...SERVER_DEFAULTS,
      handler,
      access: createAccessRules({ boundHost: "127.0.0.1", allowedHosts: [], allowedOrigins: [] }),
      maxBufferBytes: 1_000_000,
      waiting: new WaitingAnswers(1_000_000),
      inHand: new RequestsInHand(1_000_000),
      bodies: new ReceivedBodies(1_000_000),
    });
    // Called after the listener of the sockets, which by then waits for the library.
    http.on("upgrade", () => void sockets.close(0));
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void http.close());
    const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}/`);
    clients.push(client);
    const opened = new Promise<void>((resolve, reject) => client.on("open", resolve).on("error", reject));
    await expect(opened).rejects.toThrow("socket hang up");
  });

  it("is closed with a refusal when the messages that all clients are sending are too long together", async () => {
    const maxBodyBytes = 400_000;
    const server = await aServer((text) => `${text.length}`, { maxBodyBytes });
    const senders = await Promise.all(Array.from({ length: BODIES_TOGETHER + 1 }, () => aClient(server)));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    // All but the end of a message.
    for (const { socket } of senders) {
      socket.send("x".repeat(maxBodyBytes - 1_000), { fin: false });
      socket.ping("p".repeat(100));
    }
    const isClosing = ({ socket }: Client): boolean => socket.readyState === WebSocket.CLOSING;
    while (!senders.some(isClosing)) await new Promise(setImmediate);
    const [refused] = senders.filter(isClosing) as [Client];
    // The server reads no more of it, nor its own close frame, and cuts it off after a second.
    vi.advanceTimersByTime(1_000);
    expect(await refused.closed).toEqual({ code: 1013, reason: "Too much is being received." });
    vi.useRealTimers();
    expect(await refused.received(1)).toEqual([`{"refused":${BODIES_TOGETHER * maxBodyBytes}}`]);
    const rest = senders.filter((sender) => sender !== refused);
    for (const { socket } of rest) socket.send("x".repeat(100), { fin: true });
    expect(await Promise.all(rest.map(({ received }) => received(1)))).toEqual(
      rest.map(() => [`${maxBodyBytes - 900}`]),
    );
    const next = await aClient(server);
    next.socket.send("short");
    expect(await next.received(1)).toEqual(["5"]);
  });

  it("may send pings for ever: they are no message that is being received", async () => {
    const maxBodyBytes = 20_000;
    const server = await aServer(undefined, { maxBodyBytes });
    const { socket, received } = await aClient(server);
    for (let bytes = 0; bytes <= BODIES_TOGETHER * maxBodyBytes; bytes += 120) {
      const answered = once(socket, "pong");
      socket.ping("p".repeat(120));
      await answered;
    }
    socket.send("still here");
    expect(await received(1)).toEqual(["still here"]);
  });

  it("answers concurrently: a slow request does not hold up a fast one", async () => {
    const slow = deferred();
    const server = await aServer(async (text) => {
      if (text === "slow") await slow.promise;
      return text;
    });
    const { socket, received } = await aClient(server);
    socket.send("slow");
    socket.send("fast");
    expect(await received(1)).toEqual(["fast"]);
    slow.resolve();
    expect(await received(2)).toEqual(["fast", "slow"]);
  });

  it("says nothing when the handler has nothing to say", async () => {
    const errors: unknown[] = [];
    const handle = (text: string) => (text === "silent" ? undefined : text);
    const options = { onError: (error: unknown) => errors.push(error), maxWebSocketBufferBytes: 100_000 };
    const { socket, received } = await aClient(await aServer(handle, options));
    // Nothing waits to be sent, so that the next request is read.
    for (const text of ["silent", "silent", "loud"]) {
      socket.send(text);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await received(1)).toEqual(["loud"]);
    expect(errors).toEqual([]);
  });

  it("receives an answer in pieces as one message, with other messages behind it", async () => {
    const first = deferred();
    const server = await aServer((text, context) => {
      if (text !== "pieces") return text;
      return (async function* () {
        yield large("a");
        yield large("b");
        context.session?.send("notification");
        first.resolve();
        yield large("c");
      })();
    });
    const { socket, received } = await aClient(server);
    socket.send("pieces");
    await first.promise;
    socket.send("other");
    const [one, two, three] = await received(3);
    expect(one).toBe(large("a") + large("b") + large("c"));
    expect([two, three]).toEqual(["notification", "other"]);
  });

  it("receives an answer of few pieces and an empty one", async () => {
    const server = await aServer(async function* (text) {
      if (text === "few") yield* ["[", "1", "]"];
    });
    const { socket, received } = await aClient(server);
    socket.send("few");
    socket.send("none");
    expect(await received(2)).toEqual(["[1]", ""]);
  });

  it("is closed with 1011 when an answer breaks half way", async () => {
    const failure = new Error("half way");
    const errors: unknown[] = [];
    const handle = async function* () {
      yield large("a");
      yield large("b");
      throw failure;
    };
    const server = await aServer(handle, { onError: (error) => errors.push(error) });
    const { socket, closed } = await aClient(server);
    socket.send("1");
    expect((await closed).code).toBe(1011);
    expect(errors).toEqual([failure]);
  });

  it("is closed with 1011 when the handler throws", async () => {
    const bug = new Error("a bug");
    const errors: unknown[] = [];
    const handle = (): never => {
      throw bug;
    };
    const { socket, closed } = await aClient(await aServer(handle, { onError: (error) => errors.push(error) }));
    socket.send("1");
    expect((await closed).code).toBe(1011);
    expect(errors).toEqual([bug]);
  });

  it("that has gone is why its request fails, of which onError does not hear", async () => {
    const { handle, started, aborted } = anEndlessRequest();
    const errors: unknown[] = [];
    const { socket } = await aClient(await aServer(handle, { onError: (error) => errors.push(error) }));
    socket.send("1");
    await started;
    socket.terminate();
    await aborted;
    await new Promise(setImmediate);
    expect(errors).toEqual([]);
  });

  it("is closed with 1009 when a request is larger than the limit", async () => {
    const { socket, closed } = await aClient(await aServer(undefined, { maxBodyBytes: 1_000 }));
    socket.send("x".repeat(1_001));
    expect((await closed).code).toBe(1009);
  });

  it("is closed with 1003 when it sends bytes instead of text", async () => {
    const { socket, closed } = await aClient(await aServer());
    socket.send(Uint8Array.of(1));
    expect(await closed).toEqual({ code: 1003, reason: "Send text, not binary data." });
  });

  it("is not read beyond the number of concurrent requests", async () => {
    let underWay = 0;
    let most = 0;
    const server = await aServer(
      async (text) => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 5));
        underWay--;
        return text;
      },
      { maxConcurrentRequests: 4 },
    );
    const { socket, received } = await aClient(server);
    for (let index = 0; index < 50; index++) socket.send(String(index));
    expect([...(await received(50))].sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 50 }, (_, index) => String(index)),
    );
    expect(most).toBe(4);
  });
});

describe("a session", () => {
  const sessionOf = async (options = {}) => {
    const context = deferred<RequestContext>();
    const server = await aServer((_text, given) => {
      context.resolve(given);
      return undefined;
    }, options);
    const client = await aClient(server);
    client.socket.send("hello");
    const { session, signal } = await context.promise;
    if (session === undefined) throw new Error("no session");
    return { session, signal, server, ...client };
  };

  it("delivers what is sent at any time, in order", async () => {
    const { session, received } = await sessionOf();
    const texts = Array.from({ length: 100 }, (_, index) => `n${index}`);
    for (const text of texts) session.send(text);
    expect(await received(100)).toEqual(texts);
  });

  it("has an id of its own per connection and keeps it between requests", async () => {
    const server = await aServer((_text, context) => String(context.session?.id));
    const [one, two] = [await aClient(server), await aClient(server)];
    for (const text of ["1", "2"]) {
      one.socket.send(text);
      two.socket.send(text);
    }
    const [ids, others] = [await one.received(2), await two.received(2)];
    expect(ids[0]).toBe(ids[1]);
    expect(others[0]).toBe(others[1]);
    expect(ids[0]).not.toBe(others[0]);
  });

  it("calls its close listeners once and aborts its signal when the client goes away", async () => {
    const { session, signal, socket } = await sessionOf();
    let calls = 0;
    const closed = new Promise<void>((resolve) => session.onClose(resolve));
    session.onClose(() => calls++);
    expect(signal.aborted).toBe(false);
    socket.terminate();
    await closed;
    expect(calls).toBe(1);
    expect(signal.aborted).toBe(true);
    session.send("dropped silently");
    let late = 0;
    session.onClose(() => late++);
    expect(late).toBe(1);
  });

  it("of a slow reader is cut off with code 1013 once too much waits, and holds no more than that", async () => {
    const { session, socket, closed } = await sessionOf({ maxWebSocketBufferBytes: 2_000_000 });
    socket.pause();
    const sent = await floodUntilClosed(session);
    // The system's own socket buffers are not counted.
    expect(sent).toBeLessThan(40_000_000);
    socket.resume();
    expect(await closed).toEqual({ code: 1013, reason: "Too slow: notifications are not read fast enough." });
  });

  it("of a reader that stops reading altogether is cut off after the stall timeout", async () => {
    const context = deferred<Session>();
    const server = await aServer(
      (_text, given) => {
        if (given.session !== undefined) context.resolve(given.session);
        return large("x").repeat(20);
      },
      { stallTimeoutMs: 200 },
    );
    const { socket } = await aClient(server);
    socket.pause();
    socket.send("1");
    const session = await context.promise;
    await new Promise<void>((resolve) => session.onClose(resolve));
  });

  it("is not cut off for being idle", async () => {
    const { session, received } = await sessionOf({ stallTimeoutMs: 50 });
    session.send("1");
    await new Promise((resolve) => setTimeout(resolve, 200));
    session.send("2");
    expect(await received(2)).toEqual(["1", "2"]);
  });

  it("is not cut off for answers that are large", async () => {
    const server = await aServer((text) => large(text), { maxWebSocketBufferBytes: 100_000 });
    const { socket, received } = await aClient(server);
    for (const letter of "abcdefghij") socket.send(letter);
    expect((await received(10)).join("")).toBe([..."abcdefghij"].map(large).join(""));
  });
});

it("a connection that breaks during the handshake does no harm", async () => {
  const server = await aServer();
  for (let count = 0; count < 10; count++) {
    const socket = connect(server.port, server.host);
    socket.write("GET / HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n");
    socket.destroy();
  }
  const { socket, received } = await aClient(server);
  socket.send("alive");
  expect(await received(1)).toEqual(["alive"]);
});

/** Sends until the session closes; returns the number of bytes handed over. */
async function floodUntilClosed(session: Session): Promise<number> {
  let open = true;
  session.onClose(() => {
    open = false;
  });
  const text = "x".repeat(100_000);
  let sent = 0;
  while (open) {
    session.send(text);
    sent += text.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return sent;
}

it("a refused handshake ends its connection, whatever its client does with its side of it", async () => {
  const server = await aServer();
  const socket = connect({ port: server.port, host: server.host, allowHalfOpen: true });
  const broken = new Promise((resolve) => socket.on("error", resolve));
  const goOn = (): void => void (socket.destroyed || socket.write("still here", () => setImmediate(goOn)));
  socket.on("end", goOn);
  socket.on("data", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  expect(await broken).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE|ECONNABORTED/) });
});

slowIt("the slowest reader is cut off once too much waits for all together; others get their answers", async () => {
  const sessions: Session[] = [];
  const gone: number[] = [];
  const server = await aServer(
    (text, { session }) => {
      if (session !== undefined && !sessions.includes(session)) {
        sessions.push(session);
        session.onClose(() => void gone.push(session.id));
      }
      return text === "short" ? "short" : large("x").repeat(Number(text));
    },
    { maxWaitingBytes: 40 * large("x").length },
  );
  const slow = await Promise.all([aClient(server), aClient(server)]);
  for (const { socket } of slow) socket.pause();
  const { socket, received } = await aClient(server);
  slow[0]?.socket.send("20");
  slow[1]?.socket.send("60");
  await expect.poll(() => gone, { interval: 5 }).toHaveLength(1);
  socket.send("short");
  expect(await received(1)).toEqual(["short"]);
  expect(sessions.filter(({ id }) => !gone.includes(id))).toHaveLength(2);
  for (const client of slow) client.socket.terminate();
});
