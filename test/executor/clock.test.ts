/** Sharing of the event loop between executions, and the time that a clock counts. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ExecutionClock, Turns } from "../../src/executor/clock.ts";

let now = 0;
beforeEach(() => {
  now = 1_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("turns", () => {
  it("give all executions together five milliseconds of a turn of the event loop", async () => {
    const turns = new Turns();
    const clocks = [new ExecutionClock(turns), new ExecutionClock(turns)];
    expect(clocks.map((clock) => clock.check())).toEqual([undefined, undefined]);
    now += 4;
    expect(clocks[0]?.check()).toBeUndefined();
    now += 1;
    expect(clocks[0]?.check()).toBeInstanceOf(Promise);
    expect(clocks[1]?.check()).toBeInstanceOf(Promise);
    expect(new ExecutionClock(turns).check()).toBeInstanceOf(Promise);
  });

  it("let those that wait go on in their order, one in each turn", async () => {
    const turns = new Turns();
    const goneOn: string[] = [];
    turns.mayGoOn(now);
    for (const name of ["first", "second", "third"]) void turns.wait().then(() => goneOn.push(name));
    const seen: string[][] = [];
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn();
      seen.push([...goneOn]);
    }
    expect(seen.at(-1)).toEqual(["first", "second", "third"]);
    for (let turn = 1; turn < seen.length; turn++) {
      expect((seen[turn]?.length ?? 0) - (seen[turn - 1]?.length ?? 0)).toBeLessThanOrEqual(1);
    }
  });
});

it("refuses to record more than the limit of its run, and says which flag raises it", () => {
  const clock = new ExecutionClock(new Turns(), { recordingMemory: 1_000 });
  expect(() => clock.requireRoom(1_000)).not.toThrow();
  const data = { limit: 1_000, flag: "--recording-memory" };
  expect(() => clock.requireRoom(1_001)).toThrow(expect.objectContaining({ code: "RECORDING_LIMIT", data }));
  expect(() => new ExecutionClock(new Turns()).requireRoom(2 ** 40)).not.toThrow();
});

it("those that were aborted, or whose time is over, all end in one turn, in which another goes on", async () => {
  const turns = new Turns();
  const ended: string[] = [];
  turns.mayGoOn(now);
  const aborter = new AbortController();
  const limits = { aborted: { signal: aborter.signal }, late: { timeoutMs: 20 }, running: {} };
  now += 10;
  for (const name of ["aborted", "late", "aborted", "late", "running", "running"] as const) {
    const over = (): unknown => ended.push(name);
    void Promise.resolve(new ExecutionClock(turns, limits[name]).check()).then(over, over);
  }
  aborter.abort();
  now += 30;
  await nextTurn();
  expect(ended).toEqual(["aborted", "late", "aborted", "late", "running"]);
});

describe("a young execution", () => {
  it("goes before those that have had many turns, of which one in four goes on all the same", async () => {
    const turns = new Turns();
    const goneOn: string[] = [];
    turns.mayGoOn(now);
    for (const name of ["old 1", "old 2"]) void turns.wait().then(() => goneOn.push(name));
    for (let count = 1; count <= 5; count++) void turns.wait(true).then(() => goneOn.push(`young ${count}`));
    while (goneOn.length < 7) await nextTurn();
    expect(goneOn).toEqual(["young 1", "young 2", "young 3", "old 1", "young 4", "young 5", "old 2"]);
  });
});

describe("a clock", () => {
  it("ends a run that has had its time", () => {
    const clock = new ExecutionClock(new Turns(), { timeoutMs: 5 });
    now += 5;
    expect(clock.check()).toBeUndefined();
    now += 0.5;
    expect(() => clock.check()).toThrow("The execution took longer than its limit of 5 ms.");
  });

  it("ends a run whose time passes while it waits for its turn", async () => {
    const turns = new Turns();
    const clock = new ExecutionClock(turns, { timeoutMs: 20 });
    clock.check();
    now += 15;
    const waiting = clock.check();
    now += 10;
    await expect(waiting).rejects.toMatchObject({ code: "EXECUTION_TIMEOUT" });
  });

  it("ends a run that its caller aborted, with the caller's reason", () => {
    const aborter = new AbortController();
    const clock = new ExecutionClock(new Turns(), { signal: aborter.signal });
    expect(clock.check()).toBeUndefined();
    const reason = new Error("no more");
    aborter.abort(reason);
    expect(() => clock.check()).toThrow(expect.objectContaining({ code: "EXECUTION_ABORTED", cause: reason }));
  });

  it("does not count the time that a run waits for what is not its own business", async () => {
    const clock = new ExecutionClock(new Turns(), { timeoutMs: 100 });
    let goOn = (): void => undefined;
    now += 60;
    const pause = clock.pause(
      new Promise<void>((resolve) => {
        goOn = resolve;
      }),
    );
    now += 1_000;
    goOn();
    await pause;
    now += 39;
    await clock.check();
    now += 2;
    expect(() => clock.check()).toThrow("took longer than its limit of 100 ms");
  });
});
