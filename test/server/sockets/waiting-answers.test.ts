import { describe, expect, it } from "vitest";
import { heldMemory } from "../../../src/primitives/platform/held-memory.ts";
import { WaitingAnswers } from "../../../src/server/sockets/waiting-answers.ts";

function aReader() {
  const reasons: string[] = [];
  return { reasons, cutOff: (reason: string) => void reasons.push(reason) };
}

describe("answers that wait for all clients together", () => {
  it("crowd the server from more than a quarter of the limit on", () => {
    const waiting = new WaitingAnswers(1_000);
    const [one, other] = [aReader(), aReader()];
    waiting.note(one, 250);
    expect(waiting.isCrowded).toBe(false);
    waiting.note(other, 1);
    expect(waiting.isCrowded).toBe(true);
    waiting.note(one, 249);
    expect(waiting.isCrowded).toBe(false);
    expect([one.reasons, other.reasons]).toEqual([[], []]);
  });

  it("cost those clients their connection for which the most waits, until the rest is within the limit", () => {
    const waiting = new WaitingAnswers(1_000);
    const [small, large, middle] = [aReader(), aReader(), aReader()];
    waiting.note(small, 100);
    waiting.note(large, 500);
    waiting.note(middle, 400);
    expect(large.reasons).toEqual([]);
    waiting.note(small, 101);
    expect([small, large, middle].map(({ reasons }) => reasons.length)).toEqual([0, 1, 0]);
    waiting.note(small, 600);
    expect([small, large, middle].map(({ reasons }) => reasons.length)).toEqual([0, 1, 0]);
    waiting.note(small, 601);
    expect(small.reasons).toEqual(["too much waits for all readers together"]);
  });

  it("are memory that the process holds, until they are read or their client is cut off", () => {
    const before = heldMemory().bytes;
    const waiting = new WaitingAnswers(1_000);
    const [one, other] = [aReader(), aReader()];
    waiting.note(one, 300);
    waiting.note(other, 400);
    waiting.note(one, 200);
    expect(heldMemory().bytes - before).toBe(600);
    waiting.note(one, 700);
    expect(one.reasons).toHaveLength(1);
    expect(heldMemory().bytes - before).toBe(400);
    waiting.note(other, 0);
    expect(heldMemory().bytes).toBe(before);
  });
});
