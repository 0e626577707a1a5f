/** The other ways to an upstream: WebSocket and socket file, over real servers of a real node. */
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { openClient } from "../../../src/remote/client/open-client.ts";
import { openRemoteChain } from "../../../src/remote/open-remote-chain.ts";
import { redactText, redactUrl, secretsOf } from "../../../src/remote/transport/redact.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, aNode, serve } from "../../support/a-node.ts";
import { bytes } from "../a-remote-chain.ts";

const QUICK = { retryBackoffMs: 5, timeoutMs: 60_000, lagMs: 50 };

describe.each(["WebSocket", "socket file"])("over a %s", (kind) => {
  it("the state is that of the node, by one connection", async () => {
    const node = await aNode();
    const path = join(await aFolder(), "node.ipc");
    if (kind === "socket file") await node.listenIpc({ path });
    const { plain } = await serve(node);
    const url = kind === "WebSocket" ? plain.url.replace("http", "ws") : path;
    const chain = await openRemoteChain({ urls: [url], cache: false, ...QUICK });
    onTestFinished(() => chain.close());
    const balance = BigInt(await plain.ask<string>("eth_getBalance", ALICE, "latest"));
    const accounts = await Promise.all(
      [ALICE, `0x${"12".repeat(20)}`].map((address) => chain.state.getAccount(bytes(address))),
    );
    expect(accounts.map((account) => account?.balance)).toEqual([balance, undefined]);
    expect(chain.upstream.label).toBe(url.replace(/\/$/, ""));
    expect(chain.upstream.stats.roundTrips).toBeLessThanOrEqual(3);
  });
});

it("a WebSocket that is closed with calls under way is opened again", async () => {
  const server = new WebSocketServer({ port: 0 });
  onTestFinished(() => void server.close());
  let connections = 0;
  server.on("connection", (socket) => {
    connections++;
    const isFirst = connections === 1;
    socket.on("message", (data) => {
      if (isFirst) return socket.terminate();
      const { id } = JSON.parse(String(data)) as { id: number };
      socket.send(JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params: {} }));
      socket.send("no JSON");
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: 12345678, result: "another's" }));
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: "mine" }));
    });
  });
  const { port } = server.address() as { port: number };
  const client = openClient({ urls: [`ws://127.0.0.1:${port}`], ...QUICK });
  onTestFinished(() => client.close());
  expect(await client.request("echo", [])).toBe("mine");
  expect(connections).toBe(2);
});

it("a socket file that hangs, or is not there, is unreachable", async () => {
  const path = join(await aFolder(), "silent.ipc");
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  for (const file of [path, `${path}.none.ipc`]) {
    const client = openClient({ urls: [file], ...QUICK, retries: 1, timeoutMs: 50 });
    onTestFinished(() => client.close());
    await expect(client.request("echo", [])).rejects.toMatchObject({ code: "REMOTE_UNREACHABLE" });
  }
});

describe("what is shown of an upstream", () => {
  it.each([
    ["https://user:password@host.example:8443/v3/key?apikey=other#part", "https://host.example:8443"],
    ["wss://host.example/ws/key", "wss://host.example"],
    ["http://127.0.0.1:8545", "http://127.0.0.1:8545"],
    ["/tmp/geth.ipc", "/tmp/geth.ipc"],
    ["not a URL with a-secret", "(not a URL)"],
  ])("of %s is %s", (url, shown) => {
    expect(redactUrl(url)).toBe(shown);
  });

  it("is no part of a key, wherever a text repeats it", () => {
    const url = "https://host.example/v3/0123456789abcdef?token=zyxwvutsrq";
    const secrets = secretsOf(url, { authorization: "Bearer qwertzuiop", "x-key": "yxcvbnm123" });
    const text = `cannot GET /v3/0123456789abcdef?token=zyxwvutsrq of ${url}: Bearer qwertzuiop, qwertzuiop, yxcvbnm123`;
    expect(redactText(text, secrets)).not.toMatch(/0123|zyx|qwertz|yxcv/);
  });

  it.each([
    ["p%40ss", "p@ss"],
    ["100%", "100%"],
  ])("is no password, decoded or sent: %s", (written, meant) => {
    const basic = Buffer.from(`some:${meant}`).toString("base64");
    const text = `no access with ${written}, ${meant} or ${basic}`;
    expect(redactText(text, secretsOf(`http://some:${written}@host/`, {}))).toBe("no access with …, … or …");
  });
});

it.each([undefined, 5])(
  "a provider's error without a text is a refusal with its code (message: %s)",
  async (message) => {
    const client = openClient({ provider: { request: () => Promise.reject({ code: 4200, message }) }, ...QUICK });
    onTestFinished(() => client.close());
    const refusal = expect.objectContaining({ code: "REMOTE_REFUSED", message: expect.stringContaining("4200") });
    await expect(client.request("eth_chainId", [])).rejects.toEqual(refusal);
  },
);
