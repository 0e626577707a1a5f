/** Classification of errors of nodes and providers, by their texts. */
import { describe, expect, it } from "vitest";
import { failureOf, failureOfReply } from "../../../src/remote/client/failures.ts";

describe("an error", () => {
  it.each([
    // Rate limits
    [429, "Your app has exceeded its compute units per second capacity.", "pace"],
    [-32005, "project ID request rate exceeded", "pace"],
    [-32007, "25/second request limit reached - reduce calls per second or upgrade your account", "pace"],
    [-32000, "Too Many Requests", "pace"],
    [-32029, "rate limit exceeded, try again in 10s", "pace"],
    [-32005, "daily request count exceeded, request rate limited", "pace"],
    [-32090, "Too many requests, reason: call rate limit exhausted", "pace"],
    [15, "You've reached the monthly quota limit", "pace"],
    // Batches
    [-32600, "batch too large", "batch"],
    [-32000, "batch limit 10 exceeded", "batch"],
    [-32600, "Batch of more than 3 requests are not allowed on free tier", "batch"],
    [-32602, "batch requests are not supported", "batch"],
    // States that are gone
    [-32000, "missing trie node 5b1a (path ) state 0x5b1a is not available, not found", "pruned"],
    [-32000, "historical state 0x01 is not available", "pruned"],
    [-32000, "required historical state unavailable (reexec=128)", "pruned"],
    [-32001, "No state available for block 0x1234", "pruned"],
    [-32000, "old data not available due to pruning", "pruned"],
    [4444, "pruned history unavailable", "pruned"],
    [-32000, "distance to target block exceeds maximum proof window", "pruned"],
    [-32000, "World state unavailable", "pruned"],
    [-32000, "no state found for block 0x1234", "pruned"],
    [-32000, "historical backend queries not supported", "pruned"],
    [-32000, "project ID request rate exceeded", "pace"],
    [-32002, "this request requires an archive node", "pruned"],
    [-32000, "state at block #12 is pruned", "pruned"],
    [-32000, "metadata is not found, state histories haven't been fully indexed yet", "pruned"],
    // Blocks that are not known
    [-32000, "header not found", "unknownBlock"],
    [-32001, "block not found: 0x12", "unknownBlock"],
    [-39001, "Unknown block", "unknownBlock"],
    [-32000, "header for hash not found", "unknownBlock"],
    [-32602, "hash is not currently canonical", "unknownBlock"],
    // Methods that are not served
    [-32601, "the method eth_getProof does not exist/is not available", "method"],
    [-32601, "Method not found", "method"],
    [-32600, "Unsupported method: eth_createAccessList. See available methods", "method"],
    [-32000, "method eth_getStorageValues is not supported", "method"],
    // Passing weaknesses
    [-32603, "Internal error", "broken"],
    [-32000, "request timed out", "broken"],
    [-32000, "upstream connect error", "broken"],
    [-32000, "service temporarily unavailable", "broken"],
    // geth, while it moves its snapshot
    [-32000, "layer stale", "broken"],
    // Answers
    [3, "execution reverted: rate limit", "refused"],
    [-32000, "execution reverted", "refused"],
    [-32602, "invalid argument 1: json: cannot unmarshal object into Go value of type string", "refused"],
    [-32000, "insufficient funds for gas * price + value", "refused"],
    [-32005, "query returned more than 10000 results", "refused"],
    [-32000, "exceed maximum block range: 5000", "refused"],
  ] as const)("%s %s: %s", (code, message, kind) => {
    expect(failureOf({ code, message }).kind).toBe(kind);
  });

  it("is read at its beginning only: texts of megabytes would take the patterns minutes", () => {
    const message = `${"state for block ".repeat(70_000)}missing trie node`;
    const { kind, problem } = failureOf({ code: -32000, message });
    expect(kind).toBe("refused");
    expect(problem.length).toBeLessThan(400);
  });

  it("says how long to wait, where it does", () => {
    const data = { rate: { allowed_rps: 1, backoff_seconds: 30, current_rps: 1.3 } };
    expect(failureOf({ code: -32005, message: "rate", data }).retryAfterMs).toBe(30_000);
    expect(failureOf({ code: -32007, message: "rate", data: { try_again_in: "523ms" } }).retryAfterMs).toBe(523);
  });
});

describe("a reply", () => {
  const error = (code: number, message: string) => [{ id: null, error: { code, message } }];

  it.each([
    [{ status: 429, answers: error(1, "no") }, 5, "pace"],
    [{ status: 200, answers: error(-32005, "rate limit exceeded") }, 5, "pace"],
    [{ status: 200, answers: error(-32600, "invalid request") }, 5, "batch"],
    [{ status: 413, problem: "too large" }, 5, "batch"],
    [{ status: 400, problem: "bad request" }, 5, "batch"],
    [{ status: 400, problem: "bad request" }, 1, "broken"],
    [{ status: 502, problem: "bad gateway" }, 5, "broken"],
    [{ status: 200, problem: "no JSON" }, 1, "broken"],
    [{ status: 401, problem: "unauthorized" }, 1, "refused"],
    [{ status: 200, answers: error(-32000, "header not found") }, 1, undefined],
  ])("%j to %s calls: %s", (reply, calls, kind) => {
    expect(failureOfReply(reply, calls)?.kind).toBe(kind);
  });
});
