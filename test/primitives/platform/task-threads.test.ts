import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TaskThreads, type TaskThreadsOptions } from "../../../src/primitives/platform/task-threads.ts";
import { slowIt } from "../../support/slow-suite.ts";

/** A task and its answer, for the work that answers with its input. */
type Bytes = Uint8Array;
interface Task {
  readonly standardAddress: number;
  readonly input: Bytes;
}

const task = (value: number): Task => ({ standardAddress: 4, input: Uint8Array.of(value) });
const answer = (value: number): unknown => ({ output: Uint8Array.of(value) });
/** No precompile has this address. */
const BROKEN: Task = { standardAddress: 999, input: new Uint8Array() };
/** A minute of BLAKE2 and more. */
const ENDLESS: Task = { standardAddress: 9, input: new Uint8Array(213).fill(0xff, 0, 4) };

let started: Worker[] = [];
const note = (worker: Worker): void => void started.push(worker);
const open: TaskThreads<Task, unknown>[] = [];
beforeEach(() => {
  started = [];
  process.on("worker", note);
});
afterEach(async () => {
  process.off("worker", note);
  vi.useRealTimers();
  for (const threads of open.splice(0)) await threads.close();
});

function threads(options: Partial<TaskThreadsOptions> = {}): TaskThreads<Task, unknown> {
  const made = new TaskThreads<Task, unknown>({ kind: "precompiles", subject: "precompile", ...options });
  open.push(made);
  return made;
}

const shared = (): TaskThreads<Task, unknown> => threads({ most: 1, usersEach: Number.POSITIVE_INFINITY });

describe("threads for tasks", () => {
  it("do all tasks in one thread where it is shared, in their order", async () => {
    const one = shared();
    const finished: number[] = [];
    const asked = [1, 2, 3].map(async (value) => {
      expect(await one.run(task(value))).toEqual(answer(value));
      finished.push(value);
    });
    await Promise.all(asked);
    expect(finished).toEqual([1, 2, 3]);
    expect(started).toHaveLength(1);
  });

  it("are at most as many as they may be, and each is used again", async () => {
    const two = threads({ most: 2 });
    const values = [1, 2, 3, 4, 5];
    expect(await Promise.all(values.map((value) => two.run(task(value))))).toEqual(values.map(answer));
    expect(started).toHaveLength(2);
    await two.run(task(6));
    expect(started).toHaveLength(2);
  });

  slowIt("end when they are idle, and a later task starts another", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const one = threads({ idleMs: 2_000 });
    await one.run(task(1));
    vi.advanceTimersByTime(1_999);
    await one.run(task(2));
    expect(started).toHaveLength(1);
    vi.advanceTimersByTime(2_000);
    expect(await one.run(task(3))).toEqual(answer(3));
    expect(started).toHaveLength(2);
  });

  it("do not end while somebody waits", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const one = threads({ idleMs: 2_000 });
    await one.run(task(1));
    const running = one.run(task(2));
    vi.advanceTimersByTime(10_000);
    expect(await running).toEqual(answer(2));
    expect(started).toHaveLength(1);
  });

  it("that fail reject everybody who waits for them, and the next task starts another", async () => {
    const one = shared();
    const outcomes = await Promise.allSettled([one.run(BROKEN), one.run(task(1))]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(outcomes[0]).toMatchObject({ reason: { message: expect.stringContaining("999") } });
    expect(await one.run(task(2))).toEqual(answer(2));
    expect(started).toHaveLength(2);
  });

  it("reject who waits and aborts with the reason, whether a thread is free or not", async () => {
    const one = threads({ most: 1 });
    const [working, waiting] = [new AbortController(), new AbortController()];
    const running = one.run(ENDLESS, working.signal);
    const queued = one.run(task(1), waiting.signal);
    const patient = one.run(task(2));
    waiting.abort("no longer");
    await expect(queued).rejects.toBe("no longer");
    working.abort("enough");
    await expect(running).rejects.toBe("enough");
    expect(await patient).toEqual(answer(2));
    expect(started).toHaveLength(2);
  });

  it("reject what is asked once they are closed", async () => {
    const closed = threads();
    const running = closed.run(ENDLESS);
    const outcome = expect(running).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
    await closed.close();
    await outcome;
    await expect(closed.run(task(1))).rejects.toMatchObject({ message: "The threads of precompiles are closed." });
  });
});
