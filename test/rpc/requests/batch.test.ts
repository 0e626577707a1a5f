import { describe, expect, it } from "vitest";
import { answerBatch } from "../../../src/rpc/requests/batch.ts";
import { ALICE, aNode, BOB, serve } from "../../support/a-node.ts";
import { post } from "../../support/post.ts";

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

  it("goes on with the next request while one only waits for others, and answers in order", async () => {
    const seen: string[] = [];
    let mine = (): void => undefined;
    const mined = new Promise<void>((resolve) => {
      mine = resolve;
    });
    const answer = await answerBatch(["send", "send too", "mine", "read"], {
      serve: async (request, letNextBegin) => {
        seen.push(`${request}`);
        if (request === "mine") mine();
        if (`${request}`.startsWith("send")) {
          letNextBegin();
          await mined;
          seen.push(`${request}: mined`);
        }
        return [`"${request}"`];
      },
      refuse: () => undefined,
      pace: { signal: new AbortController().signal, timeoutMs: 60_000 },
      servedFirst: 0,
    });
    expect(answer).toBe('["send","send too","mine","read"]');
    expect(seen.slice(0, 3)).toEqual(["send", "send too", "mine"]);
    expect([...seen].sort()).toEqual(["mine", "read", "send", "send too", "send too: mined", "send: mined"]);
  });

  it("may send transactions, wait for their receipts, and mine them", async () => {
    const node = await aNode({ mining: "manual" });
    const { url } = await serve(node);
    const transfer = { from: ALICE, to: BOB, value: "0x1", gas: "0x5208" };
    const requests = [
      ["eth_sendTransactionSync", transfer],
      ["eth_sendTransactionSync", transfer],
      ["evm_mine"],
      ["eth_blockNumber"],
    ].map(([method, ...params], id) => ({ jsonrpc: "2.0", id, method, params }));
    const { text } = await post(url, JSON.stringify(requests));
    expect(JSON.parse(text)).toMatchObject([
      { id: 0, result: { blockNumber: "0x1", transactionIndex: "0x0" } },
      { id: 1, result: { blockNumber: "0x1", transactionIndex: "0x1" } },
      { id: 2, result: "0x0" },
      { id: 3, result: "0x1" },
    ]);
  });
});
