/** The client of an upstream against one that misbehaves in every way that providers do. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RemoteError } from "../../../src/errors/hindcast-error.ts";
import { openClient } from "../../../src/remote/client/open-client.ts";
import type { UpstreamClient } from "../../../src/remote/client/upstream-client.ts";
import type { RemoteProvider, UpstreamOptions } from "../../../src/remote/upstream.ts";
import { anUpstream, type TestUpstream, UpstreamFailure, type UpstreamRules } from "../../support/an-upstream.ts";
import type { AtEnd } from "../../support/at-end.ts";
import { slowIt } from "../../support/slow-suite.ts";

/** Answers every call with its first parameter. */
const echo: RemoteProvider = { request: async ({ params }) => params?.[0] };

function aClient(options: UpstreamOptions, atEnd: AtEnd = onTestFinished): UpstreamClient {
  const client = openClient({ retryBackoffMs: 5, timeoutMs: 60_000, lagMs: 120, ...options });
  atEnd(() => client.close());
  return client;
}

async function aPair(
  rules: UpstreamRules,
  options: UpstreamOptions = {},
  atEnd: AtEnd = onTestFinished,
): Promise<{ readonly client: UpstreamClient; readonly upstream: TestUpstream }> {
  const upstream = await anUpstream(echo, rules, atEnd);
  return { client: aClient({ urls: [upstream.url], ...options }, atEnd), upstream };
}

const askMany = (client: UpstreamClient, count: number): Promise<unknown[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => client.request("echo", [index])));

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("a client of an upstream", () => {
  it("sends the calls of one turn together, and gives each its own answer", async () => {
    const { client, upstream } = await aPair({});
    expect(await askMany(client, 50)).toEqual(numbers(50));
    expect(upstream.posts).toBe(1);
    expect(client.stats).toMatchObject({ requests: 50, roundTrips: 1, retries: 0 });
  });

  it("sends many as several messages side by side", async () => {
    const { client, upstream } = await aPair({});
    const asked = askMany(client, 950);
    await nextTurn();
    // All are out, and nothing has come back.
    expect(client.stats).toMatchObject({ requests: 950, roundTrips: 10 });
    expect(upstream.calls).toEqual([]);
    expect(await asked).toEqual(numbers(950));
  });

  it.each(["500", "cut", "html", "wrong ids", "drop"] as const)(
    "sends again what was answered by: %s",
    async (deed) => {
      const { client } = await aPair({ misdeed: (post) => (post < 2 ? deed : undefined) });
      expect(await askMany(client, 20)).toEqual(numbers(20));
      expect(client.stats.retries).toBeGreaterThan(0);
    },
  );

  slowIt.each([0, 50])(
    "is patient with one that only answers 429 for the time limit, with %i retries",
    async (retries) => {
      const timeoutMs = 1_000;
      const { client, upstream } = await aPair({ misdeed: () => "429", retryAfter: 0.02 }, { retries, timeoutMs });
      const startedAt = Date.now();
      await expect(client.request("echo", [1])).rejects.toMatchObject({ code: "REMOTE_RATE_LIMITED" });
      expect(Date.now() - startedAt).toBeGreaterThanOrEqual(timeoutMs);
      expect(upstream.posts).toBeGreaterThan(1);
      expect(client.stats.retries).toBe(0);
    },
  );

  it("gives up at once where the pause that it is told is longer than the time limit", async () => {
    const { client, upstream } = await aPair({ misdeed: () => "429", retryAfter: 60 });
    await expect(client.request("echo", [1])).rejects.toMatchObject({ code: "REMOTE_RATE_LIMITED" });
    expect(upstream.posts).toBe(1);
  });

  it("sends a call again that met a node while it moves its snapshot", async () => {
    let isMoving = true;
    const { client } = await aPair({
      answer: (_, ask) => {
        if (!isMoving) return ask();
        isMoving = false;
        throw new UpstreamFailure(-32000, "layer stale");
      },
    });
    expect(await client.request("echo", [1])).toBe(1);
  });

  it("shows a megabyte of an upstream's words cut, in the text and in the data", async () => {
    const long = "a".repeat(1_000_000);
    const { client } = await aPair({
      answer: () => {
        throw new UpstreamFailure(-32000, long, long);
      },
    });
    const error = (await client.request("echo", [1]).catch((reason: unknown) => reason)) as RemoteError;
    expect(error).toMatchObject({ code: "REMOTE_REFUSED" });
    expect(error.message.length).toBeLessThan(1_000);
    expect(error.message).toContain("aaa… (cut: it has 1000000 characters)");
    expect(JSON.stringify(error.data).length).toBeLessThan(5_000);
  });

  it("is of use again once the upstream is", async () => {
    let isGone = true;
    const { client } = await aPair({ misdeed: () => (isGone ? "drop" : undefined) }, { retries: 1 });
    await expect(client.request("echo", [1])).rejects.toMatchObject({ code: "REMOTE_UNREACHABLE" });
    isGone = false;
    expect(await client.request("echo", [1])).toBe(1);
  });

  it("answers the calls of a message in which one can never be answered", async () => {
    const { client } = await aPair(
      { misdeed: (_, requests) => (requests.some(({ params }) => params[0] === 7) ? "500" : undefined) },
      { retries: 3 },
    );
    const answers = await Promise.allSettled(numbers(20).map((index) => client.request("echo", [index])));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(19);
    expect(answers[7]).toMatchObject({ status: "rejected", reason: { code: "REMOTE_BAD_ANSWER" } });
  });

  slowIt("finds out how long a batch may be", async () => {
    const { client, upstream } = await aPair({ maxBatch: 10 });
    expect(await askMany(client, 300)).toEqual(numbers(300));
    upstream.forget();
    expect(await askMany(client, 60)).toEqual(numbers(60));
    expect(upstream.posts).toBeLessThan(20);
  });

  it("goes without batches where they are refused", async () => {
    const { client, upstream } = await aPair({ misdeed: () => "no batches" });
    expect(await askMany(client, 30)).toEqual(numbers(30));
    expect(upstream.calls).toHaveLength(30);
  });

  it("says so where all batches and calls are refused", async () => {
    const { client } = await aPair({ maxBatch: 0 });
    await expect(client.request("echo", [1])).rejects.toMatchObject({ code: "REMOTE_REFUSED" });
  });

  it("hands on an error of the upstream, with its data, and does not ask again", async () => {
    const { client, upstream } = await aPair({
      answer: () => {
        throw new UpstreamFailure(3, "execution reverted: rate limit exceeded", "0x08c379a0");
      },
    });
    await expect(client.request("eth_call", [])).rejects.toMatchObject({
      code: "REMOTE_REFUSED",
      rpcCode: -32002,
      data: { code: 3, message: "execution reverted: rate limit exceeded", data: "0x08c379a0" },
    });
    expect(upstream.calls).toHaveLength(1);
  });

  it("asks a node that lags again for many calls together, and only a few times", async () => {
    const { client, upstream } = await aPair({
      answer: () => {
        throw new UpstreamFailure(-32000, "header not found");
      },
    });
    const calls = Array.from({ length: 64 }, (_, index) => client.request("echo", [String(index)]));
    const outcomes = await Promise.allSettled(calls);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(upstream.calls).toHaveLength(64 * 4);
    expect(upstream.posts).toBeLessThan(64);
  });

  it("asks a node that lags again by one call for all of a block", async () => {
    let isLagging = true;
    const { client, upstream } = await aPair({
      answer: ({ params }, ask) => {
        if (isLagging) throw new UpstreamFailure(-32000, "header not found");
        return params[0] === "2" ? Promise.reject(new UpstreamFailure(-32000, "some failure")) : ask();
      },
    });
    const ask = (count: number, signals: readonly AbortSignal[] = []) =>
      Array.from({ length: count }, (_, index) =>
        client.request("echo", [String(index), { blockHash: "0x5" }], { signal: signals[index] }),
      );
    const outcomes = await Promise.allSettled(ask(64));
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(upstream.calls).toHaveLength(64 + 3);
    upstream.forget();
    // The calls that wait go on without the one that asks, whether that ends by its caller or by the node.
    const leaving = new AbortController();
    const again = ask(64, [leaving.signal]);
    await expect.poll(() => upstream.calls.length).toBeGreaterThanOrEqual(64);
    leaving.abort(new Error("left"));
    isLagging = false;
    const [first, ...others] = await Promise.allSettled(again);
    expect(first?.status).toBe("rejected");
    expect(others.map(({ status }) => status).filter((status) => status === "rejected")).toHaveLength(1);
    expect(upstream.calls.length).toBeLessThan(64 * 2 + 3);
  });

  it("refuses at once if a node wants a pause as long as the time limit", async () => {
    const { client, upstream } = await aPair(
      {
        answer: () => {
          throw new UpstreamFailure(-32005, "daily request count exceeded", { rate: { backoff_seconds: 30 } });
        },
      },
      { timeoutMs: 30_000 },
    );
    await expect(client.request("echo", ["0x1"])).rejects.toMatchObject({ code: "REMOTE_RATE_LIMITED" });
    expect(upstream.calls).toHaveLength(1);
  });

  it("ends with the signal of its caller, and the post with the last caller", async () => {
    const { client, upstream } = await aPair({ misdeed: () => "hang" }, { timeoutMs: 5000 });
    const controller = new AbortController();
    const asked = [1, 2].map((value) => client.request("echo", [value], { signal: controller.signal }));
    while (upstream.posts === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(new Error("enough"));
    await Promise.all(asked.map((one) => expect(one).rejects.toThrow("enough")));
    await expect(client.request("echo", [3], { signal: controller.signal })).rejects.toThrow("enough");
  });

  it("goes over to the second URL at once", async () => {
    const [bad, good] = [await anUpstream(echo, { misdeed: () => "500" }), await anUpstream(echo)];
    const client = aClient({ urls: [bad.url, good.url], retryBackoffMs: 5000 });
    expect(await askMany(client, 10)).toEqual(numbers(10));
    expect(good.calls).toHaveLength(10);
  });

  it("asks a second URL only once it has been found to hold the same chain", async () => {
    let isGone = false;
    const first = await anUpstream(echo, { misdeed: () => (isGone ? "drop" : undefined) });
    const [stranger, friend] = [await anUpstream(echo), await anUpstream(echo)];
    const client = aClient({ urls: [first.url, stranger.url, friend.url], retries: 1 });
    await client.request("echo", ["opening"]);
    let asked = 0;
    client.admitOnly(async (ask) => {
      await ask({ method: "echo", params: ["who"] });
      return asked++ === 0 ? "another chain" : undefined;
    });
    isGone = true;
    expect(await client.request("echo", ["value"])).toBe("value");
    expect(stranger.calls.map(({ params }) => params[0])).toEqual(["who"]);
    expect(friend.calls.map(({ params }) => params[0])).toEqual(["who", "value"]);
  });

  it("rejects what waits when it is closed", async () => {
    const { client } = await aPair({ misdeed: () => "hang" });
    const asked = client.request("echo", [1]);
    const watched = expect(asked).rejects.toMatchObject({ code: "NODE_CLOSED" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await client.close();
    await watched;
    await expect(client.request("echo", [1])).rejects.toMatchObject({ code: "NODE_CLOSED" });
  });
});

// They wait, for pauses and for limits: one beside the other.
describe.concurrent("a client of an upstream that lets it wait", () => {
  it.for([0.2, undefined])(
    "keeps to a limit of calls a second, with Retry-After %s",
    async (retryAfter, { onTestFinished }) => {
      const callsPerSecond = 400;
      const rules = { callsPerSecond, ...(retryAfter === undefined ? {} : { retryAfter }) };
      const { client } = await aPair(rules, {}, onTestFinished);
      const calls = 600;
      expect(await askMany(client, calls)).toEqual(numbers(calls));
      // The bucket is full at the beginning. Beyond it, the first messages are refused until the pace is found.
      expect(client.stats.rateLimited).toBeLessThan(3 * (calls - callsPerSecond));
    },
  );

  it.for([
    ["500", "REMOTE_BAD_ANSWER"],
    ["cut", "REMOTE_BAD_ANSWER"],
    ["html", "REMOTE_BAD_ANSWER"],
    ["wrong ids", "REMOTE_BAD_ANSWER"],
    ["drop", "REMOTE_UNREACHABLE"],
    ["hang", "REMOTE_UNREACHABLE"],
    ["429", "REMOTE_RATE_LIMITED"],
  ] as const)("gives up an upstream that never does anything but: %s", async ([deed, code], { onTestFinished }) => {
    // The client waits for the limit where nothing is answered, or only that it asks too fast. A refusal must come within it.
    const timeoutMs = deed === "hang" ? 50 : deed === "429" ? 500 : 60_000;
    const rules: UpstreamRules = { misdeed: () => deed, retryAfter: 0.02 };
    const { client } = await aPair(rules, { retries: 2, timeoutMs }, onTestFinished);
    const asked = await Promise.allSettled([client.request("echo", [1]), client.request("echo", [2])]);
    for (const outcome of asked) expect(outcome).toMatchObject({ status: "rejected", reason: { code } });
  });

  it("sends again what was never answered", async ({ onTestFinished }) => {
    const rules: UpstreamRules = { misdeed: (post) => (post === 0 ? "hang" : undefined) };
    const { client } = await aPair(rules, { timeoutMs: 400 }, onTestFinished);
    expect(await client.request("echo", ["late"])).toBe("late");
  });

  it("takes up calls of a batch that were refused one by one", async ({ onTestFinished }) => {
    let left = 5;
    const answer: UpstreamRules["answer"] = (_, ask) => {
      if (left-- > 0) throw new UpstreamFailure(-32005, "project ID request rate exceeded");
      return ask();
    };
    const { client } = await aPair({ answer }, {}, onTestFinished);
    expect(await askMany(client, 20)).toEqual(numbers(20));
    expect(client.stats.rateLimited).toBe(5);
  });

  it("asks a node that lags again before it believes that a block is unknown", async ({ onTestFinished }) => {
    let lags = 3;
    const answer: UpstreamRules["answer"] = (_, ask) => {
      if (lags-- > 0) throw new UpstreamFailure(-32000, "header not found");
      return ask();
    };
    const { client, upstream } = await aPair({ answer }, {}, onTestFinished);
    expect(await client.request("echo", ["0x1"])).toBe("0x1");
    lags = 1e9;
    upstream.forget();
    await expect(client.request("echo", ["0x2"])).rejects.toMatchObject({ code: "REMOTE_BLOCK_UNKNOWN" });
    expect(upstream.calls).toHaveLength(4);
  });
});

describe("a client of a provider", () => {
  it("hands on results and errors", async () => {
    const provider: RemoteProvider = {
      request: async ({ method, params }) => {
        if (method === "echo") return params?.[0];
        throw Object.assign(new Error("the method does not exist"), { code: -32601 });
      },
    };
    const client = aClient({ provider });
    expect(await askMany(client, 300)).toEqual(numbers(300));
    await expect(client.request("other", [])).rejects.toMatchObject({ code: "REMOTE_METHOD_MISSING" });
  });

  it("tries a provider that throws something else again, and gives it up", async () => {
    const provider: RemoteProvider = {
      request: async () => {
        throw new TypeError("broken inside".repeat(100_000));
      },
    };
    const client = aClient({ provider, retries: 1 });
    const error = (await client.request("echo", []).catch((reason: unknown) => reason)) as RemoteError;
    expect(error).toMatchObject({ code: "REMOTE_UNREACHABLE" });
    expect(error.message).toContain("broken inside");
    expect(error.message.length).toBeLessThan(1_000);
  });
});

describe("secrets", () => {
  it("show in no error, wherever in the URL and the headers they are", async () => {
    const upstream = await anUpstream(echo, { misdeed: () => "html" });
    const host = new URL(upstream.url).host;
    const url = `http://someone:p4ssw0rd-secret@${host}/v2/k3y-in-the-path?apikey=k3y-in-the-query`;
    const headers = { authorization: "Bearer t0ken-in-a-header" };
    for (const target of [url, url.replace(host, "127.0.0.1:1")]) {
      const client = aClient({ urls: [target], headers, retries: 0 });
      const error: unknown = await client.request("echo", []).catch((reason: unknown) => reason);
      const shown = `${client.label} ${JSON.stringify(error)} ${(error as Error).stack} ${String((error as Error).cause)}`;
      expect(shown).not.toMatch(/p4ssw0rd|k3y-|t0ken/);
      expect(client.label).toBe(new URL(target).origin);
    }
    // A provider that repeats the key that it refuses.
    upstream.rules.misdeed = () => undefined;
    const basic = Buffer.from("someone:p4ssw0rd-secret").toString("base64");
    upstream.rules.answer = () => {
      throw new UpstreamFailure(-32000, `unknown key k3y-in-the-path, ${basic}`, { header: headers.authorization });
    };
    const refusal: unknown = await aClient({ urls: [url], headers })
      .request("echo", [])
      .catch((reason) => reason);
    expect(refusal).toMatchObject({ code: "REMOTE_REFUSED", data: { message: "unknown key …, …" } });
    expect(`${String(refusal)} ${JSON.stringify(refusal)}`).not.toMatch(/p4ssw0rd|k3y-|t0ken/);
    expect(() => aClient({ urls: ["ftp://user:secret-word@host/"] })).toThrow('Its scheme: "ftp:"');
  });
});
