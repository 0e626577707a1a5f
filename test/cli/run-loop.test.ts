/** The command that drives a run of jobs, while PostgreSQL is away or another command has the run. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { driveRun, type RunLoop } from "../../src/cli/jobs/run-loop.ts";
import { RemoteError } from "../../src/errors/hindcast-error.ts";

const AWAY = new RemoteError({ code: "SHARED_LOG_UNREACHABLE", what: "PostgreSQL does not answer." });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @param holds - what the attempts to hold the run give, one after another; the last one again and again */
async function driven(holds: readonly (boolean | RemoteError)[]): Promise<readonly string[]> {
  const notices: string[] = [];
  let attempt = 0;
  const loop = {
    run: { id: "a run", wish: { chain: "a chain" } },
    delivery: {
      async hold() {
        const hold = holds[Math.min(attempt++, holds.length - 1)];
        if (hold instanceof Error) throw hold;
        return hold;
      },
      step: async () => ({ done: 7n, total: 7n }),
      letGo: async () => undefined,
    },
    stop: new AbortController().signal,
    progress: undefined,
    notice: (text: string) => void notices.push(text),
  } as unknown as RunLoop;
  let isOver = false;
  const driving = driveRun(loop).finally(() => {
    isOver = true;
  });
  while (!isOver) await vi.advanceTimersByTimeAsync(100);
  expect(await driving).toBe(7n);
  return notices;
}

it("says that PostgreSQL does not answer, and not that another command has the run", async () => {
  expect(await driven([AWAY, true])).toEqual([AWAY.message]);
});

it("says once that another command has the run, and waits for its end", async () => {
  expect(await driven([false, false, true])).toEqual([expect.stringContaining("Another command has this run")]);
});
