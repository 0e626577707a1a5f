import { describe, expect, it, onTestFinished } from "vitest";
import { openBackend } from "../../../src/node/backend.ts";
import { type FilterLimits, FilterService } from "../../../src/services/query/filters.ts";
import { Journal } from "../../../src/services/query/journal.ts";
import { NOW } from "../../support/a-node.ts";
import { saying } from "../../support/saying.ts";

const signal = new AbortController().signal;

/** Filters with a clock that the test turns. */
async function filters(limits: Partial<FilterLimits> = {}) {
  const backend = await openBackend({ clock: () => NOW });
  onTestFinished(() => backend.close());
  const clock = { now: 0 };
  const { chain, pool, miner } = backend;
  const service = new FilterService({ chain, pool, logs: backend.context.logs, limits, now: () => clock.now });
  onTestFinished(() => service.close());
  return { service, clock, mine: (blocks = 1) => miner.mine({ blocks }) };
}

const MINUTE = 60_000;
const notFound = { code: "FILTER_NOT_FOUND", rpcCode: -32000, rpcMessage: saying("filter not found") };

describe("a filter that nobody polls", () => {
  it("is gone after five minutes", async () => {
    const { service, clock } = await filters();
    const id = service.watchBlocks();
    clock.now += 5 * MINUTE;
    await service.changes(id, signal);
    clock.now += 5 * MINUTE + 1;
    await expect(service.changes(id, signal)).rejects.toMatchObject(notFound);
    expect(service.uninstall(id)).toBe(false);
  });

  it("lives on as long as it is polled, though blocks come all the time", async () => {
    const { service, clock, mine } = await filters();
    const [polled, idle] = [service.watchBlocks(), service.watchBlocks()];
    for (let minute = 0; minute < 8; minute++) {
      clock.now += MINUTE;
      await mine();
      expect(await service.changes(polled, signal)).toMatchObject({ hashes: [expect.any(Uint8Array)] });
    }
    await expect(service.changes(idle, signal)).rejects.toMatchObject(notFound);
  });
});

it("a filter that stays behind too far is gone, and says so, instead of skipping what it missed", async () => {
  const { service, mine } = await filters({ maxBehind: 5 });
  const [slow, quick] = [service.watchBlocks(), service.watchBlocks()];
  await mine(5);
  await service.changes(quick, signal);
  await mine(1);
  await expect(service.changes(slow, signal)).rejects.toMatchObject(notFound);
  expect(await service.changes(quick, signal)).toMatchObject({ hashes: [expect.any(Uint8Array)] });
});

it("there are so many filters and no more, until one goes", async () => {
  const { service } = await filters({ maxFilters: 2 });
  const first = service.watchBlocks();
  service.watchTransactions(false);
  expect(() => service.watchBlocks()).toThrow("There are 2 filters");
  service.uninstall(first);
  service.watchBlocks();
});

it("two polls at a time share what there is", async () => {
  const { service, mine } = await filters();
  const id = service.watchBlocks();
  await mine(3);
  const [one, other] = await Promise.all([service.changes(id, signal), service.changes(id, signal)]);
  expect([one, other].map((changes) => "hashes" in changes && changes.hashes.length)).toEqual([3, 0]);
});

describe("the journal", () => {
  it("forgets what all have read, and keeps what somebody has not", () => {
    const journal = new Journal<number>(1_000);
    for (let entry = 0; entry < 100; entry++) journal.append(entry);
    journal.trim(90);
    expect(journal.size).toBe(10);
    expect(journal.since(95)).toEqual([95, 96, 97, 98, 99]);
    expect(journal.since(0)).toBeUndefined();
    expect(journal.end).toBe(100);
  });

  it("holds at most twice what a reader may stay behind", () => {
    const journal = new Journal<number>(10);
    for (let entry = 0; entry < 1_000; entry++) {
      journal.append(entry);
      expect(journal.size).toBeLessThanOrEqual(21);
    }
    expect(journal.since(990)).toHaveLength(10);
    expect(journal.since(989)).toBeUndefined();
  });
});
