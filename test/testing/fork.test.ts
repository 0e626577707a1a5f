/** Tests on a fork: useHindcast({ fork }), whose cache is shared among files and processes. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { useHindcast } from "../../src/testing/vitest.ts";
import { ALICE, BOB, NOBODY, openNode } from "../support/a-node.ts";

const upstream = await openNode();
await upstream.provider.send("anvil_setBalance", [NOBODY, "0x7"]);
await upstream.mine({ blocks: 2 });
const asked: string[] = [];
const provider = {
  request: ({ method, params = [] }: { readonly method: string; readonly params?: readonly unknown[] }) => {
    asked.push(method);
    return upstream.provider.send(method, params);
  },
};
const blockHash = ((await upstream.provider.send("eth_getBlockByNumber", ["0x2", false])) as { hash: string }).hash;
const folder = await mkdtemp(join(tmpdir(), "hindcast-"));
const fork = { provider, chainId: upstream.chainId, blockHash, cache: { folder } };
afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a file's chain on a fork", () => {
  const chain = useHindcast({ fork });

  it.each([1, 2])("begins at the pinned block in each test (%i)", async () => {
    expect(await chain.provider.request({ method: "eth_blockNumber" })).toBe("0x2");
    expect(await chain.provider.request({ method: "eth_getBalance", params: [NOBODY, "latest"] })).toBe("0x7");
    const tx = { from: ALICE, to: NOBODY, value: "0x1" } as const;
    await chain.provider.request({ method: "eth_sendTransaction", params: [tx] });
    expect(await chain.provider.request({ method: "eth_getBalance", params: [NOBODY, "latest"] })).toBe("0x8");
    asked.length = 0;
  });
});

describe("that of another file", () => {
  const chain = useHindcast({ fork });

  it("finds what the first has read in the cache", async () => {
    expect(await chain.provider.request({ method: "eth_getBalance", params: [NOBODY, "latest"] })).toBe("0x7");
    const tx = { from: BOB, to: NOBODY, value: "0x1" } as const;
    await chain.provider.request({ method: "eth_sendTransaction", params: [tx] });
    expect(asked).toEqual([]);
  });
});
