import fc from "fast-check";
import { expect, it } from "vitest";
import type { BackendSnapshot, KeyCursor } from "../../src/store/backends/backend.ts";
import { LevelBackend } from "../../src/store/backends/level-backend.ts";
import { ChainBatch } from "../../src/store/chain-batch.ts";
import { ChainStore } from "../../src/store/chain-store.ts";
import { findTraceBlocks } from "../../src/store/find-trace-blocks.ts";
import { aFolder } from "../support/a-folder.ts";
import { runs } from "../support/seed.ts";
import { aBlock, anAddress, anIdentity } from "./a-block.ts";

/** Long runs of neighbours and long gaps: lists that are dense here and sparse there. */
const numbers = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 150 })), { minLength: 1, maxLength: 6 })
  .map((runs) => {
    let next = 0;
    return runs.flatMap(([gap, length]) => {
      next += gap;
      return Array.from({ length }, () => BigInt(next++));
    });
  });
const bound = fc.bigInt({ min: -1n, max: 30_000n });

const listOf = async (items: AsyncIterable<bigint>): Promise<bigint[]> => {
  const list: bigint[] = [];
  for await (const item of items) list.push(item);
  return list;
};

const put = async (store: ChainStore, account: number, list: readonly bigint[]): Promise<void> => {
  const batch = store.batch();
  for (const number of list) {
    batch.setCanonical({ ...aBlock({ number: Number(number), logs: [] }), traceAddresses: [anAddress(account)] });
  }
  await batch.write();
};

it.each([
  ["in memory", async () => ChainStore.open({ identity: anIdentity })],
  ["on disk", async () => ChainStore.open({ identity: anIdentity, dataDir: await aFolder() })],
])(
  "reads the blocks of an account from either end as the whole list has them, %s and in a branch",
  async (_where, open) => {
    await fc.assert(
      fc.asyncProperty(numbers, numbers, bound, bound, async (shared, own, fromBlock, toBlock) => {
        await using base = await open();
        await put(base, 1, shared);
        await put(base, 2, own);
        await using branch = await base.branch();
        await put(branch, 1, own);
        const all = [...new Set([...shared, ...own])].sort((left, right) => Number(left - right));
        const lists = [[base, shared] as const, [branch, all] as const];
        for (const [store, list] of lists) {
          const expected = list.filter((number) => number >= fromBlock && number <= toBlock);
          const query = { address: anAddress(1), fromBlock, toBlock };
          const found = (order: "ascending" | "descending") => listOf(store.eachBlockTracing({ ...query, order }));
          expect(await found("ascending")).toEqual(expected);
          expect(await found("descending")).toEqual(expected.reverse());
        }
      }),
      { numRuns: runs(8) },
    );
  },
);

it("crosses a gap of a million blocks in a few looks", async () => {
  const backend = await LevelBackend.inMemory();
  const batch = new ChainBatch((operations) => backend.write(operations));
  for (const number of [1, 2, 1_000_000]) {
    batch.setCanonical({ ...aBlock({ number, logs: [] }), traceAddresses: [anAddress(1)] });
  }
  await batch.write();
  let looks = 0;
  const openSnapshot = (): BackendSnapshot => {
    const snapshot = backend.snapshot();
    const cursor = (first: Uint8Array, end: Uint8Array): KeyCursor => {
      const inner = snapshot.cursor(first, end);
      const keysFrom = (target: Uint8Array, count: number) => {
        looks++;
        return inner.keysFrom(target, count);
      };
      return { keysFrom, close: () => inner.close() };
    };
    return { get: (table, key) => snapshot.get(table, key), cursor, close: () => snapshot.close() };
  };
  const query = { address: anAddress(1), fromBlock: 0n, toBlock: 1_000_000n, order: "descending" } as const;
  expect(await listOf(findTraceBlocks(openSnapshot, query))).toEqual([1_000_000n, 2n, 1n]);
  expect(looks).toBeLessThan(40);
  await backend.close();
});
