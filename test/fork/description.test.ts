/** A node tells what it forks, where, and how much it asked for. */
import { expect, it } from "vitest";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, aNode, NOW } from "../support/a-node.ts";
import { anUpstream } from "../support/an-upstream.ts";

it("is told by node.fork, anvil_nodeInfo and the metadata, without secrets", async () => {
  const chain = await aNode();
  await chain.mine({ blocks: 3 });
  const upstream = await anUpstream(chain.provider as RemoteProvider);
  const { host } = new URL(upstream.url);
  const url = `http://user:secret-1@${host}/v2/secret-2?key=secret-3`;
  const cache = { folder: await aFolder() };
  const open = () => aNode({ clock: () => NOW, accounts: 0, fork: { url, blockNumber: 2, cache } });
  const first = await open();
  await first.provider.send("eth_getBalance", [ALICE, "latest"]);
  const node = await open();
  const hits = node.fork?.cacheHits ?? 0;
  await node.provider.send("eth_getBalance", [ALICE, "latest"]);
  const blockHash = ((await chain.provider.send("eth_getBlockByNumber", ["0x2", false])) as { hash: string }).hash;
  const { fork } = node;
  expect(fork).toMatchObject({ blockNumber: 2n, chainId: 31_337n });
  expect(fork?.cacheHits).toBe(hits + 1);
  expect(fork?.requests).toBeLessThan(first.fork?.requests ?? 0);
  const info = await node.provider.send("anvil_nodeInfo", []);
  const { requests, cacheHits } = fork ?? {};
  expect(info).toMatchObject({
    forkConfig: { forkUrl: `http://${host}`, forkBlockNumber: 2, forkBlockHash: blockHash, requests, cacheHits },
  });
  for (const method of ["anvil_metadata", "hardhat_metadata"]) {
    const metadata = await node.provider.send(method, []);
    expect(metadata).toMatchObject({
      forkedNetwork: { chainId: 31_337, forkBlockNumber: 2, forkBlockHash: blockHash },
    });
    expect(JSON.stringify(metadata)).not.toContain("secret");
  }
  expect(JSON.stringify(info)).not.toContain("secret");
  expect(fork?.label).not.toContain("secret");
});
