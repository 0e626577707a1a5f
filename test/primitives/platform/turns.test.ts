/** Work in steps. */
import { expect, it } from "vitest";
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
