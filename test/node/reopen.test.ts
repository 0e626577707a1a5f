import { beforeEach, describe, expect, it } from "vitest";
import { StoreError } from "../../src/errors/hindcast-error.ts";
import { createNode } from "../../src/node/create-node.ts";
import { aFolder } from "../support/a-folder.ts";

describe("a development chain in a folder", () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await aFolder();
  });

  it("opens again with the same options, whatever the time is then", async () => {
    const first = await createNode({ dataDir, clock: () => 1_700_000_000 });
    await first.mine();
    const { hash } = first.head;
    await first.close();
    await using second = await createNode({ dataDir, clock: () => 1_800_000_000 });
    expect(second.head.hash).toEqual(hash);
  });

  it("keeps edits made since the last block", async () => {
    const address = new Uint8Array(20).fill(7);
    const first = await createNode({ dataDir });
    await first.mine();
    await first.setBalance(address, 123n);
    await first.close();
    await using second = await createNode({ dataDir });
    const balance = await second.provider.request({
      method: "eth_getBalance",
      params: [`0x${Buffer.from(address).toString("hex")}`, "latest"],
    });
    expect(balance).toBe("0x7b");
  });

  it("is refused to another hardfork, chain id or timestamp", async () => {
    await (await createNode({ dataDir })).close();
    await expect(createNode({ dataDir, hardfork: "london" })).rejects.toThrow(StoreError);
    await expect(createNode({ dataDir, chainId: 5 })).rejects.toThrow(StoreError);
    await expect(createNode({ dataDir, timestamp: 1 })).rejects.toThrow(/holds the chain/);
  });
});
