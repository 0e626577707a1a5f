/** Work in steps. */
import { expect, it, onTestFinished, vi } from "vitest";
import { onNextTurn } from "../../../src/primitives/platform/event-loop.ts";
import { atOnce, inTurns, SharedSteps, type Steps } from "../../../src/primitives/platform/turns.ts";

/** Does three steps, which it notes. */
function* threeSteps(done: number[], failure?: Error): Steps<string> {
  for (const step of [1, 2, 3]) {
    done.push(step);
    yield;
  }
  if (failure !== undefined) throw failure;
  return "done";
}

it("does all steps at once, or in turns", async () => {
  const done: number[] = [];
  expect(atOnce(threeSteps(done))).toBe("done");
  expect(await inTurns(threeSteps(done))).toBe("done");
  expect(done).toEqual([1, 2, 3, 1, 2, 3]);
});

it("does steps once for all that need them, and goes on where one of them waits", async () => {
  const done: number[] = [];
  const shared = new SharedSteps(threeSteps(done));
  const first = shared.join();
  first.next();
  expect(done).toEqual([1]);
  expect(atOnce(shared.join())).toBe("done");
  expect([atOnce(first), await inTurns(shared.join())]).toEqual(["done", "done"]);
  expect(done).toEqual([1, 2, 3]);
});

it("gives the error of steps to all that need them", async () => {
  const failure = new Error("broken");
  const shared = new SharedSteps(threeSteps([], failure));
  expect(() => atOnce(shared.join())).toThrow(failure);
  await expect(inTurns(shared.join())).rejects.toBe(failure);
});

it("lets several pieces of long work do ten milliseconds in a turn together, one after another", async () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const done: string[] = [];
  function* work(name: string): Steps<void> {
    for (let step = 0; step < 4; step++) {
      done.push(name);
      now += 6;
      yield;
    }
  }
  let isOver = false;
  const turns: string[] = [];
  const look = (): void => {
    turns.push(done.splice(0).join(""));
    if (!isOver) onNextTurn(look);
  };
  const all = Promise.all(["a", "b", "c", "d"].map((name) => inTurns(work(name))));
  look();
  await all;
  isOver = true;
  await new Promise<void>((resolve) => onNextTurn(() => onNextTurn(resolve)));
  // Each begins at once.
  expect(turns.shift()).toBe("abcd");
  expect(turns.every((each) => each.length <= 2)).toBe(true);
  expect(turns.join("")).toBe("abcdabcdabcd");
});

/** A clock that only work moves on, and work of three steps, which take some milliseconds each. */
function timedWork(): { readonly done: string[]; work(name: string, ms: number): Steps<void> } {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const done: string[] = [];
  return {
    done,
    *work(name, ms) {
      for (let step = 0; step < 3; step++) {
        done.push(name);
        now += ms;
        yield;
      }
    },
  };
}

it("lets work that begins in a turn that is over do a millisecond of it", async () => {
  const { done, work } = timedWork();
  const all = Promise.all([
    inTurns(work("a", 4)),
    inTurns(work("b", 7)),
    inTurns(work("c", 2)),
    inTurns(work("d", 0.2)),
  ]);
  // The second step of "a" begins the turn's time, which "b" ends.
  expect(done.join("")).toBe("aabcddd");
  await all;
  expect(done).toHaveLength(12);
});

it("lets short work wait, too, in a turn of twenty milliseconds", async () => {
  await new Promise<void>((resolve) => onNextTurn(() => onNextTurn(resolve)));
  const { done, work } = timedWork();
  const all = ["a", "b", "c"].map((name) => inTurns(work(name, 12)));
  all.push(...["d", "e"].map((name) => inTurns(work(name, 0.2))));
  // The first step of "a" begins the turn's time.
  expect(done.join("")).toBe("abcde");
  await Promise.all(all);
  expect(done).toHaveLength(15);
});
