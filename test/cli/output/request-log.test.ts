import { expect, it } from "vitest";
import { createRequestLog, type LoggedError } from "../../../src/cli/output/request-log.ts";

function logged(method: string, error?: LoggedError, hasColors = false): string {
  let text = "";
  createRequestLog({ write: (part) => (text += part) }, hasColors)(method, error);
  return text;
}

it("writes time and method on one line", () => {
  expect(logged("eth_blockNumber")).toMatch(/^\d\d:\d\d:\d\d\.\d{3} eth_blockNumber\n$/);
});

it("adds the error of a request that failed", () => {
  const error = { rpcCode: 3, rpcMessage: "execution reverted: no" };
  expect(logged("eth_call", error)).toMatch(/ eth_call 3 execution reverted: no\n$/);
});

it("lets no client write lines or control characters of its own", () => {
  const line = logged("x\n\u001b[31mfake\r\n", { rpcCode: 1, rpcMessage: "a\nb" });
  expect(line.match(/\n/g)).toHaveLength(1);
  expect(line).not.toContain("\u001b");
  expect(logged("m".repeat(10_000)).length).toBeLessThan(400);
});

it("uses colours on a terminal only", () => {
  expect(logged("m", undefined, true)).toContain("\u001b[2m");
  expect(logged("m", undefined, false)).not.toContain("\u001b");
});
