import { beforeEach, describe, expect, it, vi } from "vitest";
import { InvalidParamsError, RemoteError } from "../../src/errors/hindcast-error.ts";
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
  vi.advanceTimersByTime(10_000);
  expect(mine).toHaveBeenCalledTimes(2);
});

describe("an error of interval mining", () => {
  const SHAPES = { code: "INVALID_PARAMS", what: "The time is too large.", fix: "Go back." } as const;

  /** Runs attempts that end with these errors, or with a block, and returns those that were reported. */
  async function reportedOf(
    ends: readonly (Error | undefined)[],
    between: (schedule: MiningSchedule, index: number) => void = ignore,
  ): Promise<unknown[]> {
    const waiting = [...ends];
    const mine = async (): Promise<never[]> => {
      const error = waiting.shift();
      if (error !== undefined) throw error;
      return [];
    };
    const reported: unknown[] = [];
    const schedule = new MiningSchedule({ mine } as unknown as Miner, { intervalMs: 1_000 }, (error) =>
      reported.push(error),
    );
    for (const index of ends.keys()) {
      vi.advanceTimersByTime(1_000);
      await new Promise(setImmediate);
      between(schedule, index);
    }
    schedule.stop();
    expect(waiting).toEqual([]);
    return reported;
  }

  const first = new InvalidParamsError(SHAPES);
  const later = new InvalidParamsError({ ...SHAPES, what: "The time is too large by a second more." });
  const other = new RemoteError({ code: "REMOTE_UNREACHABLE", what: "No answer.", fix: "Start it." });

  it("is reported once, and again after a block", async () => {
    expect(await reportedOf([first, later, first, undefined, later, first])).toEqual([first, later]);
  });

  it("is reported beside one of another kind", async () => {
    expect(await reportedOf([first, other, other, first])).toEqual([first, other, first]);
    const faults = [new Error("a"), new Error("a"), new Error("b")];
    expect(await reportedOf(faults)).toEqual([faults[0], faults[2]]);
  });

  it("is reported again after the mode was set", async () => {
    const setAfterFirst = (schedule: MiningSchedule, index: number): void => {
      if (index === 1) schedule.set({ intervalMs: 1_000 });
    };
    expect(await reportedOf([first, later, first, later], setAfterFirst)).toEqual([first, first]);
  });
});
