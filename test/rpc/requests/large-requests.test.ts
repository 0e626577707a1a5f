/** Large requests wait for each other, small ones go by. */
import { expect, it } from "vitest";
import { LargeRequests, MAX_LARGE_LENGTH } from "../../../src/rpc/requests/large-requests.ts";

const HALF = MAX_LARGE_LENGTH / 2;

function begun() {
  const requests = new LargeRequests();
  const order: string[] = [];
  const enter = (name: string, length: number): void => {
    const waiting = requests.enter(length);
    if (waiting === undefined) order.push(name);
    else void waiting.then(() => order.push(name));
  };
  return { requests, order, enter };
}

it("begin in their order, when those before them have left room", async () => {
  const { requests, order, enter } = begun();
  enter("a", HALF);
  enter("b", HALF);
  enter("c", HALF);
  enter("d", 100_000);
  enter("small", 1_000);
  await Promise.resolve();
  expect(order).toEqual(["a", "b", "small"]);
  requests.leave(HALF);
  await Promise.resolve();
  expect(order).toEqual(["a", "b", "small", "c"]);
  requests.leave(HALF);
  await Promise.resolve();
  expect(order).toEqual(["a", "b", "small", "c", "d"]);
});

it("are served alone if they are larger than all may be together", async () => {
  const { requests, order, enter } = begun();
  enter("a", 3 * MAX_LARGE_LENGTH);
  enter("b", 100_000);
  expect(order).toEqual(["a"]);
  requests.leave(3 * MAX_LARGE_LENGTH);
  await Promise.resolve();
  expect(order).toEqual(["a", "b"]);
});
