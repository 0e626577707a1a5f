/** Caches of others that say what no entry proves: the chain id of a URL, and the block of a number. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { decodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import { PIN_KEY } from "../../../src/remote/cache/cache-keys.ts";
import { DiskCache } from "../../../src/remote/cache/disk-cache.ts";
import { aFolder } from "../../support/a-folder.ts";
import { aWorld, openChainNode, type World } from "../a-remote-chain.ts";

const MANY = 1e9;
const CHAIN_ID = 31_337n;
const FALSE_ID = 99n;
const FALSE_HASH: Hex = `0x${"11".repeat(32)}`;

let shared: HindcastNode;
beforeAll(async () => {
  shared = await openChainNode();
});
afterAll(() => shared.close());

type BlockJson = Record<string, unknown> & { readonly hash: Hex };
const blockOf = (world: World, number: number): Promise<BlockJson> =>
  world.ask("eth_getBlockByNumber", `0x${number.toString(16)}`, false);

/** A cache in which a chain has a block, called final. */
function put(cache: DiskCache, chainId: bigint, block: BlockJson): void {
  const value = new TextEncoder().encode(JSON.stringify({ isFinal: true, block }));
  cache.openBlock(chainId, decodeData(block.hash)).put([{ key: PIN_KEY, value, isProven: true }]);
}

describe("a cache of others with a false chain id for a URL", () => {
  /** Names a block by its hash, and has the cache call its chain another. */
  async function falseId(isBlockThere: boolean) {
    const world = await aWorld({}, shared);
    const folder = await aFolder();
    const cache = new DiskCache(folder, MANY);
    const block = await blockOf(world, 4);
    cache.putChainId(world.upstream.url, FALSE_ID);
    if (isBlockThere) put(cache, FALSE_ID, block);
    cache.close();
    return { world, options: { cache: { folder }, blockHash: block.hash } };
  }

  it.each([false, true])("is believed with the block that it has (offline: %s)", async (offline) => {
    const { world, options } = await falseId(true);
    expect((await world.open({ ...options, offline, urls: [world.upstream.url] })).chainId).toBe(FALSE_ID);
  });

  it("is not believed where the chain id is given", async () => {
    const { world, options } = await falseId(true);
    expect((await world.open({ ...options, chainId: CHAIN_ID })).chainId).toBe(CHAIN_ID);
    expect(world.upstream.calls.map(({ method }) => method)).toContain("eth_chainId");
  });

  it("is not believed without the block: the node is asked for both", async () => {
    const { world, options } = await falseId(false);
    expect(await world.open(options)).toMatchObject({ chainId: CHAIN_ID, pin: { number: 4n } });
  });
});

describe("a cache of others with a false hash for a block's number", () => {
  /** Has the cache name a block for number 4. */
  async function falseBlock(make: (world: World) => Promise<BlockJson>) {
    const world = await aWorld({}, shared);
    const folder = await aFolder();
    const cache = new DiskCache(folder, MANY);
    const block = await make(world);
    put(cache, CHAIN_ID, block);
    cache.putFinalBlock(world.upstream.url, 4n, { chainId: CHAIN_ID, hash: decodeData(block.hash) });
    cache.close();
    const right = decodeData((await blockOf(world, 4)).hash);
    return { world, right, options: { cache: { folder }, blockNumber: 4n, urls: [world.upstream.url] } };
  }
  const invented = async (world: World): Promise<BlockJson> => ({ ...(await blockOf(world, 4)), hash: FALSE_HASH });

  it("is believed offline", async () => {
    const { world, options } = await falseBlock(invented);
    const { pin } = await world.open({ ...options, offline: true });
    expect(pin).toMatchObject({ number: 4n, hash: decodeData(FALSE_HASH) });
  });

  it("is not believed offline with proofs", async () => {
    const { world, options } = await falseBlock(invented);
    await expect(world.open({ ...options, offline: true, verify: true })).rejects.toMatchObject({
      code: "REMOTE_OFFLINE",
    });
  });

  it("is not believed where the node can be asked", async () => {
    const { world, options, right } = await falseBlock(invented);
    expect((await world.open(options)).pin.hash).toEqual(right);
  });

  it("is not believed where the hash is given", async () => {
    const { world, options, right } = await falseBlock(invented);
    const blockHash = (await blockOf(world, 4)).hash;
    expect((await world.open({ ...options, blockNumber: undefined, blockHash })).pin.hash).toEqual(right);
  });

  it("is not believed if it is the chain's block of another number", async () => {
    const { world, options, right } = await falseBlock((chain) => blockOf(chain, 3));
    expect((await world.open(options)).pin).toMatchObject({ number: 4n, hash: right });
    await expect(world.open({ ...options, offline: true })).rejects.toMatchObject({ code: "REMOTE_OFFLINE" });
  });
});
