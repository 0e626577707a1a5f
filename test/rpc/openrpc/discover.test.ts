/** What a node says of itself to people and to monitors: the page at `/methods`, `/health`, rpc_modules. */
import { expect, it } from "vitest";
import type { OpenRpcDocument } from "../../../src/rpc/openrpc/document-shape.ts";
import { methods } from "../../../src/rpc/registry.ts";
import { send } from "../../server/a-server.ts";
import { aServedNode, type ServedNode } from "../../support/a-node.ts";

const at = (served: ServedNode, path: string, method = "GET", headers: Record<string, string> = {}) =>
  fetch(new URL(path, served.plain.url), { method, headers });

/** The text of HTML without its tags. */
const wordsOf = (html: string): string => html.replace(/<[^>]+>/g, "").replaceAll("&quot;", '"');

it("GET /methods shows every method with its params, its other names, and where the whole document is", async () => {
  const served = await aServedNode();
  await served.node.mine({ blocks: 2 });
  const reply = await at(served, "/methods");
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const html = await reply.text();
  const words = wordsOf(html);
  expect(words).toContain("Chain 31337, head block 2.");
  expect(html).toContain("<code>rpc.discover</code>");
  for (const { name } of methods) expect(words).toContain(name);
  expect(words).toContain("eth_getBlockByNumber (block, fullTransactions)");
  expect(words).toContain("eth_call (call, block?, stateOverrides?, blockOverrides?)");
});

it("the page runs nothing and loads nothing, as its headers make sure", async () => {
  const reply = await at(await aServedNode(), "/methods");
  expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
  const html = await reply.text();
  expect(html).not.toMatch(/<script|<img|<link|src=|on[a-z]+=/i);
});

it("/health answers with the chain and its head", async () => {
  const served = await aServedNode();
  const block = async () => (await served.plain.ask<{ hash: string }>("eth_getBlockByNumber", "latest", false)).hash;
  for (const number of ["0x0", "0x1"]) {
    const reply = await at(served, "/health");
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("application/json");
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(await reply.json()).toEqual({
      status: "ok",
      clientVersion: await served.plain.ask("web3_clientVersion"),
      chainId: "0x7a69",
      head: { number, hash: await block() },
    });
    await served.node.mine();
  }
});

it.each(["/", "/methods", "/health"])("HEAD %s says what GET says, without the body", async (path) => {
  const served = await aServedNode();
  const [head, get] = [await at(served, path, "HEAD"), await at(served, path)];
  expect(head.status).toBe(200);
  expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  expect(await head.text()).toBe("");
});

it.each([
  ["POST", "/health", 405, "GET, HEAD"],
  ["DELETE", "/health", 405, "GET, HEAD"],
  ["DELETE", "/", 405, "GET, HEAD, POST, OPTIONS"],
  ["GET", "/v4/ethereum/non-archival/mainnet", 405, "POST, OPTIONS"],
  ["GET", "/healthy", 404, null],
  ["GET", "/assets/", 404, null],
  ["GET", "/assets/../package.json", 404, null],
  ["POST", "/elsewhere", 404, null],
])("%s %s is refused with %i", async (method, path, status, allow) => {
  const reply = await at(await aServedNode(), path, method, { "content-type": "application/json" });
  expect(reply.status).toBe(status);
  expect(reply.headers.get("allow")).toBe(allow);
});

it.each(["/", "/methods", "/health"])(
  "GET %s is refused to a Host that is not allowed, and to web pages of other origins",
  async (path) => {
    const served = await aServedNode();
    const { hostname: host, port } = new URL(served.plain.url);
    const server = { host, port: Number(port) };
    for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }]) {
      expect((await send(server, { method: "GET", path, headers })).status).toBe(403);
    }
    expect((await send(server, { method: "GET", path, headers: { host: "localhost" } })).status).toBe(200);
  },
);

it("rpc_modules names the namespaces of all methods, as geth does", async () => {
  const { plain } = await aServedNode();
  const { methods: described } = await plain.ask<OpenRpcDocument>("rpc.discover");
  const namespaces = [...new Set(described.map(({ name }) => name.split(/[_.]/)[0]))].sort();
  expect(namespaces).toEqual(expect.arrayContaining(["debug", "eth", "net", "trace", "txpool", "web3"]));
  expect(await plain.ask("rpc_modules")).toEqual(Object.fromEntries(namespaces.map((name) => [name, "1.0"])));
});
