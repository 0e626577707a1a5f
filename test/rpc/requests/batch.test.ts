import { describe, expect, it } from "vitest";
import { answerBatch } from "../../../src/rpc/requests/batch.ts";

/** Holds the event loop for some milliseconds. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("a batch", () => {
  it.each([
    ["whole", 0],
    ["in pieces", 1],
  ])("of short answers leaves others their turn between two of them, answered %s", async (_, longAt) => {
    const seen: string[] = [];
    const serve = async (request: unknown): Promise<readonly string[] | Iterable<string>> => {
      work(3);
      seen.push(String(request));
      return longAt === 1 && request === 0 ? ["0"].values() : [String(request)];
    };
    setImmediate(() => seen.push("other"));
    const answer = await answerBatch([0, 1, 2, 3, 4, 5], {
      serve,
      refuse: () => undefined,
      pace: { signal: new AbortController().signal, timeoutMs: 60_000 },
      servedFirst: 0,
    });
    let text = "";
    if (typeof answer === "string") text = answer;
    else for await (const piece of answer ?? []) text += piece;
    expect(text).toBe("[0,1,2,3,4,5]");
    expect(seen.indexOf("other")).toBeLessThan(5);
    expect(seen).toHaveLength(7);
  });

  it("is answered up to a length, and from there on with an error for each request", async () => {
    const served: unknown[] = [];
    const answer = await answerBatch([0, 1, 2, 3], {
      serve: async (request) => {
        served.push(request);
        return [`"${"x".repeat(60)}"`].values();
      },
      refuse: (request, { code, rpcCode, data }) =>
        request === 3 ? undefined : [JSON.stringify({ request, code, rpcCode, data })],
      pace: { signal: new AbortController().signal, timeoutMs: 60_000 },
      servedFirst: 0,
      mostLength: 100,
    });
    let text = "";
    for await (const piece of (answer ?? []) as AsyncIterable<string>) text += piece;
    const refused = { request: 2, code: "RESPONSE_TOO_LARGE", rpcCode: -32003, data: { limit: 100, flag: null } };
    expect(JSON.parse(text)).toEqual(["x".repeat(60), "x".repeat(60), refused]);
    expect(served).toEqual([0, 1]);
  });
});
