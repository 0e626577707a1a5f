import { describe, expect, it } from "vitest";
import { RequestQueue, RequestsInHand } from "../../../src/server/sockets/request-queue.ts";

function aQueue(inHand: RequestsInHand, maxConcurrentRequests = 10, isHeld = () => false) {
  const served: string[] = [];
  const ends: (() => void)[] = [];
  const queue = new RequestQueue({
    maxConcurrentRequests,
    inHand,
    isHeld,
    serve: (text) => {
      served.push(text);
      return new Promise((resolve) => ends.push(resolve));
    },
    onEnd: () => undefined,
  });
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { queue, served, end };
}

it("the requests of all connections may take all of their limit", () => {
  const inHand = new RequestsInHand(10);
  inHand.add(10);
  expect(inHand.isFull).toBe(false);
  inHand.add(1);
  expect(inHand.isFull).toBe(true);
});

describe("the requests of a connection", () => {
  it("run together up to the limit of one connection, the others in their order after them", async () => {
    const { queue, served, end } = aQueue(new RequestsInHand(1e9), 2);
    for (const text of ["a", "b", "c", "d"]) queue.push(text);
    expect([served, queue.isFull]).toEqual([["a", "b"], true]);
    await end();
    expect(served).toEqual(["a", "b", "c"]);
    await end();
    await end();
    expect([served, queue.isFull, queue.isEmpty]).toEqual([["a", "b", "c", "d"], false, false]);
    await end();
    expect(queue.isEmpty).toBe(true);
  });

  it("run one at a time while those of all connections together are too long, and together again after that", async () => {
    const inHand = new RequestsInHand(1_000_000);
    const large = aQueue(inHand);
    const small = aQueue(inHand);
    large.queue.push("x".repeat(1_000_000));
    for (const text of ["a", "b", "c"]) small.queue.push(text);
    expect([small.served, small.queue.isFull]).toEqual([["a"], true]);
    await small.end();
    expect(small.served).toEqual(["a", "b"]);
    await large.end();
    expect(inHand.isFull).toBe(false);
    small.queue.push("d");
    expect(small.served).toEqual(["a", "b", "c", "d"]);
  });

  it("wait while earlier answers are not read, and start once they are", () => {
    let isHeld = true;
    const { queue, served } = aQueue(new RequestsInHand(1e9), 10, () => isHeld);
    queue.push("a");
    expect([served, queue.isFull]).toEqual([[], true]);
    isHeld = false;
    queue.startNext();
    expect([served, queue.isFull]).toEqual([["a"], false]);
  });

  it("that wait count for nobody once they are forgotten", () => {
    const inHand = new RequestsInHand(200_000);
    const { queue, served } = aQueue(inHand, 1);
    for (const text of ["a", "b", "c", "d"]) queue.push(text);
    expect(inHand.isFull).toBe(true);
    queue.clear();
    expect([inHand.isFull, served, queue.isEmpty]).toEqual([false, ["a"], false]);
  });
});
