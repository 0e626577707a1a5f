/** A fork that is kept: in a folder, in a file, in snapshots and branches. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { ForkOptions } from "../../src/node/options/fork-options.ts";
import { bigIntToFixedBytes } from "../../src/primitives/bytes/bytes.ts";
import { encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, NOBODY, NOW } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { deploy, send } from "../support/contracts.ts";

const COUNTING = assemble("CALLDATASIZE @read JUMPI 0 SLOAD 1 ADD 0 SSTORE STOP read: 0 SLOAD 0 MSTORE 32 0 RETURN");

let upstream: HindcastNode;
let counter: Hex;

const options = (fork: ForkOptions = {}) => ({
  clock: () => NOW,
  fork: { cache: false as const, provider: upstream.provider, blockNumber: 4, ...fork },
});
const count = async (node: HindcastNode, tag = "latest"): Promise<bigint> =>
  BigInt((await node.provider.send("eth_call", [{ to: counter, data: "0x01" }, tag])) as string);
const increase = (node: HindcastNode) => send(node, { from: ALICE, to: counter });

beforeAll(async () => {
  upstream = await createNode({ clock: () => NOW });
  counter = await deploy(upstream, COUNTING);
  for (let index = 0; index < 5; index++) await increase(upstream);
});
afterAll(() => upstream.close());

describe("a fork", () => {
  it("goes back to snapshots, over to other branches, and is reorganised above the pin", async () => {
    const node = await createNode(options());
    await increase(node);
    const snapshot = await node.snapshot();
    await increase(node);
    const branch = await node.branch();
    expect(await count(branch)).toBe(5n);
    await increase(branch);
    expect([await count(branch), await count(node)]).toEqual([6n, 5n]);
    await node.revert(snapshot);
    expect(await count(node)).toBe(4n);
    await node.reorg({ depth: 1 });
    expect(await count(node, "0x5")).toBe(3n);
    await expect(node.rollback(2)).rejects.toThrow("from 0 to 1");
    await node.setStorageAt(Buffer.from(counter.slice(2), "hex"), new Uint8Array(32), new Uint8Array(32));
    expect(await count(node)).toBe(0n);
    await node.close();
  });

  it("is dumped with the pin, and loaded on the same fork alone", async () => {
    const node = await createNode(options());
    await increase(node);
    await increase(node);
    await node.setBalance(Buffer.from(NOBODY.slice(2), "hex"), 7n);
    const file = await node.dumpState();
    const other = await createNode(options());
    await other.loadState(file);
    expect(other.head.hash).toEqual(node.head.hash);
    expect([await count(other), await count(other, "0x5"), await count(other, "0x3")]).toEqual([5n, 4n, 2n]);
    const balance = await other.provider.request({ method: "eth_getBalance", params: [NOBODY, "latest"] });
    expect(balance).toBe("0x7");
    await increase(other);
    expect(await count(other)).toBe(6n);
    const elsewhere = await createNode(options({ blockNumber: 3 }));
    await expect(elsewhere.loadState(file)).rejects.toThrow("fork");
    await expect(upstream.loadState(file)).rejects.toThrow("fork");
    for (const each of [node, other, elsewhere]) await each.close();
  });

  it("is opened again from its folder, at the block that it was pinned at, also without the upstream", async () => {
    const [dataDir, folder] = [await aFolder(), await aFolder()];
    const fork = { provider: upstream.provider, cache: { folder } };
    const first = await createNode({ clock: () => NOW, dataDir, fork: { ...fork, blockNumber: 4 } });
    await increase(first);
    await first.close();
    const second = await createNode({ clock: () => NOW, dataDir, fork });
    expect(second.fork?.blockNumber).toBe(4n);
    expect(second.head.header.number).toBe(5n);
    expect(await count(second)).toBe(4n);
    await increase(second);
    await second.reset();
    expect(await count(second)).toBe(3n);
    await second.close();
    const third = await createNode({ clock: () => NOW, dataDir, fork: { offline: true, cache: { folder } } });
    expect(await count(third)).toBe(3n);
    await increase(third);
    expect(await count(third)).toBe(4n);
    await third.close();
    await expect(createNode({ clock: () => NOW, dataDir, fork: { ...fork, blockNumber: 3 } })).rejects.toMatchObject({
      code: "DATA_DIR_MISMATCH",
    });
  });

  it.each([false, true])("is mined without the upstream, whatever the time is (verify: %s)", async (verify) => {
    let now = BigInt(NOW);
    const cache = { folder: await aFolder() };
    const fork = { cache, verify, blockHash: encodeData(upstream.getBlock(4n)?.hash ?? new Uint8Array()) };
    const online = await createNode({ clock: () => now, fork: { ...fork, provider: upstream.provider } });
    await increase(online);
    await online.close();
    now += 1_000n;
    const offline = await createNode({ clock: () => now, fork: { ...fork, offline: true } });
    for (let mined = 0; mined < 2; mined++) {
      now += 12n;
      await increase(offline);
    }
    expect(await count(offline)).toBe(5n);
    const roots = "0x000f3df6d732807ef1319fb7b8bb8522d0beac02";
    const ask = (time: bigint) => {
      const data = encodeData(bigIntToFixedBytes(time, 32));
      return offline.provider.send("eth_call", [{ to: roots, data }, "latest"]);
    };
    const { timestamp } = offline.head.header;
    expect(await ask(timestamp)).toMatch(/^0x[0-9a-f]{64}$/);
    // What was not overwritten is still unknown.
    await expect(ask(timestamp - 1n)).rejects.toMatchObject({
      message: expect.stringContaining("The cache does not have"),
    });
    await offline.close();
  });

  it("begins with the state after a transaction", async () => {
    const block = await upstream.provider.request({ method: "eth_getBlockByNumber", params: ["0x4", true] } as never);
    const [tx] = (block as unknown as { transactions: { hash: Hex }[] }).transactions;
    const { blockNumber: _, ...fork } = options().fork;
    const node = await createNode({ clock: () => NOW, fork: { ...fork, transactionHash: tx?.hash ?? "0x" } });
    expect(node.fork?.blockNumber).toBe(3n);
    expect(await count(node)).toBe(3n);
    expect(encodeData(node.head.transactions[0]?.hash ?? new Uint8Array())).toBe(tx?.hash);
    expect(node.head.header.timestamp).toBe(upstream.getBlock(4n)?.header.timestamp);
    await node.close();
  });
});
