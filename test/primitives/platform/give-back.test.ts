/** Garbage is collected when the process has become idle, not while it works. */
import { setTimeout as wait } from "node:timers/promises";
import { cachedDataVersionTag } from "node:v8";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { freeBytes, GiveBack, giveBackOfThread } from "../../../src/primitives/platform/give-back.ts";
import { LargeRequests } from "../../../src/rpc/requests/large-requests.ts";
import { slowIt } from "../../support/slow-suite.ts";

const MEBIBYTE = 2 ** 20;

/** A heap with what is in use and what is garbage, in mebibytes. */
let heap = { inUse: 0, garbage: 0 };
let utilization = 0;
let collections: string[] = [];
/** Percent by which the heap may grow, as they were set. */
let growth: number[] = [];
/** Whether a collection that was begun is over. */
let isOver = true;
const v8 = {
  begin(): () => boolean {
    collections.push("whole");
    heap = { ...heap, garbage: 0 };
    return () => isOver;
  },
  collectYoung: () => void collections.push("young"),
  bytesTaken: () => (heap.inUse + heap.garbage) * MEBIBYTE,
  limitGrowth: (percent: number) => void growth.push(percent),
};
/** What the clock says, in milliseconds. */
let now = 0;
const pass = (ms: number): void => {
  for (const end = now + ms; now < end; ) {
    now += 100;
    vi.advanceTimersByTime(100);
  }
};
const wholeCollections = (): number => collections.filter((type) => type === "whole").length;

beforeEach(() => {
  utilization = 0;
  isOver = true;
  heap = { inUse: 20, garbage: 0 };
  collections = [];
  growth = [];
  now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
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
  owner.note();
  for (utilization of [0.9, 0.1]) {
    pass(20_000);
    expect(collections).toEqual([]);
  }
  utilization = 0.02;
  pass(2_000);
  // The one of young objects makes V8 count what was released.
  expect(collections).toEqual(["whole", "young"]);
});

it("begins another collection until one is over, and looks then at what was found", () => {
  const owner = new GiveBack(v8);
  heap = { inUse: 20, garbage: 40 };
  isOver = false;
  owner.note();
  pass(2_400);
  expect(collections).toEqual(["whole", "whole", "whole"]);
  isOver = true;
  pass(600);
  expect(collections).toEqual(["whole", "whole", "whole", "young"]);
});

it("gives up after ten seconds where V8 never says that one is over", () => {
  const owner = new GiveBack(v8);
  heap = { inUse: 20, garbage: 40 };
  isOver = false;
  for (const times of [1, 2]) {
    owner.note();
    pass(20_000);
    expect(collections.filter((kind) => kind === "young")).toHaveLength(times);
    expect(wholeCollections()).toBe(21 * times);
    heap = { inUse: 20, garbage: 40 };
  }
});

it("collects once more for what was in use at the first time, and then no more", () => {
  const owner = new GiveBack(v8);
  heap = { inUse: 120, garbage: 40 };
  owner.note();
  pass(2_000);
  expect(collections).toEqual(["whole", "young"]);
  heap = { inUse: 30, garbage: 90 };
  pass(6_000);
  expect(collections).toEqual(["whole", "young", "whole", "young"]);
  pass(60_000);
  expect(collections).toHaveLength(4);
});

it("collects a third time, and then no more, if work ended between the first and the second", () => {
  const owner = new GiveBack(v8);
  heap = { inUse: 120, garbage: 40 };
  owner.note();
  pass(2_000);
  owner.note();
  heap = { inUse: 60, garbage: 90 };
  pass(6_000);
  expect(wholeCollections()).toBe(2);
  heap = { inUse: 30, garbage: 30 };
  pass(6_000);
  expect(wholeCollections()).toBe(3);
  owner.note();
  pass(60_000);
  expect(wholeCollections()).toBe(3);
});

it("lets little garbage be", () => {
  const owner = new GiveBack(v8);
  heap = { inUse: 20, garbage: 10 };
  owner.note();
  pass(20_000);
  expect(collections).toEqual([]);
});

it("looks ever more seldom at what stays in use", () => {
  const owner = new GiveBack(v8);
  heap = { inUse: 100, garbage: 0 };
  for (let seconds = 0; seconds < 600; seconds += 20) {
    owner.note();
    pass(20_000);
  }
  // Two at first, two after 20 seconds, and so on: 40, 80, 160, 320.
  expect(wholeCollections()).toBeLessThanOrEqual(12);
});

it("collects what was in use when it collected last, although memory has not grown", () => {
  const owner = new GiveBack(v8);
  heap = { inUse: 120, garbage: 40 };
  owner.note();
  pass(60_000);
  expect(wholeCollections()).toBe(2);
  heap = { inUse: 20, garbage: 100 };
  owner.note();
  pass(2_000);
  expect(wholeCollections()).toBe(3);
  expect(heap.garbage).toBe(0);
});

it("collects when work ends that was held up while it collected in vain", () => {
  const owner = new GiveBack(v8);
  const release = owner.hold();
  heap = { inUse: 120, garbage: 0 };
  for (let seconds = 0; seconds < 300; seconds += 20) {
    owner.note();
    pass(20_000);
  }
  const before = wholeCollections();
  heap = { inUse: 30, garbage: 90 };
  release();
  pass(2_000);
  expect(wholeCollections()).toBe(before + 1);
});

it("lets the heap grow less until ten seconds after the last large request", () => {
  const owner = new GiveBack(v8);
  owner.growSparingly();
  pass(8_000);
  owner.growSparingly();
  pass(9_900);
  expect(growth).toEqual([25]);
  pass(200);
  expect(growth).toEqual([25, 0]);
  owner.growSparingly();
  expect(growth).toEqual([25, 0, 25]);
  owner.growFreely();
  expect(growth).toEqual([25, 0, 25, 0]);
  pass(11_000);
  owner.growFreely();
  expect(growth).toEqual([25, 0, 25, 0]);
});

it("does so before it serves a large request, and not for a small one", () => {
  const growSparingly = vi.spyOn(GiveBack.prototype, "growSparingly").mockReturnValue();
  const requests = new LargeRequests();
  void requests.enter(1_000);
  expect(growSparingly).not.toHaveBeenCalled();
  void requests.enter(1_000_000);
  expect(growSparingly).toHaveBeenCalledOnce();
});

it("has one owner for all nodes of a thread, which have one heap", () => {
  const note = vi.spyOn(GiveBack.prototype, "note").mockReturnValue();
  for (const node of [new LargeRequests(), new LargeRequests()]) node.giveBack();
  expect(note.mock.contexts).toEqual([giveBackOfThread(), giveBackOfThread()]);
  expect(new Set(note.mock.contexts).size).toBe(1);
});

slowIt("collects with V8 itself, by default, and leaves no option of V8 set", async () => {
  const tag = cachedDataVersionTag();
  const options = vi.spyOn(process.getBuiltinModule("node:v8"), "setFlagsFromString");
  const owner = new GiveBack();
  let isFound = false;
  const found = new FinalizationRegistry(() => {
    isFound = true;
  });
  found.register(new Uint8Array(200 * MEBIBYTE), undefined);
  await wait(10);
  owner.note();
  pass(1_100);
  expect(cachedDataVersionTag()).toBe(tag);
  // As many looks as it takes to give up.
  for (let looks = 0; looks < 25; looks++) {
    await wait(50);
    pass(500);
  }
  expect(isFound).toBe(true);
  // One, one more if V8 was at another, and those of five seconds later.
  const begun = options.mock.calls.filter(([option]) => option === "--stress-incremental-marking");
  expect(begun.length).toBeLessThanOrEqual(4);
  owner.growSparingly();
  expect(cachedDataVersionTag()).not.toBe(tag);
  pass(10_000);
  expect(cachedDataVersionTag()).toBe(tag);
});

it("frees the bytes of a long buffer at once, but none of a short one or of one that has more", async () => {
  freeBytes(new Uint8Array(65_536));
  // The port is closed by then.
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < 2_000; count++) freeBytes(new Uint8Array(65_536).fill(1));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  const [freed, short, shared] = [new Uint8Array(16_384), new Uint8Array(100), new Uint8Array(65_536).subarray(1)];
  for (const bytes of [freed, short, shared]) freeBytes(bytes);
  expect([freed, short, shared].map(({ length }) => length)).toEqual([0, 100, 65_535]);
});
