/** Upstreams that send their clients elsewhere, or answer without an end: credentials stay where they belong, memory is bounded. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { openClient } from "../../../src/remote/client/open-client.ts";
import { HttpTransport } from "../../../src/remote/transport/http-transport.ts";

const KEY = "a-key-that-nobody-else-sees";
const HEADERS = { "x-api-key": KEY };
const REQUEST = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] } as const;
const ANSWER = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" });
const signal = new AbortController().signal;

interface Seen {
  readonly path: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly method: string | undefined;
  readonly body: string;
}

/** A server with all that it was sent. */
async function aServer(listener: RequestListener): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      seen.push({ path: request.url, headers: request.headers, method: request.method, body });
      listener(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const answering: RequestListener = (_request, response) => void response.end(ANSWER);
const sendingTo =
  (location: string, status = 307): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { location }).end("moved");

/** The URL with a user and a password. */
const withUser = (url: string): string => url.replace("//", "//some:password@");

describe("a redirection", () => {
  it.each([301, 302, 307, 308])("(%s) to another server is followed without any credentials", async (status) => {
    const other = await aServer(answering);
    const { url, seen } = await aServer(sendingTo(`${other.url}/elsewhere`, status));
    const reply = await new HttpTransport(withUser(url), HEADERS).send([REQUEST], signal);
    expect(reply.answers).toEqual([{ jsonrpc: "2.0", id: 1, result: "0x1" }]);
    expect(seen[0]?.headers).toMatchObject({ ...HEADERS, authorization: expect.stringContaining("Basic ") });
    expect(other.seen).toMatchObject([{ path: "/elsewhere", method: "POST", body: JSON.stringify(REQUEST) }]);
    expect(JSON.stringify(other.seen[0]?.headers)).not.toMatch(/a-key|authorization|some|password/);
  });

  it("back from another server has no credentials either", async () => {
    let back = "";
    const other = await aServer((request, response) => sendingTo(back)(request, response));
    const { url, seen } = await aServer((request, response) =>
      (request.url === "/" ? sendingTo(other.url) : answering)(request, response),
    );
    back = `${url}/again`;
    const reply = await new HttpTransport(url, HEADERS).send([REQUEST], signal);
    expect(reply.answers).toHaveLength(1);
    expect(seen.map(({ path, headers }) => [path, headers["x-api-key"]])).toEqual([
      ["/", KEY],
      ["/again", undefined],
    ]);
  });

  it("to another path of the server has them", async () => {
    const { url, seen } = await aServer((request, response) =>
      (request.url === "/" ? sendingTo("/v2") : answering)(request, response),
    );
    expect((await new HttpTransport(url, HEADERS).send([REQUEST], signal)).answers).toHaveLength(1);
    expect(seen.map(({ headers }) => headers["x-api-key"])).toEqual([KEY, KEY]);
  });

  it.each([
    ["in a circle", "/", 307],
    ["that asks for GET", "/other", 303],
    ["to a file", "file:///etc/passwd", 307],
    ["to credentials of its own", "http://user:password@127.0.0.1:1/", 307],
    ["to nowhere", "http://", 307],
  ])("%s is no answer", async (_what, location, status) => {
    const { url, seen } = await aServer(sendingTo(location, status));
    const reply = await new HttpTransport(url, HEADERS).send([REQUEST], signal);
    expect(reply).toEqual({
      status,
      retryAfterMs: undefined,
      problem: `HTTP ${status}, and no JSON-RPC: "moved"`,
    });
    expect(seen.length).toBe(location === "/" ? 6 : 1);
  });
});

describe("a reply", () => {
  const spaces = (count: number): Buffer => gzipSync(Buffer.from(ANSWER + " ".repeat(count)));
  const packed =
    (body: Buffer): RequestListener =>
    (_request, response) =>
      void response.writeHead(200, { "content-encoding": "gzip" }).end(body);

  it("that is unpacked to more than it may have is refused, however small it is", async () => {
    const bomb = spaces(2 ** 22);
    expect(bomb.length).toBeLessThan(8_192);
    const { url } = await aServer(packed(bomb));
    await expect(new HttpTransport(url, {}, 2 ** 20).send([REQUEST], signal)).rejects.toThrow(
      "the reply has more than 1048576 bytes",
    );
    expect((await new HttpTransport(url, {}, 2 ** 23).send([REQUEST], signal)).answers).toHaveLength(1);
  });

  it("that never ends is given up when its time is over", async () => {
    const { url } = await aServer((_request, response) => {
      const timer = setInterval(() => response.write(" "), 5);
      response.on("close", () => clearInterval(timer));
    });
    const client = openClient({ urls: [url], retries: 1, retryBackoffMs: 5, timeoutMs: 50 });
    onTestFinished(() => client.close());
    await expect(client.request("eth_chainId", [])).rejects.toMatchObject({ code: "REMOTE_UNREACHABLE" });
  });
});

describe("what an upstream repeats of the credentials that it was sent", () => {
  const everything = ({ url, headers }: IncomingMessage): string => JSON.stringify({ url, headers });

  it.each<[string, RequestListener]>([
    ["a page", (request, response) => void response.end(`<html>${everything(request)}</html>`)],
    ["a status", (request, response) => void response.writeHead(403, String(request.headers["x-api-key"])).end()],
    [
      "an error",
      (request, response) =>
        void response.end(JSON.stringify({ id: 1, error: { code: -1, message: everything(request) } })),
    ],
    [
      "an error's data",
      (request, response) =>
        void response.end(JSON.stringify({ id: 1, error: { code: -1, message: "no", data: everything(request) } })),
    ],
    ["a redirection", (request, response) => sendingTo(`/${request.headers["x-api-key"]}`, 303)(request, response)],
    ["a broken reply", (request, response) => void response.write(everything(request), () => response.destroy())],
  ])("in %s is in no error", async (_where, listener) => {
    const { url } = await aServer(listener);
    const client = openClient({
      urls: [`${withUser(url)}/v3/${KEY}?token=${KEY}`],
      headers: HEADERS,
      retries: 1,
      retryBackoffMs: 5,
      timeoutMs: 60_000,
    });
    onTestFinished(() => client.close());
    const error = (await client.request("eth_chainId", []).catch((thrown: unknown) => thrown)) as Error;
    expect(error).toBeInstanceOf(Error);
    const basic = Buffer.from("some:password").toString("base64");
    const shown = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    for (const secret of [KEY, "password", basic]) expect(shown).not.toContain(secret);
  });
});
