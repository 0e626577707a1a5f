/** Steps between a run and its reader: who waits for whom, and how either ends. */
import { describe, expect, it } from "vitest";
import { InternalError } from "../../src/errors/hindcast-error.ts";
import type { StepBuffer } from "../../src/evm/step-buffer.ts";
import { StepWriter } from "../../src/evm/step-writer.ts";
import { StreamedSteps } from "../../src/tracer/streamed-steps.ts";

/** Buffers of two steps each. */
function buffers(count: number): StepBuffer[] {
  const writer = new StepWriter(2);
  return Array.from({ length: count }, () => {
    for (const pc of [0, 1]) {
      writer.begin({ pc, opcode: 0, frame: 0, memoryBytes: 0, gas: 0, cost: 0, forwarded: 0, refund: 0 });
    }
    return writer.take() as StepBuffer;
  });
}

const REQUEST = { memory: false, count: 6, waitingBuffers: 2 };

/** True once a promise is settled. */
async function isSettled(promise: Promise<void> | undefined): Promise<boolean> {
  let settled = false;
  void promise?.then(() => {
    settled = true;
  });
  await new Promise(setImmediate);
  return settled;
}

describe("passing steps", () => {
  it("ask for steps, with memory where that is wanted", () => {
    expect(new StreamedSteps(REQUEST).wants).toEqual({ steps: "recorded", memory: false });
    expect(new StreamedSteps({ ...REQUEST, memory: true }).wants).toEqual({ steps: "recorded", memory: true });
  });

  it("have the run wait while so many buffers wait to be read", async () => {
    const steps = new StreamedSteps(REQUEST);
    const [first, second, third] = buffers(3) as [StepBuffer, StepBuffer, StepBuffer];
    const reader = steps[Symbol.iterator]();
    expect(steps.takeSteps(first)).toBeUndefined();
    const waiting = steps.takeSteps(second);
    expect(await isSettled(waiting)).toBe(false);
    expect(reader.next().value).toBe(first);
    expect(await isSettled(waiting)).toBe(true);
    const again = steps.takeSteps(third);
    expect(reader.next().value).toBe(second);
    await again;
    steps.end();
    expect(reader.next().value).toBe(third);
    expect(reader.next().done).toBe(true);
  });

  it("give records to be overwritten, once the reader has asked for the next ones or left", () => {
    const steps = new StreamedSteps(REQUEST);
    const [first, second, third] = buffers(3) as [StepBuffer, StepBuffer, StepBuffer];
    const reader = steps[Symbol.iterator]();
    steps.takeSteps(first);
    steps.takeSteps(second);
    reader.next();
    expect(steps.spareSteps()).toBeUndefined();
    reader.next();
    expect(steps.spareSteps()).toBe(first.bytes);
    expect(steps.spareSteps()).toBeUndefined();
    reader.return?.();
    steps.takeSteps(third);
    expect(steps.spareSteps()).toBe(third.bytes);
  });

  it("have the reader wait for the next buffer, or the end", async () => {
    const steps = new StreamedSteps({ ...REQUEST, count: 2 });
    const [first] = buffers(1) as [StepBuffer];
    const reader = steps[Symbol.iterator]();
    const coming = reader.next().value as Promise<void>;
    expect(await isSettled(coming)).toBe(false);
    steps.takeSteps(first);
    await coming;
    expect(reader.next().value).toBe(first);
    const ending = reader.next().value as Promise<void>;
    steps.end();
    await ending;
    expect(reader.next().done).toBe(true);
  });

  it("tell of each wait, and give the run what comes of that", () => {
    const told: Promise<void>[] = [];
    const instead = Promise.resolve();
    const onWait = (until: Promise<void>): Promise<void> => {
      told.push(until);
      return instead;
    };
    const steps = new StreamedSteps({ ...REQUEST, waitingBuffers: 1, onWait });
    const [first] = buffers(1) as [StepBuffer];
    expect(steps.takeSteps(first)).toBe(instead);
    expect(told).toHaveLength(1);
  });

  it("let the run go on where nobody reads any more", async () => {
    const steps = new StreamedSteps({ ...REQUEST, waitingBuffers: 1 });
    const [first, second] = buffers(2) as [StepBuffer, StepBuffer];
    const waiting = steps.takeSteps(first);
    for (const _next of steps) break;
    expect(await isSettled(waiting)).toBe(true);
    expect(steps.takeSteps(second)).toBeUndefined();
  });

  it("give the reader the error that ended the run, behind what came before it", () => {
    const steps = new StreamedSteps(REQUEST);
    const [first] = buffers(1) as [StepBuffer];
    steps.takeSteps(first);
    steps.end({ error: new Error("aborted") });
    steps.end();
    const reader = steps[Symbol.iterator]();
    expect(reader.next().value).toBe(first);
    expect(() => reader.next()).toThrow("aborted");
  });

  it("find out that the run was another one than before", () => {
    const steps = new StreamedSteps(REQUEST);
    const [first] = buffers(1) as [StepBuffer];
    steps.takeSteps(first);
    steps.end();
    const reader = steps[Symbol.iterator]();
    reader.next();
    expect(() => reader.next()).toThrow(InternalError);
  });
});
