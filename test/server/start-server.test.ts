import { Agent, request } from "node:http";
import { connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { InvalidParamsError } from "../../src/errors/hindcast-error.ts";
import { startServer } from "../../src/server/start-server.ts";
import { aServer, deferred, send } from "./a-server.ts";

/** Some containers have none. */
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === "::1"));

const handler = { handle: async (text: string) => text, refuse: () => "" };

describe("startServer", () => {
  it("says where it listens", async () => {
    const server = await aServer();
    expect(server.port).toBeGreaterThan(0);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  });

  it.skipIf(!hasIpv6)("listens on IPv6 too", async () => {
    const server = await aServer(undefined, { host: "::1" });
    expect(server.url).toBe(`http://[::1]:${server.port}`);
    const reply = await fetch(server.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "1",
    });
    expect(await reply.text()).toBe("1");
  });

  it("throws PORT_IN_USE for a busy port", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const error = await startServer({ handler, port }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidParamsError);
    expect(error).toMatchObject({ code: "PORT_IN_USE" });
    expect(String(error)).toContain(`127.0.0.1:${port}: the port is in use`);
  });

  it("throws CANNOT_LISTEN for an address that is not this machine's", async () => {
    await expect(startServer({ handler, port: 0, host: "192.0.2.1" })).rejects.toMatchObject({ code: "CANNOT_LISTEN" });
  });

  it("tells onRefused of requests that it refuses", async () => {
    const reasons: string[] = [];
    const server = await aServer(undefined, { onRefused: (reason) => reasons.push(reason) });
    expect((await send(server, { headers: { host: "evil.example" } })).status).toBe(403);
    expect(reasons).toEqual(["Host evil.example is not allowed; start with --allow-host to allow it."]);
  });

  it("leaves the program's own Request and Response alone", async () => {
    const before = [globalThis.Request, globalThis.Response];
    await aServer();
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });

  it("serves many servers in one process", async () => {
    const servers = await Promise.all(["a", "b", "c"].map((name) => aServer(() => name)));
    const replies = await Promise.all(servers.map((server) => send(server, { body: "{}" })));
    expect(replies.map((reply) => reply.text)).toEqual(["a", "b", "c"]);
  });
});

// If closing waited for its clients, that would take longer than a test may: 30 s for the close frame of a WebSocket, 72 s
// for an idle connection, and 300 s for the rest of a request.
describe.concurrent("close", () => {
  it("does not wait for idle keep-alive connections, half-sent requests and open WebSockets", async ({
    onTestFinished,
  }) => {
    const server = await aServer(undefined, {}, onTestFinished);
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    await new Promise<void>((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      request({ port: server.port, host: server.host, method: "POST", agent, headers }, (reply) =>
        reply.resume().on("end", resolve),
      )
        .on("error", reject)
        .end("1");
    });
    const half = connect(server.port, server.host).on("error", () => undefined);
    half.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n12");
    const webSocket = new WebSocket(`ws://127.0.0.1:${server.port}`);
    await new Promise((resolve) => webSocket.once("open", resolve));
    const closeCode = new Promise((resolve) => webSocket.once("close", resolve));
    await server.close();
    expect(await closeCode).toBe(1001);
  });

  it("aborts what is under way and still delivers its answer", async ({ onTestFinished }) => {
    const started = deferred();
    const server = await aServer(
      (_text, { signal }) => {
        started.resolve();
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve("aborted")));
      },
      {},
      onTestFinished,
    );
    const reply = send(server, { body: "{}" });
    await started.promise;
    await server.close();
    expect((await reply).text).toBe("aborted");
  });

  it("does not wait for work that ignores its signal", async ({ onTestFinished }) => {
    const started = deferred();
    const server = await aServer(
      () => {
        started.resolve();
        return new Promise<string>(() => undefined);
      },
      {},
      onTestFinished,
    );
    const reply = send(server, { body: "{}" }).catch((error: Error) => error.message);
    await started.promise;
    await server.close();
    expect(await reply).toMatch(/hang up|ECONNRESET/);
  });

  it("does not wait for a WebSocket client that never answers the close frame", async ({ onTestFinished }) => {
    const server = await aServer(undefined, {}, onTestFinished);
    const socket = connect(server.port, server.host).on("error", () => undefined);
    const key = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13";
    socket.write(`GET / HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n${key}\r\n\r\n`);
    await new Promise((resolve) => socket.once("data", resolve));
    await expect(server.close()).resolves.toBeUndefined();
  });

  // Another test must not take the port.
  it.sequential("may be called twice, and frees the port", async () => {
    const server = await aServer();
    await Promise.all([server.close(), server.close()]);
    const again = await aServer(undefined, { port: server.port });
    expect(again.port).toBe(server.port);
  });
});
