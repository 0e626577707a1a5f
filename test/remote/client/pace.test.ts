/** The pace of requests to one node, on a clock of the test. */
import { describe, expect, it } from "vitest";
import { Pace } from "../../../src/remote/client/pace.ts";

const aPace = (): Pace => new Pace({ maxBatch: 100, maxConcurrency: 8, random: () => 0 });

/** Sends calls one message after the other, which are all accepted. Returns the number of calls sent until a time. */
function sentUntil(pace: Pace, start: number, end: number): number {
  let sent = 0;
  for (let now = start; now < end; ) {
    const wait = pace.wait(now, 1000);
    now += Math.max(1, wait);
    if (wait > 0) continue;
    const calls = pace.take(now, 1000);
    pace.accepted(now, calls);
    sent += calls;
  }
  return sent;
}

describe("the pace after a refusal", () => {
  it("recovers soon if only a few calls were made before", () => {
    const pace = aPace();
    pace.accepted(0, 3);
    pace.refused(10, 1, 5, 20);
    expect(sentUntil(pace, 10, 10_000)).toBeGreaterThan(500);
  });

  it("stays close to the rate of a second in which many calls were made", () => {
    const pace = aPace();
    pace.accepted(0, 25);
    pace.refused(10, 5, 5, 20);
    const sent = sentUntil(pace, 10, 10_000);
    expect(sent).toBeGreaterThan(200);
    expect(sent).toBeLessThan(320);
  });
});
