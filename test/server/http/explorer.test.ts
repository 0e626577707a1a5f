/** The explorer as HTTP shows it: which files there are, who may have them, and what a browser is told of them. */
import { expect, it } from "vitest";
import { aServedNode, type ServedNode } from "../../support/a-node.ts";
import { send } from "../a-server.ts";

const POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const get = (served: ServedNode, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(new URL(path, served.plain.url), { headers });

/** Addresses of the files that the page names. */
async function assetsOf(served: ServedNode): Promise<readonly string[]> {
  const html = await (await get(served, "/")).text();
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string);
}

it("GET / shows a page that names only files of the node's own, none of them inline", async () => {
  const served = await aServedNode();
  const reply = await get(served, "/", { accept: "text/html,application/xhtml+xml" });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(reply.headers.get("cache-control")).toBe("no-store");
  const html = await reply.text();
  expect(html).not.toMatch(/<script[^>]*>[^<]|<style|style=|\son[a-z]+=|https?:/i);
  const assets = await assetsOf(served);
  expect(assets.length).toBeGreaterThanOrEqual(3);
  for (const path of assets) {
    expect(path).toMatch(/^\/assets\/[\w-]+\.(?:js|css|svg)$/);
    const asset = await get(served, path);
    expect(asset.status).toBe(200);
    expect(asset.headers.get("x-content-type-options")).toBe("nosniff");
    expect(asset.headers.get("content-type")).toMatch(/^(?:text\/(?:javascript|css)|image\/svg\+xml)/);
  }
});

it("every file has the policy that keeps other sites and inline code out", async () => {
  const served = await aServedNode();
  for (const path of ["/", ...(await assetsOf(served))]) {
    expect((await get(served, path)).headers.get("content-security-policy")).toBe(POLICY);
  }
});

it("a file whose name holds its hash may be kept for good", async () => {
  const served = await aServedNode();
  const script = (await assetsOf(served)).find((path) => path.endsWith(".js")) as string;
  expect((await get(served, script)).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
});

it("POST / stays JSON-RPC, and a program that wants JSON by GET is told so", async () => {
  const served = await aServedNode();
  expect(await served.plain.ask("eth_blockNumber")).toBe("0x0");
  const reply = await get(served, "/", { accept: "application/json" });
  expect(reply.status).toBe(405);
  expect(await reply.text()).toBe("Send JSON-RPC by POST.\n");
});

it("a Host that is not let in gets no file, nor does a page on another site", async () => {
  const served = await aServedNode();
  const { hostname: host, port } = new URL(served.plain.url);
  for (const path of ["/", ...(await assetsOf(served))]) {
    for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }]) {
      expect((await send({ host, port: Number(port) }, { method: "GET", path, headers })).status).toBe(403);
    }
  }
});

it("a server without the explorer shows the methods instead, and has no assets", async () => {
  const on = await aServedNode();
  const [asset] = await assetsOf(on);
  const off = await aServedNode({}, { explorer: false });
  expect(await (await get(off, "/")).text()).toContain("eth_blockNumber");
  expect((await get(off, asset as string)).status).toBe(404);
});
