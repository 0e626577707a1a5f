import { connect } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { RequestContext } from "../../../src/server/handler.ts";
import { isSlow } from "../../support/seed.ts";
import { aServer, deferred, type Handle, send } from "../a-server.ts";

describe("an answer", () => {
  it("is given to requests that offer another protocol, as Java's client offers HTTP/2", async () => {
    const server = await aServer((text) => `{"got":${text}}`);
    const headers = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAEAAEAA" };
    // Some of it comes with the head, the rest later.
    for (const body of ["1", `"${"x".repeat(1_000_000)}"`]) {
      expect(await send(server, { headers, body })).toMatchObject({ status: 200, text: `{"got":${body}}` });
    }
    expect((await send(server, { headers: { ...headers, host: "evil.example" }, body: "1" })).status).toBe(403);
  });

  it("is the handler's text with status 200", async () => {
    const server = await aServer((text) => `{"got":${text}}`);
    const reply = await send(server, { body: '"zwölf €"' });
    expect(reply).toMatchObject({ status: 200, text: '{"got":"zwölf €"}' });
    expect(reply.headers["content-type"]).toBe("application/json");
    expect(reply.headers["content-length"]).toBe(String(Buffer.byteLength(reply.text)));
  });

  it.each([
    ["text", () => '{"a":1}'],
    ["pieces", () => pieces(["x".repeat(100_000), "y"])],
    ["nothing", () => undefined],
    [
      "a failure",
      () => {
        throw new Error("a bug");
      },
    ],
  ])("of %s is the same whether or not the content type names UTF-8", async (_of, handle) => {
    const server = await aServer(handle);
    const answers = ["application/json", "application/json; charset=utf-8"].map(async (type) => {
      const { date: _date, ...headers } = (await send(server, { headers: { "content-type": type }, body: "{}" }))
        .headers;
      return headers;
    });
    const [plain, named] = await Promise.all(answers);
    expect(plain).toEqual(named);
  });

  it("is empty with status 204 when the handler has nothing to say", async () => {
    const reply = await send(await aServer(() => undefined), { body: "{}" });
    expect(reply).toMatchObject({ status: 204, text: "" });
  });

  it.each([
    ["/", "standard"],
    ["/v4/ethereum/non-archival/mainnet", "parity"],
    ["/v4/x/non-archival/y?key=1", "parity"],
  ])("at %s is asked for in the shape %s", async (path, shape) => {
    const server = await aServer((_text, context) => context.responseShape);
    expect((await send(server, { path, body: "{}" })).text).toBe(shape);
  });

  it("in few pieces is sent whole, with its length", async () => {
    const server = await aServer(() => pieces(["[", "1", "]"]));
    const reply = await send(server, { body: "{}" });
    expect(reply.text).toBe("[1]");
    expect(reply.headers["content-length"]).toBe("3");
  });

  it("in many pieces arrives complete", async () => {
    const all = Array.from({ length: 1_000 }, (_, index) => `${index}é`.repeat(100));
    const reply = await send(await aServer(() => pieces(all)), { body: "{}" });
    expect(reply.headers["transfer-encoding"]).toBe("chunked");
    expect(reply.text).toBe(all.join(""));
  });

  it("that fails half way breaks the connection instead of looking complete", async () => {
    const failure = new Error("half way");
    const errors: unknown[] = [];
    const handle = async function* () {
      for (let count = 0; count < 3; count++) yield "x".repeat(500_000);
      throw failure;
    };
    const server = await aServer(handle, { onError: (error) => errors.push(error) });
    await expect(send(server, { body: "{}" })).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    expect(errors).toEqual([failure]);
  });

  it("of a handler that throws is 500, and the server lives on", async () => {
    const bug = new Error("a bug");
    const errors: unknown[] = [];
    const handle: Handle = (text) => {
      if (text === "throw") throw bug;
      return text;
    };
    const server = await aServer(handle, { onError: (error) => errors.push(error) });
    expect((await send(server, { body: "throw" })).status).toBe(500);
    expect(errors).toEqual([bug]);
    expect((await send(server, { body: "fine" })).text).toBe("fine");
  });

  it("that takes longer to make than the stall timeout arrives complete", async () => {
    const server = await aServer(
      async function* () {
        for (let count = 0; count < 3; count++) {
          yield "x".repeat(500_000);
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
      },
      { stallTimeoutMs: 100 },
    );
    const reply = await send(server, { body: "{}" });
    expect(reply.text).toHaveLength(1_500_000);
  });

  it("that nobody reads is given up after the stall timeout", async () => {
    const ended = deferred();
    const server = await aServer(
      async function* () {
        try {
          for (;;) yield "x".repeat(1_000_000);
        } finally {
          ended.resolve();
        }
      },
      { stallTimeoutMs: 100 },
    );
    const socket = connect(server.port, server.host).on("error", () => undefined);
    socket.pause();
    socket.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}");
    await ended.promise;
    socket.destroy();
  });
});

describe("a body", () => {
  it("larger than the limit is refused with 413 before it has arrived", async () => {
    const server = await aServer(undefined, { maxBodyBytes: 100 });
    const socket = connect(server.port, server.host);
    socket.write(
      "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{",
    );
    const [head] = (await new Promise<Buffer>((resolve) => socket.once("data", resolve))).toString().split("\r\n");
    expect(head).toBe("HTTP/1.1 413 Payload Too Large");
    socket.destroy();
  });

  it("larger than the limit gets the handler's refusal, also when its client writes it all first", async () => {
    const server = await aServer(undefined, { maxBodyBytes: 1_000 });
    const reply = await send(server, { body: "x".repeat(5_000_000) });
    expect(reply).toMatchObject({ status: 413, text: '{"refused":1000}' });
    expect(reply.headers["content-type"]).toBe("application/json");
  });

  if (isSlow) {
    it("larger than the limit is thrown away up to 64 MiB, and the connection is broken behind that", async () => {
      const server = await aServer(undefined, { maxBodyBytes: 1_000 });
      // A busy machine may not send as much within the server's time limit.
      vi.useFakeTimers({ toFake: ["setTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      const all = await send(server, { body: Buffer.alloc(63 * 2 ** 20) });
      expect(all.status).toBe(413);
      const socket = connect(server.port, server.host).on("error", () => undefined);
      const gone = new Promise((resolve) => socket.once("close", resolve));
      socket.resume();
      socket.write(
        "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000000000\r\n\r\n",
      );
      const piece = Buffer.alloc(2 ** 20);
      const writeOn = (): void => void (socket.writable && socket.write(piece, writeOn));
      writeOn();
      await gone;
      // What the system's buffers took is sent as well.
      expect(socket.bytesWritten).toBeGreaterThan(64 * 2 ** 20);
      expect(socket.bytesWritten).toBeLessThan(128 * 2 ** 20);
    });
  }

  it("of unknown length is refused once it passes the limit", async () => {
    const server = await aServer(undefined, { maxBodyBytes: 1_000 });
    const reply = await send(server, { headers: { "transfer-encoding": "chunked" }, body: "x".repeat(5_000) });
    expect(reply.status).toBe(413);
  });

  it("of exactly the limit is served", async () => {
    const server = await aServer(undefined, { maxBodyBytes: 1_000 });
    expect((await send(server, { body: "x".repeat(1_000) })).status).toBe(200);
  });

  it("that ends before its length never reaches the handler", async () => {
    const texts: string[] = [];
    const server = await aServer((text) => {
      texts.push(text);
      return text;
    });
    const socket = connect(server.port, server.host);
    socket.end("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{}");
    await new Promise((resolve) => socket.on("close", resolve).resume());
    expect((await send(server, { body: "[]" })).text).toBe("[]");
    expect(texts).toEqual(["[]"]);
  });

  it("that is no UTF-8 reaches the handler as the empty text", async () => {
    const server = await aServer((text) => JSON.stringify(text));
    expect((await send(server, { body: Uint8Array.of(0x22, 0xff, 0x22) })).text).toBe('""');
  });

  it.each(["application/json", "application/json; charset=utf-8", "Application/JSON"])(
    "of type %s is served",
    async (type) => {
      expect((await send(await aServer(), { headers: { "content-type": type }, body: "1" })).status).toBe(200);
    },
  );

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""])(
    "of type %j is refused with 415",
    async (type) => {
      const reply = await send(await aServer(), {
        headers: { "content-type": type, connection: "keep-alive" },
        body: "1",
      });
      expect(reply).toMatchObject({ status: 415, text: "Send content-type: application/json.\n" });
      // The rest of its body is not read.
      expect(reply.headers.connection).toBe("close");
    },
  );

  it("that is compressed is refused with 415", async () => {
    expect((await send(await aServer(), { headers: { "content-encoding": "gzip" }, body: "1" })).status).toBe(415);
  });
});

describe("routes", () => {
  it("answer 404 elsewhere", async () => {
    const server = await aServer();
    for (const path of ["/rpc", "/v4/a/archival/b", "/v4/a/non-archival/b/c", "/v4//non-archival/b", "/%zz"]) {
      expect((await send(server, { path, body: "{}" })).status).toBe(404);
    }
  });

  it("answer 405 to methods other than POST", async () => {
    const server = await aServer();
    for (const method of ["GET", "PUT", "DELETE"]) {
      const reply = await send(server, { method });
      expect(reply.status).toBe(405);
      expect(reply.headers.allow).toBe("POST, OPTIONS");
    }
  });
});

describe("access", () => {
  it("is refused with 403 to a foreign Host, before the handler sees anything", async () => {
    let asked = 0;
    const server = await aServer(() => String(asked++));
    const reply = await send(server, { headers: { host: "evil.example:8545" }, body: "{}" });
    expect(reply.status).toBe(403);
    expect(reply.text).toContain("evil.example:8545");
    expect(asked).toBe(0);
  });

  it("is refused with 403 to a foreign Origin, preflight included, without CORS headers", async () => {
    const server = await aServer();
    for (const method of ["POST", "OPTIONS"]) {
      const reply = await send(server, { method, headers: { origin: "https://evil.example" } });
      expect(reply.status).toBe(403);
      expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("is given to pages on localhost, with CORS headers on the answer", async () => {
    const reply = await send(await aServer(), { headers: { origin: "http://localhost:3000" }, body: "{}" });
    expect(reply.status).toBe(200);
    expect(reply.headers["access-control-allow-origin"]).toBe("http://localhost:3000");
    expect(reply.headers.vary).toBe("Origin");
  });

  it("is given to what the options list", async () => {
    const server = await aServer(undefined, { allowedHosts: ["chain"], allowedOrigins: ["https://app.example"] });
    const headers = { host: "chain:8545", origin: "https://app.example" };
    expect((await send(server, { headers, body: "{}" })).status).toBe(200);
  });

  it("preflight names the method and echoes the headers asked for", async () => {
    const reply = await send(await aServer(), {
      method: "OPTIONS",
      headers: {
        origin: "http://localhost:3000",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-mine",
        "access-control-request-private-network": "true",
      },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers).toMatchObject({
      "access-control-allow-origin": "http://localhost:3000",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type,x-mine",
      "access-control-allow-private-network": "true",
    });
  });
});

describe("the signal", () => {
  it("fires when the client goes away before the answer", async () => {
    const started = deferred<RequestContext>();
    const server = await aServer((_text, context) => {
      started.resolve(context);
      return new Promise<string>((resolve) => context.signal.addEventListener("abort", () => resolve("too late")));
    });
    const socket = connect(server.port, server.host);
    socket.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}");
    const { signal } = await started.promise;
    expect(signal.aborted).toBe(false);
    socket.destroy();
    await new Promise<void>((resolve) =>
      signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve()),
    );
    expect((await send(server, { path: "/elsewhere" })).status).toBe(404);
  });

  it("stops a stream whose client goes away, and lets it clean up", async () => {
    const cleaned = deferred();
    const server = await aServer(async function* () {
      try {
        for (;;) yield "x".repeat(100_000);
      } finally {
        cleaned.resolve();
      }
    });
    const socket = connect(server.port, server.host).on("error", () => undefined);
    socket.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}");
    await new Promise((resolve) => socket.once("data", resolve));
    socket.destroy();
    await cleaned.promise;
  });

  it("stops a stream that waits behind another answer of its connection", async () => {
    const started = deferred();
    const cleaned = deferred();
    async function* endless() {
      started.resolve();
      try {
        for (;;) yield "x".repeat(100_000);
      } finally {
        cleaned.resolve();
      }
    }
    const server = await aServer((text) => (text === "{}" ? new Promise<string>(() => undefined) : endless()));
    const socket = connect(server.port, server.host).on("error", () => undefined);
    for (const body of ["{}", "[]"]) {
      socket.write(
        `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n${body}`,
      );
    }
    await started.promise;
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await cleaned.promise;
  });

  it("has fired already where it is asked for too late", async () => {
    const started = deferred<RequestContext>();
    const ended = deferred();
    const server = await aServer(async (_text, context) => {
      started.resolve(context);
      await ended.promise;
      return "too late";
    });
    const socket = connect(server.port, server.host);
    socket.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}");
    const context = await started.promise;
    // Closing aborts what is under way, whoever listens.
    const closed = server.close();
    expect(context.signal.aborted).toBe(true);
    expect(context.signal.reason).toEqual(new Error("The server is closing."));
    ended.resolve();
    socket.destroy();
    await closed;
  });

  it("does not fire for an answer that arrived", async () => {
    const signals: RequestContext["signal"][] = [];
    const server = await aServer((text, context) => {
      signals.push(context.signal);
      return text;
    });
    await send(server, { body: "{}" });
    await send(server, { body: "{}" });
    expect(signals.map((signal) => signal.aborted)).toEqual([false, false]);
  });
});

async function* pieces(texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) yield text;
}
