/** An upstream that misbehaves as it is told: an HTTP server in front of anything that answers requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import type { AtEnd } from "./at-end.ts";

export interface UpstreamRequest {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Handles a whole post in place of an answer. */
export type Misdeed = "500" | "hang" | "cut" | "html" | "wrong ids" | "429" | "no batches" | "drop";

/** Its behaviour. Members may be changed while it runs. */
export interface UpstreamRules {
  /** Before each answer. */
  latencyMs?: number;
  /** The same as turns of the event loop, in which all posts that a caller sends at once arrive on any machine. */
  latencyTurns?: number;
  /** A bucket of so many calls, filled at that rate; each call of a batch counts, and a batch is let in whole or not at all. */
  callsPerSecond?: number;
  /** Retry-After of a 429, seconds. */
  retryAfter?: number;
  /** Longer batches are refused whole. */
  maxBatch?: number;
  /** By the number of the post, from 0. */
  misdeed?: (post: number, requests: readonly UpstreamRequest[]) => Misdeed | undefined;
  /** Instead of the result of a call. Throw an {@link UpstreamFailure} for an error. */
  answer?: (request: UpstreamRequest, ask: () => Promise<unknown>) => unknown;
}

/** An error that a call is answered with. */
export class UpstreamFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface TestUpstream {
  readonly url: string;
  readonly rules: UpstreamRules;
  /** Every call that was let in, in order. */
  readonly calls: readonly UpstreamRequest[];
  readonly posts: number;
  /** Posts that did not overlap: how often a caller waited. */
  readonly waves: number;
  /** Sets all counts back. */
  forget(): void;
  /** Ends; the end of the test does so too. */
  close(): Promise<void>;
}

/** Serves a provider badly, until the end of the test. @param atEnd - of a test that runs beside others: its own */
export async function anUpstream(
  provider: RemoteProvider,
  rules: UpstreamRules = {},
  atEnd: AtEnd = onTestFinished,
): Promise<TestUpstream> {
  const upstream = await openTestUpstream(provider, rules);
  atEnd(() => upstream.close());
  return upstream;
}

/** The same, closed by its opener. */
export async function openTestUpstream(provider: RemoteProvider, rules: UpstreamRules = {}): Promise<TestUpstream> {
  const desk = new Desk(provider, rules);
  const server = createServer((request, response) => void desk.serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    rules,
    get calls() {
      return desk.calls;
    },
    get posts() {
      return desk.posts;
    },
    get waves() {
      return desk.waves;
    },
    forget: () => desk.forget(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class Desk {
  calls: UpstreamRequest[] = [];
  posts = 0;
  waves = 0;
  readonly #provider: RemoteProvider;
  readonly #rules: UpstreamRules;
  #underWay = 0;
  #tokens: number | undefined;
  #filledAt = 0;

  constructor(provider: RemoteProvider, rules: UpstreamRules) {
    this.#provider = provider;
    this.#rules = rules;
  }

  forget(): void {
    this.calls = [];
    this.posts = 0;
    this.waves = 0;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const post = this.posts++;
    if (this.#underWay++ === 0) this.waves++;
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as UpstreamRequest | UpstreamRequest[];
      await this.#reply(post, body, response);
    } finally {
      this.#underWay--;
    }
  }

  async #reply(post: number, body: UpstreamRequest | UpstreamRequest[], response: ServerResponse): Promise<void> {
    const requests = Array.isArray(body) ? body : [body];
    const { latencyMs, latencyTurns = 0, maxBatch, misdeed } = this.#rules;
    if (latencyMs !== undefined) await sleep(latencyMs);
    for (let turn = 0; turn < latencyTurns; turn++) await nextTurn();
    const deed = misdeed?.(post, requests);
    if (deed === "no batches" ? Array.isArray(body) : requests.length > (maxBatch ?? Number.POSITIVE_INFINITY)) {
      return send(response, 200, error(null, -32600, "batch size exceeds the limit"));
    }
    if (deed === "429" || !this.#isLetIn(requests.length)) {
      const headers = this.#rules.retryAfter === undefined ? {} : { "retry-after": String(this.#rules.retryAfter) };
      return send(response, 429, error(null, 429, "slow down"), headers);
    }
    if (deed === "500") return send(response, 500, "Internal Server Error");
    if (deed === "html") return send(response, 200, "<html><body>Checking your browser</body></html>");
    if (deed === "drop") return void response.destroy();
    // Nothing is said any more; the connection ends with the client's patience.
    if (deed === "hang") return;
    this.calls.push(...requests);
    const answers = await Promise.all(requests.map((one) => this.#answer(one)));
    if (deed === "wrong ids") for (const answer of answers) answer.id = 1e9;
    const text = JSON.stringify(Array.isArray(body) ? answers : answers[0]);
    if (deed === "cut") return send(response, 200, text.slice(0, text.length >> 1));
    send(response, 200, text);
  }

  #isLetIn(calls: number): boolean {
    const { callsPerSecond } = this.#rules;
    if (callsPerSecond === undefined) return true;
    const now = Date.now();
    const gained = ((now - this.#filledAt) / 1000) * callsPerSecond;
    this.#tokens = Math.min(callsPerSecond, (this.#tokens ?? callsPerSecond) + gained);
    this.#filledAt = now;
    if (this.#tokens < calls) return false;
    this.#tokens -= calls;
    return true;
  }

  async #answer(request: UpstreamRequest): Promise<Record<string, unknown>> {
    const { id, method, params } = request;
    const ask = (): Promise<unknown> => this.#provider.request({ method, params });
    try {
      return { jsonrpc: "2.0", id, result: await (this.#rules.answer?.(request, ask) ?? ask()) };
    } catch (failure) {
      const { code, message, data } = failure as UpstreamFailure;
      return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
    }
  }
}

const error = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}
