import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalBytes } from "../../src/primitives/bytes/bytes.ts";
import type { Log } from "../../src/primitives/rlp/log-list.ts";
import { LevelBackend } from "../../src/store/backends/level-backend.ts";
import type { BlockRecord } from "../../src/store/chain-batch.ts";
import { ChainBatch } from "../../src/store/chain-batch.ts";
import { ChainStore } from "../../src/store/chain-store.ts";
import { canonicalKey } from "../../src/store/codecs/keys.ts";
import { findLogs, type LogPosition, type LogQuery } from "../../src/store/find-logs.ts";
import { aFolder } from "../support/a-folder.ts";
import { runs } from "../support/seed.ts";
import { stepClock } from "../support/stepping-clock.ts";
import { aBlock, aLog, anAddress, anIdentity, aTopic } from "./a-block.ts";
import { positionsOf, writeChain } from "./store-suite.ts";

/** Few terms, of which two are frequent: lists overlap, run dry, are jumped over, and are longer than a chunk. */
const term = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 4 }) },
);
const log = fc.tuple(term, fc.array(term, { maxLength: 4 })).map(([address, topics]) => aLog(address, topics));
const logsOfBlock = fc.array(fc.array(log, { maxLength: 20 }), { maxLength: 4 });
const blocks = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 40 }), logsOfBlock), { minLength: 1, maxLength: 30 })
  .map((steps) => {
    let number = 0;
    return steps.map(([step, logs]) => {
      number += step;
      return aBlock({ number, logs });
    });
  });

const terms = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 3 });
const query: fc.Arbitrary<LogQuery> = fc.record({
  fromBlock: fc.bigInt({ min: 0n, max: 300n }),
  toBlock: fc.bigInt({ min: 0n, max: 600n }),
  addresses: terms.map((numbers) => numbers.map(anAddress)),
  topics: fc.array(fc.option(terms.map((numbers) => numbers.map(aTopic))), { maxLength: 4 }),
});

function matches({ address, topics }: Log, { addresses, topics: wanted }: LogQuery): boolean {
  const isAny = (found: Uint8Array | undefined, among: readonly Uint8Array[] | null): boolean =>
    among === null || among.length === 0 || (found !== undefined && among.some((one) => equalBytes(one, found)));
  return isAny(address, addresses) && wanted.every((among, index) => isAny(topics[index], among));
}

/** The same answer by looking at every log. */
function naively(chain: readonly BlockRecord[], wanted: LogQuery): LogPosition[] {
  return chain
    .filter(({ number }) => number >= wanted.fromBlock && number <= wanted.toBlock)
    .flatMap(({ number, hash, receipts }) =>
      receipts
        .flatMap(({ logs }, txIndex) => logs.map((entry) => ({ entry, txIndex })))
        .map(({ entry, txIndex }, logIndex) => ({
          entry,
          position: { blockNumber: number, blockHash: hash, logIndex, txIndex },
        }))
        .filter(({ entry }) => matches(entry, wanted))
        .map(({ position }) => position),
    );
}

describe("findLogs", () => {
  const agrees = async (chain: readonly BlockRecord[], queries: readonly LogQuery[], store: ChainStore) => {
    await writeChain(store, chain);
    for (const wanted of queries) expect(await positionsOf(store, wanted)).toEqual(naively(chain, wanted));
    await store.close();
  };

  it("finds what a filter over all logs finds, in memory", async () => {
    await fc.assert(
      fc.asyncProperty(blocks, fc.array(query, { minLength: 1, maxLength: 8 }), async (chain, queries) =>
        agrees(chain, queries, await ChainStore.open({ identity: anIdentity })),
      ),
      { numRuns: runs(20) },
    );
  });

  it("finds what a filter over all logs finds, on disk", async () => {
    await fc.assert(
      fc.asyncProperty(blocks, fc.array(query, { minLength: 4, maxLength: 8 }), async (chain, queries) =>
        agrees(chain, queries, await ChainStore.open({ identity: anIdentity, dataDir: await aFolder() })),
      ),
      { numRuns: runs(10) },
    );
  });

  it("finds the same in a chain that was reorganised as in one that was not", async () => {
    await fc.assert(
      fc.asyncProperty(blocks, blocks, query, async (chain, other, wanted) => {
        const store = await ChainStore.open({ identity: anIdentity });
        await writeChain(store, other);
        const reorg = store.batch();
        for (const block of other) reorg.unsetCanonical(block);
        for (const block of chain) {
          reorg.putBlock(block);
          reorg.setCanonical(block);
        }
        await reorg.write();
        expect(await positionsOf(store, wanted)).toEqual(naively(chain, wanted));
        await store.close();
      }),
      { numRuns: runs(15) },
    );
  });
});

it("finds no log of blocks that are being written, and all of them afterwards", async () => {
  const store = await ChainStore.open({ identity: anIdentity });
  const logs = Array.from({ length: 2_500 }, () => aLog(1, [1, 2]));
  const [first, second, third] = [1, 2, 3].map((number) => aBlock({ number, logs: [logs] }));
  await writeChain(store, [first as BlockRecord]);
  const seen: number[] = [];
  let isOver = false;
  const readers = async (): Promise<void> => {
    while (!isOver) {
      await new Promise((resolve) => void setImmediate(resolve));
      for (const wanted of [{}, { addresses: [anAddress(1)] }, { topics: [null, [aTopic(2)]] }])
        seen.push((await positionsOf(store, wanted)).length);
    }
  };
  stepClock(6);
  const reading = readers();
  await writeChain(store, [second as BlockRecord, third as BlockRecord]);
  isOver = true;
  await reading;
  expect(seen.filter((count) => count === 2_500).length).toBeGreaterThan(3);
  expect(seen.filter((count) => count !== 2_500 && count !== 7_500)).toEqual([]);
  expect(await positionsOf(store)).toHaveLength(7_500);
});

it("says of a hash that is missing between others that the store is damaged", async () => {
  const backend = await LevelBackend.inMemory();
  const batch = new ChainBatch((operations) => backend.write(operations));
  for (const number of [1, 3]) batch.setCanonical(aBlock({ number, logs: [[aLog(0, [])]] }));
  await batch.write();
  await backend.write([{ type: "del", key: canonicalKey(1n) }]);
  await expect(costOf(backend, {})).rejects.toMatchObject({ code: "STORE_CORRUPT" });
});

/** Reads of a query, counted at the backend. */
interface Cost {
  reads: number;
  keys: number;
  found: number;
}

async function costOf(backend: LevelBackend, wanted: Partial<LogQuery>): Promise<Cost> {
  const snapshot = backend.snapshot();
  const cost: Cost = { reads: 0, keys: 0, found: 0 };
  const counting: typeof snapshot = {
    ...snapshot,
    get: (table, key) => {
      cost.reads++;
      return snapshot.get(table, key);
    },
    cursor: (first, end) => {
      const cursor = snapshot.cursor(first, end);
      return {
        ...cursor,
        keysFrom: async (target, count) => {
          const keys = await cursor.keysFrom(target, count);
          cost.reads++;
          cost.keys += keys.length;
          return keys;
        },
      };
    },
  };
  const everything = { fromBlock: 0n, toBlock: 1_000_000n, addresses: [], topics: [] };
  for await (const _ of findLogs(() => counting, { ...everything, ...wanted }, undefined)) cost.found++;
  return cost;
}

/** One log of address 0 and topic 0 in every block; ten of all blocks also have one of address 1 and topic 1. */
async function aChainWithTenMatches(length: number): Promise<LevelBackend> {
  const backend = await LevelBackend.inMemory();
  const batch = new ChainBatch((operations) => backend.write(operations));
  for (let number = 0; number < length; number++) {
    const rare = number % (length / 10) === 5 ? [aLog(1, [0]), aLog(0, [1, 1])] : [];
    batch.setCanonical(aBlock({ number, logs: [[aLog(0, [0]), ...rare]] }));
  }
  await batch.write();
  return backend;
}

describe("the cost of findLogs", () => {
  const rareAddress = { addresses: [anAddress(1)] };
  const rareAddressCommonTopic = { addresses: [anAddress(1)], topics: [[aTopic(0)]] };
  const commonAddressRareTopics = { addresses: [anAddress(0)], topics: [[aTopic(1)], [aTopic(1)]] };

  it("follows the matches of the rarest criterion, not the length of the range", async () => {
    const [short, long] = await Promise.all([aChainWithTenMatches(200), aChainWithTenMatches(4_000)]);
    for (const wanted of [rareAddress, rareAddressCommonTopic, commonAddressRareTopics]) {
      const [few, many] = [await costOf(short, wanted), await costOf(long, wanted)];
      expect(many.found).toBe(10);
      expect(few.found).toBe(10);
      expect(many.reads).toBeLessThanOrEqual(few.reads + 2);
      expect(many.keys).toBeLessThanOrEqual(few.keys + 32);
      expect(many.reads).toBeLessThan(50);
    }
  });

  it("reads a long list in few calls", async () => {
    const backend = await aChainWithTenMatches(4_000);
    const cost = await costOf(backend, { addresses: [anAddress(0)] });
    expect(cost.found).toBe(4_010);
    // One read a block for its hash, and chunks that double up to 1,024 keys.
    expect(cost.reads).toBeLessThan(4_000 + 20);
  });

  it("jumps over stretches where one criterion has nothing", async () => {
    const backend = await LevelBackend.inMemory();
    const batch = new ChainBatch((operations) => backend.write(operations));
    // Address 0 lives in the first half, topic 7 in the second; they meet once in the middle.
    for (let number = 0; number < 4_000; number++) {
      const logs = number < 2_000 ? [aLog(0, [3])] : [aLog(2, [7])];
      batch.setCanonical(aBlock({ number, logs: [number === 2_000 ? [...logs, aLog(0, [7])] : logs] }));
    }
    await batch.write();
    const cost = await costOf(backend, { addresses: [anAddress(0)], topics: [[aTopic(7)]] });
    expect(cost.found).toBe(1);
    expect(cost.reads).toBeLessThan(60);
  });
});
