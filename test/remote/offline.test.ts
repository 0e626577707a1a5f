/** The second run: what the cache spares, and what is left where nothing may be asked. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { listCache } from "../../src/remote/cache/manage.ts";
import type { RemoteChain } from "../../src/remote/upstream.ts";
import { aFolder } from "../support/a-folder.ts";
import { BOB } from "../support/a-node.ts";
import { UpstreamFailure } from "../support/an-upstream.ts";
import { aWorld, bytes, CODE, CONTRACT, openChainNode, RICH, slotOf } from "./a-remote-chain.ts";

let shared: HindcastNode;
beforeAll(async () => {
  shared = await openChainNode();
});
afterAll(() => shared.close());

/** Something of everything that a chain can be asked. */
async function readSome(chain: RemoteChain): Promise<unknown> {
  const { state } = chain;
  const account = await state.getAccount(bytes(CONTRACT));
  return [
    account?.balance,
    await state.getAccount(bytes(RICH)),
    await state.getStorage(bytes(CONTRACT), slotOf(3)),
    await state.getCode(account?.codeHash ?? bytes("0x")),
    await state.hasStorage(bytes(CONTRACT)),
    await chain.history("eth_getBlockByNumber", ["0x3", true]),
  ];
}

describe("a second run", () => {
  it.each([false, true])("asks nothing of what is pinned by its hash (verify: %s)", async (verify) => {
    const world = await aWorld({}, shared);
    const cache = { folder: await aFolder() };
    const { hash } = await world.ask<{ hash: `0x${string}` }>("eth_getBlockByNumber", "0x5", false);
    const first = await world.open({ cache, blockHash: hash, verify });
    const read = await readSome(first);
    expect(first.cacheStats).toMatchObject({ hits: 0 });
    world.upstream.forget();
    const second = await world.open({ cache, blockHash: hash, verify });
    expect(second.pin).toEqual(first.pin);
    if (!verify) expect(await readSome(second)).toEqual(read);
    else expect(await second.state.getStorage(bytes(CONTRACT), slotOf(3))).toEqual(Uint8Array.of(4));
    expect(world.upstream.posts).toBe(0);
    const offline = await world.open({ cache, blockHash: hash, verify, offline: true });
    expect(offline.chainId).toBe(first.chainId);
    expect(await offline.state.getStorage(bytes(CONTRACT), slotOf(3))).toEqual(Uint8Array.of(4));
  });

  it("only has the number confirmed of a block that was final, and asks once for another number", async () => {
    let final = "0x4";
    const world = await aWorld(
      {
        answer: ({ method, params }, ask) =>
          method === "eth_getBlockByNumber" && params[0] === "finalized" ? Promise.resolve({ number: final }) : ask(),
      },
      shared,
    );
    const cache = { folder: await aFolder() };
    expect((await world.open({ cache, blockNumber: 4n })).pin.isFinal).toBe(true);
    expect((await world.open({ cache, blockNumber: 5n })).pin.isFinal).toBe(false);
    world.upstream.forget();
    final = "0x0";
    expect((await world.open({ cache, blockNumber: 4n })).pin).toMatchObject({ number: 4n, isFinal: true });
    expect(world.upstream.posts).toBe(1);
    const asked = world.upstream.calls.map(({ method }) => method);
    expect(asked.sort()).toEqual(["eth_chainId", "eth_getBlockByNumber", "eth_getProof"]);
    await world.open({ cache, blockNumber: 5n });
    expect(world.upstream.posts).toBe(2);
    const offline = { cache, offline: true, urls: [world.upstream.url] };
    expect((await world.open({ ...offline, blockNumber: 4n })).pin.number).toBe(4n);
    await expect(world.open({ ...offline, blockNumber: 5n })).rejects.toThrow(
      /does not have block 5.*only if it was final.*Name the block by its hash/,
    );
  });

  it("believes no answer that was not proven, where it verifies", async () => {
    const world = await aWorld({}, shared);
    const cache = { folder: await aFolder() };
    const { pin, state } = await world.open({ cache });
    await state.getStorage(bytes(CONTRACT), slotOf(3));
    world.upstream.forget();
    const second = await world.open({ cache, verify: true, blockHash: `0x${Buffer.from(pin.hash).toString("hex")}` });
    await second.state.getStorage(bytes(CONTRACT), slotOf(3));
    expect(world.upstream.calls.map(({ method }) => method)).toContain("eth_getProof");
  });

  it("fetches a code again that the cache has lost", async () => {
    const world = await aWorld({}, shared);
    const cache = { folder: await aFolder() };
    const first = await world.open({ cache });
    await first.state.getAccount(bytes(CONTRACT));
    rmSync(join(cache.folder, "codes"), { recursive: true });
    const { state } = await world.open({ cache });
    const account = await state.getAccount(bytes(CONTRACT));
    expect(await state.getCode(account?.codeHash ?? bytes("0x"))).toEqual(bytes(CODE));
  });

  it("finds nothing of what failed", async () => {
    const world = await aWorld({}, shared);
    const cache = { folder: await aFolder() };
    const first = await world.open({ cache, retries: 0 });
    const before = listCache(cache.folder).blocks[0]?.entries;
    world.upstream.rules.answer = () => {
      throw new UpstreamFailure(-32000, "some failure");
    };
    await expect(first.state.getAccount(bytes(BOB))).rejects.toMatchObject({ code: "REMOTE_REFUSED" });
    await expect(first.state.getStorage(bytes(CONTRACT), slotOf(1))).rejects.toMatchObject({ code: "REMOTE_REFUSED" });
    await expect(first.history("eth_getBlockByNumber", ["0x1", false])).rejects.toMatchObject({
      code: "REMOTE_REFUSED",
    });
    expect(listCache(cache.folder).blocks[0]?.entries).toBe(before);
  });
});

describe("offline", () => {
  it("names what is missing", async () => {
    const world = await aWorld({}, shared);
    const cache = { folder: await aFolder() };
    const { pin } = await world.open({ cache });
    const blockHash = `0x${Buffer.from(pin.hash).toString("hex")}` as const;
    const chain = await world.open({ cache, offline: true, blockHash });
    const { state } = chain;
    await expect(chain.history("eth_getBlockByNumber", ["0x1", true])).rejects.toMatchObject({
      code: "REMOTE_OFFLINE",
    });
    await expect(state.getAccount(bytes(BOB))).rejects.toThrow(
      new RegExp(`cache does not have account ${BOB} at block 6`, "i"),
    );
    await expect(state.getStorage(bytes(BOB), slotOf(1))).rejects.toMatchObject({ code: "REMOTE_OFFLINE" });
    await expect(world.open({ cache, offline: true, blockNumber: 3n })).rejects.toThrow("does not have block 3");
    await expect(world.open({ cache, offline: true })).rejects.toThrow("does not have block latest");
  });
});
