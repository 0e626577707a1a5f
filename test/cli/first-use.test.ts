import { cachedDataVersionTag } from "node:v8";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { HeadChange } from "../../src/chain/write/head-change.ts";
import { FirstUse } from "../../src/cli/first-use.ts";
import { giveBackOfThread } from "../../src/primitives/platform/give-back.ts";

const REST_MS = 2_000;

/** A node that mines when it is told to, and a first use that is counted. */
function aUse() {
  const listeners = new Set<(change: HeadChange) => unknown>();
  const node = {
    onHeadChange(listener: (change: HeadChange) => unknown) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const onUsed = vi.fn();
  const firstUse = new FirstUse(node, onUsed);
  const mine = (transactions: number): void => {
    const added = [{ transactions: Array.from({ length: transactions }) }] as unknown as HeadChange["added"];
    for (const listener of listeners) listener({ removed: [], added });
  };
  return { firstUse, onUsed, mine, listeners };
}

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

it("comes when no block was mined for a while after the first transaction, and once", () => {
  const { onUsed, mine, listeners } = aUse();
  mine(0);
  vi.advanceTimersByTime(2 * REST_MS);
  mine(1);
  vi.advanceTimersByTime(REST_MS - 1);
  mine(0);
  vi.advanceTimersByTime(REST_MS - 1);
  expect(onUsed).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onUsed).toHaveBeenCalledTimes(1);
  expect(listeners.size).toBe(0);
  vi.advanceTimersByTime(2 * REST_MS);
  expect(onUsed).toHaveBeenCalledTimes(1);
});

it("comes at the end if that is earlier", () => {
  const { firstUse, onUsed, mine } = aUse();
  mine(2);
  firstUse.end();
  expect(onUsed).toHaveBeenCalledTimes(1);
  firstUse.end();
  vi.advanceTimersByTime(2 * REST_MS);
  expect(onUsed).toHaveBeenCalledTimes(1);
});

it("finds V8 with the options of the start, also shortly after a large request", () => {
  const tag = cachedDataVersionTag();
  const { firstUse, onUsed, mine } = aUse();
  onUsed.mockImplementation(() => expect(cachedDataVersionTag()).toBe(tag));
  giveBackOfThread().growSparingly();
  expect(cachedDataVersionTag()).not.toBe(tag);
  mine(1);
  firstUse.end();
  expect(onUsed).toHaveBeenCalledTimes(1);
});

it("does not come without transactions", () => {
  const { firstUse, onUsed, mine } = aUse();
  mine(0);
  firstUse.end();
  vi.advanceTimersByTime(2 * REST_MS);
  expect(onUsed).not.toHaveBeenCalled();
});
