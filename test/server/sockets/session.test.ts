import { describe, expect, it } from "vitest";
import { DeferredTasks } from "../../../src/server/sockets/session.ts";

describe("DeferredTasks", () => {
  it("runs tasks in their order when the answer is queued, and later ones at once", () => {
    const tasks = new DeferredTasks();
    const ran: number[] = [];
    for (const each of [1, 2]) tasks.run(() => ran.push(each));
    expect(ran).toEqual([]);
    tasks.release();
    tasks.run(() => ran.push(3));
    expect(ran).toEqual([1, 2, 3]);
  });

  it("does not hold more than ten thousand", () => {
    const tasks = new DeferredTasks();
    const ran: number[] = [];
    for (let each = 0; each < 10_002; each++) tasks.run(() => ran.push(each));
    expect(ran).toEqual(Array.from({ length: 10_002 }, (_, each) => each));
  });
});
