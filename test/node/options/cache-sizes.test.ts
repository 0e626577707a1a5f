/** The memory for caches, and what a node with the least of it answers. */
import { describe, expect, it } from "vitest";
import { openBackend } from "../../../src/node/backend.ts";
import { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { cacheSizes, DEFAULT_CACHE_BYTES } from "../../../src/node/options/cache-sizes.ts";
import type { NodeOptions } from "../../../src/node/options/options.ts";
import { ALICE, aNode, BOB, NOW } from "../../support/a-node.ts";
import { slowIt } from "../../support/slow-suite.ts";

const ask = (node: HindcastNode, method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.send(method, params);

const MEBIBYTE = 2 ** 20;
/** Its block takes more than half of the room that the least memory gives to blocks. */
const LONG_TRANSACTION = { from: ALICE, to: BOB, data: `0x${"01".repeat(30_000)}` };

/** Reads three blocks with long transactions twice; tells of each whether the second read found it in the cache. */
async function areCached(options: NodeOptions): Promise<boolean[]> {
  const backend = await openBackend({ clock: () => NOW, ...options });
  const node = new HindcastNode(backend, options);
  try {
    for (let block = 0; block < 3; block++) await ask(node, "eth_sendTransaction", LONG_TRANSACTION);
    const read = (): unknown[] => [1n, 2n, 3n].map((number) => backend.chain.getStoredBlock(number));
    const first = read();
    return read().map((block, index) => block === first[index]);
  } finally {
    await node.close();
  }
}

describe("the memory for caches", () => {
  it("is divided so that all caches together have no more", () => {
    for (const bytes of [MEBIBYTE, 12_345_678, DEFAULT_CACHE_BYTES]) {
      const sizes = Object.values(cacheSizes(bytes));
      expect(sizes.every((size) => Number.isInteger(size) && size > 0)).toBe(true);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bytes);
    }
  });

  slowIt("holds decoded blocks as long as there is room for them", async () => {
    expect(await areCached({})).toEqual([true, true, true]);
    expect(await areCached({ maxCacheBytes: MEBIBYTE })).toEqual([false, false, false]);
  });

  slowIt("changes no answer: what is not cached is read or executed again", async () => {
    const answers = await Promise.all(
      [{}, { maxCacheBytes: MEBIBYTE }].map(async (options) => {
        await using node = await aNode(options);
        for (let block = 0; block < 5; block++) await ask(node, "eth_sendTransaction", LONG_TRANSACTION);
        const { hash } = (await ask(node, "eth_getBlockByNumber", "0x2", false)) as { hash: string };
        return [
          await ask(node, "eth_getBlockByNumber", "0x1", true),
          await ask(node, "eth_getBlockReceipts", hash),
          await ask(node, "trace_block", "0x3"),
          await ask(node, "trace_block", "0x3"),
          await ask(node, "eth_getProof", ALICE, [], "0x2"),
        ];
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
  });
});
