import { beforeEach, expect, it, vi } from "vitest";
import type { Miner } from "../../src/miner/miner.ts";
import { MiningSchedule } from "../../src/miner/mining-mode.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return () => void vi.useRealTimers();
});

/** A miner whose blocks are done when the test says so. */
function aMiner() {
  const finish: (() => void)[] = [];
  const mine = vi.fn(() => new Promise<never[]>((resolve) => finish.push(() => resolve([]))));
  const finishAll = async (): Promise<void> => {
    for (const done of finish.splice(0)) done();
    // Waiting code has continued by now.
    await new Promise(setImmediate);
  };
  return { miner: { mine } as unknown as Miner, mine, finishAll };
}

const ignore = (): void => undefined;

it("waits for a slow block before the next one's time begins", async () => {
  const { miner, mine, finishAll } = aMiner();
  const schedule = new MiningSchedule(miner, { intervalMs: 1_000 }, ignore);
  vi.advanceTimersByTime(5_000);
  expect(mine).toHaveBeenCalledTimes(1);
  await finishAll();
  vi.advanceTimersByTime(1_000);
  expect(mine).toHaveBeenCalledTimes(2);
  schedule.stop();
});

it("set to the same mode while a block is mined goes on at the same pace, and stops", async () => {
  const { miner, mine, finishAll } = aMiner();
  const mode = { intervalMs: 1_000 };
  const schedule = new MiningSchedule(miner, mode, ignore);
  vi.advanceTimersByTime(1_000);
  schedule.set(mode);
  await finishAll();
  vi.advanceTimersByTime(1_000);
  expect(mine).toHaveBeenCalledTimes(2);
  schedule.stop();
  await finishAll();
  expect(vi.getTimerCount()).toBe(0);
});
