import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SlowRequests } from "../../../src/rpc/requests/slow-requests.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("tells of a request that goes on, every five seconds until its end", () => {
  const told: string[] = [];
  const slow = new SlowRequests((method, elapsedMs) => told.push(`${method} ${elapsedMs}`));
  const end = slow.begin("trace_filter");
  vi.advanceTimersByTime(1_000);
  slow.begin("eth_call")();
  vi.advanceTimersByTime(11_000);
  end();
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(["trace_filter 5000", "trace_filter 10000"]);
  expect(vi.getTimerCount()).toBe(0);
});
