import { expect, it } from "vitest";
import { type AnsweredRequest, createRequestLog } from "../../src/cli/request-log.ts";

function logged(request: AnsweredRequest, isTTY = false): string {
  let text = "";
  createRequestLog({ write: (part) => (text += part), isTTY })(request);
  return text;
}

it("writes time, method and duration on one line", () => {
  expect(logged({ method: "eth_blockNumber", durationMs: 0.321 })).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} eth_blockNumber 0\.3 ms\n$/,
  );
  expect(logged({ method: "eth_call", durationMs: 123.4 })).toMatch(/ eth_call 123 ms\n$/);
});

it("adds the error of a request that failed", () => {
  const error = { code: 3, message: "execution reverted: no" };
  expect(logged({ method: "eth_call", durationMs: 1, error })).toMatch(/ eth_call 1\.0 ms 3 execution reverted: no\n$/);
});

it("lets no client write lines or control characters of its own", () => {
  const line = logged({ method: "x\n\u001b[31mfake\r\n", durationMs: 1, error: { code: 1, message: "a\nb" } });
  expect(line.match(/\n/g)).toHaveLength(1);
  expect(line).not.toContain("\u001b");
  expect(logged({ method: "m".repeat(10_000), durationMs: 1 }).length).toBeLessThan(400);
});

it("uses colours on a terminal only", () => {
  expect(logged({ method: "m", durationMs: 1 }, true)).toContain("\u001b[2m");
  expect(logged({ method: "m", durationMs: 1 }, false)).not.toContain("\u001b");
});
