import { describe, expect, it } from "vitest";
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
});
