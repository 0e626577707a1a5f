import { afterEach, describe, expect, it, vi } from "vitest";
import { TaskThread } from "../../../src/primitives/platform/task-thread.ts";

const threads: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const thread of threads.splice(0)) await thread.close();
});

/** Tells in which thread a task ran; a task of less than zero fails. */
function aThread(): TaskThread<
  typeof import("node:worker_threads"),
  number,
  { readonly thread: number; readonly task: number }
> {
  const thread = new TaskThread({
    open: (load) => load("node:worker_threads") as typeof import("node:worker_threads"),
    work:
      ({ threadId }) =>
      (task: number) => {
        if (task < 0) throw new Error("below zero");
        return { thread: threadId, task };
      },
  });
  threads.push(thread);
  return thread;
}

describe("a thread for tasks", () => {
  it("does all tasks that are asked for at once, in one thread", async () => {
    const thread = aThread();
    const results = await Promise.all([1, 2, 3].map((task) => thread.run(task)));
    expect(results.map(({ task }) => task)).toEqual([1, 2, 3]);
    expect(new Set(results.map((result) => result.thread)).size).toBe(1);
  });

  it("is ended when it idles, and a later task starts another", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const thread = aThread();
    const first = await thread.run(1);
    vi.advanceTimersByTime(1_999);
    expect((await thread.run(2)).thread).toBe(first.thread);
    vi.advanceTimersByTime(2_000);
    const second = await thread.run(3);
    expect(second.task).toBe(3);
    expect(second.thread).not.toBe(first.thread);
  });

  it("is not ended while somebody waits", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const thread = aThread();
    const first = await thread.run(1);
    const running = thread.run(2);
    vi.advanceTimersByTime(10_000);
    expect(await running).toEqual({ thread: first.thread, task: 2 });
  });

  it("that fails rejects everybody who waits, and the next task starts another", async () => {
    const thread = aThread();
    const outcomes = await Promise.allSettled([thread.run(-1), thread.run(1)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(outcomes[0]).toMatchObject({ reason: { message: "below zero" } });
    expect((await thread.run(2)).task).toBe(2);
  });
});
