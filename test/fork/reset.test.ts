/** Going over to another fork, and back to a chain without one. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { NOW, quantity } from "../support/a-node.ts";

interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

let upstream: HindcastNode;

beforeAll(async () => {
  upstream = await createNode({ clock: () => NOW });
  await upstream.mine({ blocks: 6 });
});
afterAll(() => upstream.close());

const reset = (node: HindcastNode, ...params: readonly unknown[]): Promise<unknown> =>
  node.provider.request({ method: "anvil_reset", params } as never);

describe("anvil_reset", () => {
  it("goes over to another block of the same chain, and keeps who listens", async () => {
    const node = await createNode({
      fork: { cache: false, provider: upstream.provider, blockNumber: 4 },
      clock: () => NOW,
    });
    const heads: bigint[] = [];
    node.onHeadChange(({ added }) => heads.push(...added.map(({ header }) => header.number)));
    await node.mine({ blocks: 2 });
    await reset(node, { forking: { blockNumber: "0x2" } });
    expect(node.fork).toMatchObject({ blockNumber: 2n, chainId: 31_337n });
    expect(node.head.header.number).toBe(2n);
    expect(node.head.hash).toEqual(upstream.getBlock(2n)?.hash);
    const [block] = await node.mine();
    expect(block?.header.parentHash).toEqual(upstream.getBlock(2n)?.hash);
    expect(heads).toEqual([5n, 6n, 2n, 3n]);
    await node.close();
  });

  it("leaves the chain as it was where the fork cannot be opened", async () => {
    const node = await createNode({
      fork: { cache: false, provider: upstream.provider, blockNumber: 4, retries: 0 },
      clock: () => NOW,
    });
    await node.mine({ blocks: 2 });
    const { hash } = node.head;
    const nowhere = { jsonRpcUrl: "http://127.0.0.1:1" };
    await expect(reset(node, { forking: nowhere })).rejects.toMatchObject({ code: -32002 });
    await expect(reset(node, { forking: { blockNumber: quantity(99) } })).rejects.toThrow("does not know block 0x63");
    expect(node.head.hash).toEqual(hash);
    expect(node.fork?.blockNumber).toBe(4n);
    await node.close();
  });

  it("sends the headers that it is given, and those of before to a URL of before only", async () => {
    const seen: Record<string, unknown[]> = { a: [], b: [] };
    const urls: string[] = [];
    for (const name of ["a", "b"]) {
      const server = createServer(async (request, response) => {
        seen[name]?.push(request.headers["x-key"]);
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const body = JSON.parse(String(Buffer.concat(chunks))) as RpcCall | RpcCall[];
        const answers = await Promise.all(
          [body].flat().map(async ({ id, method, params }) => {
            const asked = upstream.provider.request({ method, params } as never);
            return asked.then(
              (result) => ({ jsonrpc: "2.0", id, result }),
              ({ code, message }) => ({ jsonrpc: "2.0", id, error: { code, message } }),
            );
          }),
        );
        response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close().closeAllConnections());
      urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
    const [a, b] = urls;
    const fork = { cache: false, url: a ?? "", headers: { "x-key": "one" } } as const;
    const node = await createNode({ fork, clock: () => NOW });
    await reset(node, { forking: { jsonRpcUrl: a, blockNumber: 3 } });
    await reset(node, { forking: { jsonRpcUrl: b } });
    expect(new Set(seen.a)).toEqual(new Set(["one"]));
    expect(new Set(seen.b)).toEqual(new Set([undefined]));
    seen.b = [];
    await reset(node, { forking: { jsonRpcUrl: b, httpHeaders: { "x-key": "two" } } });
    expect(new Set(seen.b)).toEqual(new Set(["two"]));
    await expect(reset(node, { forking: { httpHeaders: { "x-key": "two" } } })).rejects.toThrow("jsonRpcUrl");
    await node.close();
  });

  it("without a fork begins a chain of the node's own", async () => {
    const node = await createNode({ fork: { cache: false, provider: upstream.provider }, clock: () => NOW });
    await reset(node);
    expect(node.fork).toBeUndefined();
    expect(node.head.header.number).toBe(0n);
    await node.mine();
    const info = await node.provider.request({ method: "anvil_nodeInfo", params: [] });
    expect(info).toMatchObject({ currentBlockNumber: "0x1", forkConfig: { forkBlockNumber: null } });
    await node.close();
  });

  it("of the node itself goes back to the pinned block, its accounts funded", async () => {
    const node = await createNode({
      fork: { cache: false, provider: upstream.provider, blockNumber: 3 },
      clock: () => NOW,
    });
    const first = await node.snapshot();
    await node.mine({ blocks: 2 });
    await node.reset();
    expect(node.head.header.number).toBe(3n);
    await node.mine();
    await node.revert(first);
    expect(node.head.header.number).toBe(3n);
    await node.close();
  });
});

describe("node.fork.refresh()", () => {
  it("moves the fork to the newest block, and drops what was mined here", async () => {
    const chain = await createNode({ clock: () => NOW });
    const node = await createNode({
      fork: { cache: false, provider: chain.provider, blockNumber: 0 },
      clock: () => NOW,
    });
    await node.mine({ blocks: 3 });
    await chain.mine({ blocks: 2 });
    const before = node.fork;
    await before?.refresh();
    expect(before?.blockNumber).toBe(0n);
    expect(node.fork?.blockNumber).toBe(2n);
    expect(node.head.hash).toEqual(chain.head.hash);
    await node.mine();
    expect(node.head.header.parentHash).toEqual(chain.head.hash);
    await Promise.all([node.close(), chain.close()]);
  });
});
