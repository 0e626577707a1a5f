/** A clock for tests of time limits that measures work instead of the machine. */
import { onTestFinished, vi } from "vitest";

/**
 * Until the test ends `performance.now()` advances by some milliseconds with each call of it, and by nothing else: a run
 * has as many checks of its time on every machine.
 *
 * @returns the time, which can be set ahead
 */
export function stepClock(stepMs = 1): { now: number } {
  const clock = { now: performance.now() };
  const spy = vi.spyOn(performance, "now").mockImplementation(() => (clock.now += stepMs));
  onTestFinished(() => void spy.mockRestore());
  return clock;
}
