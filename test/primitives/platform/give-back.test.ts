/** Garbage is collected when the process has become idle, not while it works. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GiveBack } from "../../../src/primitives/platform/give-back.ts";

const MEBIBYTE = 2 ** 20;

/** A heap with what is in use and what is garbage, in mebibytes. */
let heap = { inUse: 0, garbage: 0 };
let utilization = 0;
let collections: string[] = [];
const v8 = {
  collect({ type }: { readonly type?: "minor" } = {}): void {
    collections.push(type ?? "whole");
    if (type === undefined) heap = { ...heap, garbage: 0 };
  },
  bytesTaken: () => (heap.inUse + heap.garbage) * MEBIBYTE,
};

beforeEach(() => {
  utilization = 0;
  heap = { inUse: 20, garbage: 0 };
  collections = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(performance, "eventLoopUtilization").mockImplementation(() => ({ utilization, idle: 0, active: 0 }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("waits as long as the process works, and collects after a second in which it does not", () => {
  const owner = new GiveBack(v8);
  heap = { inUse: 20, garbage: 40 };
  utilization = 0.9;
  owner.note();
  vi.advanceTimersByTime(20_000);
  expect(collections).toEqual([]);
  utilization = 0.1;
  vi.advanceTimersByTime(2_000);
  // The minor one makes V8 count what was released.
  expect(collections).toEqual(["whole", "minor"]);
});

it("collects once more for what was in use at the first time, and then no more", () => {
  const owner = new GiveBack(v8);
  heap = { inUse: 120, garbage: 40 };
  owner.note();
  vi.advanceTimersByTime(2_000);
  expect(collections).toEqual(["whole", "minor"]);
  heap = { inUse: 30, garbage: 90 };
  vi.advanceTimersByTime(5_000);
  expect(collections).toEqual(["whole", "minor", "whole", "minor"]);
  vi.advanceTimersByTime(60_000);
  expect(collections).toHaveLength(4);
});

it("collects a third time, and then no more, if work ended between the first and the second", () => {
  const owner = new GiveBack(v8);
  heap = { inUse: 120, garbage: 40 };
  owner.note();
  vi.advanceTimersByTime(2_000);
  owner.note();
  heap = { inUse: 60, garbage: 90 };
  vi.advanceTimersByTime(6_000);
  expect(collections.filter((type) => type === "whole")).toHaveLength(2);
  heap = { inUse: 30, garbage: 30 };
  vi.advanceTimersByTime(6_000);
  expect(collections.filter((type) => type === "whole")).toHaveLength(3);
  owner.note();
  vi.advanceTimersByTime(60_000);
  expect(collections.filter((type) => type === "whole")).toHaveLength(3);
});

it("lets little garbage be, and what stays in use after it was looked at once", () => {
  const owner = new GiveBack(v8);
  heap = { inUse: 20, garbage: 10 };
  owner.note();
  vi.advanceTimersByTime(20_000);
  expect(collections).toEqual([]);
  heap = { inUse: 100, garbage: 0 };
  for (let times = 0; times < 5; times++) {
    owner.note();
    vi.advanceTimersByTime(20_000);
  }
  expect(collections.filter((type) => type === "whole")).toHaveLength(2);
});

it("collects with V8 itself, by default", async () => {
  const owner = new GiveBack();
  const found = new WeakRef(new Uint8Array(200 * MEBIBYTE));
  await new Promise((resolve) => setImmediate(resolve));
  owner.note();
  vi.advanceTimersByTime(2_000);
  expect(found.deref()).toBeUndefined();
});
