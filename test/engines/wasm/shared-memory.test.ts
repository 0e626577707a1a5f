import { describe, expect, it } from "vitest";
import { SharedMemory } from "../../../src/engines/wasm/shared-memory.ts";
import type { Pace } from "../../../src/evm/engine.ts";

const MEBIBYTE = 2 ** 20;
const CLIENTS: Pace = { check: () => undefined, requireTime: () => undefined, timeoutMs: 1_000 };

interface Instance {
  size: number;
}

/** Four executions that have less than their share of 40 MiB. */
function four(): { memory: SharedMemory<Instance>; instances: [Instance, Instance, Instance, Instance] } {
  // Other tests of this process may leave something that is held.
  const memory = new SharedMemory<Instance>(40 * MEBIBYTE, { bytes: 0 });
  const make = (): Instance => ({ size: MEBIBYTE });
  const instances: [Instance, Instance, Instance, Instance] = [make(), make(), make(), make()];
  for (const instance of instances) memory.enter(instance);
  return { memory, instances };
}

const grow = (memory: SharedMemory<Instance>, instance: Instance, mebibytes: number, pace = CLIENTS) => {
  instance.size = mebibytes * MEBIBYTE;
  return memory.wait(instance, pace);
};

describe("executions side by side", () => {
  it("do not wait while all together have no more than the bound, or each no more than half its share", () => {
    const { memory, instances } = four();
    expect(instances.map((instance) => grow(memory, instance, 10))).toEqual(Array(4).fill(undefined));
    expect(grow(memory, instances[0], 50)).toBeUndefined();
    expect(grow(memory, instances[1], 5)).toBeUndefined();
    expect(memory.isScarceFor(instances[1])).toBe(true);
    expect(memory.isScarceFor(instances[0])).toBe(false);
  });

  it("wait beyond it, but for one, until that one's message ends", async () => {
    const { memory, instances } = four();
    const [first, second, third] = instances;
    expect(grow(memory, first, 50)).toBeUndefined();
    const order: string[] = [];
    const waits = [second, third].map((instance, index) =>
      grow(memory, instance, 11)?.then(() => order.push(`${index}`)),
    );
    expect(waits.every((wait) => wait instanceof Promise)).toBe(true);
    expect(grow(memory, first, 60)).toBeUndefined();
    memory.endMessage(first);
    await waits[0];
    expect(order).toEqual(["0"]);
    memory.leave(second);
    await waits[1];
    expect(order).toEqual(["0", "1"]);
  });

  it("have less room while clients have the process hold much, but a quarter of the bound", () => {
    const held = { bytes: 0 };
    const memory = new SharedMemory<Instance>(40 * MEBIBYTE, held);
    const [first, second] = [{ size: MEBIBYTE }, { size: MEBIBYTE }];
    for (const instance of [first, second]) memory.enter(instance);
    grow(memory, first, 12);
    expect(grow(memory, second, 12)).toBeUndefined();
    held.bytes = 15 * MEBIBYTE;
    expect(memory.isScarceFor(first)).toBe(false);
    held.bytes = 20 * MEBIBYTE;
    expect(memory.isScarceFor(first)).toBe(true);
    held.bytes = 400 * MEBIBYTE;
    for (const instance of [first, second]) {
      grow(memory, instance, 5);
      memory.endMessage(instance);
    }
    expect(memory.isScarceFor(first)).toBe(false);
    second.size = 6 * MEBIBYTE;
    memory.enter(second);
    expect(memory.isScarceFor(first)).toBe(true);
  });

  it("do not wait for what their instances had when they were taken, however scarce memory is", () => {
    const memory = new SharedMemory<Instance>(40 * MEBIBYTE, { bytes: 0 });
    const [ahead, used] = [{ size: MEBIBYTE }, { size: 16 * MEBIBYTE }];
    for (const instance of [ahead, used]) memory.enter(instance);
    expect(grow(memory, ahead, 50)).toBeUndefined();
    expect(memory.isScarceFor(used)).toBe(true);
    expect(grow(memory, used, 17)).toBeUndefined();
    expect(grow(memory, used, 27)).toBeInstanceOf(Promise);
  });

  it("count what is recorded of them, until they leave", async () => {
    const { memory, instances } = four();
    const [first, second] = instances;
    expect(memory.wait(first, CLIENTS, 45 * MEBIBYTE)).toBeUndefined();
    expect(memory.bytes).toBe(49 * MEBIBYTE);
    const waiting = memory.wait(second, CLIENTS, 10 * MEBIBYTE);
    expect(waiting).toBeInstanceOf(Promise);
    memory.leave(first);
    await waiting;
    expect(memory.bytes).toBe(13 * MEBIBYTE);
    expect(memory.wait(second, CLIENTS)).toBeUndefined();
    expect(memory.bytes).toBe(3 * MEBIBYTE);
  });

  it("go on all at once when there is room again", async () => {
    const { memory, instances } = four();
    const [first, second, third] = instances;
    grow(memory, first, 50);
    const waits = [second, third].map((instance) => grow(memory, instance, 15));
    memory.leave(first);
    await Promise.all(waits);
    expect(memory.bytes).toBe(31 * MEBIBYTE);
  });

  it("never wait for clients where the chain itself executes, and end at their time limit", async () => {
    const { memory, instances } = four();
    const [first, second, third] = instances;
    grow(memory, first, 50);
    expect(grow(memory, second, 60, { check: () => undefined })).toBeUndefined();
    const late = new Error("late");
    const requireTime = (): never => {
      throw late;
    };
    await expect(grow(memory, third, 15, { ...CLIENTS, requireTime })).rejects.toBe(late);
  });
});
