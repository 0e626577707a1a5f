/** Progress of long fetches. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ReportedUpstream } from "../../src/remote/fetch-progress.ts";
import type { FetchProgress, Upstream } from "../../src/remote/upstream.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Answers each request after as many milliseconds as its parameter says. */
const slow: Upstream = {
  label: "slow",
  stats: { requests: 0, roundTrips: 0, retries: 0, rateLimited: 0 },
  request: (_, [ms]) => new Promise((resolve) => setTimeout(resolve, ms as number)),
  close: async () => undefined,
};

it("tells every five seconds what is answered and what is not, until nothing is under way", async () => {
  const told: FetchProgress[] = [];
  const upstream = new ReportedUpstream(slow, (progress) => told.push(progress));
  const requests = [1_000, 7_000, 12_000].map((ms) => upstream.request("eth_getBalance", [ms]));
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(requests);
  expect(told).toEqual([
    { label: "slow", answered: 1, waiting: 2, elapsedMs: 5_000 },
    { label: "slow", answered: 2, waiting: 1, elapsedMs: 10_000 },
  ]);
});
