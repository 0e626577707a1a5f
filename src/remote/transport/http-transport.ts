/** JSON-RPC over HTTP POST by the platform's `fetch`, which keeps connections open. */
import {
  basicAuthorization,
  describe,
  isSameServer,
  MAX_REDIRECTS,
  redirectionOf,
  retryAfter,
  textOf,
} from "./http-exchange.ts";
import { redactText, redactUrl, secretsOf } from "./redact.ts";
import { answersIn, MAX_REPLY_BYTES, type RpcRequest, type Transport, type TransportReply } from "./transport.ts";

/** Most calls in one message. Many providers allow fewer; the client finds their limit. */
const MAX_BATCH = 100;
const JSON_CONTENT = { "content-type": "application/json" } as const;

/** Sends requests to one URL. */
export class HttpTransport implements Transport {
  readonly label: string;
  readonly maxBatch = MAX_BATCH;
  readonly #url: URL;
  readonly #maxBytes: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #secrets: readonly string[];

  /**
   * @param url - its user and password are sent as Basic authorization
   * @param maxBytes - of a reply, unpacked
   */
  constructor(url: string, headers: Readonly<Record<string, string>> = {}, maxBytes = MAX_REPLY_BYTES) {
    this.label = redactUrl(url);
    this.#secrets = secretsOf(url, headers);
    const target = new URL(url);
    this.#headers = { ...basicAuthorization(target), ...headers, ...JSON_CONTENT };
    target.username = "";
    target.password = "";
    this.#url = target;
    this.#maxBytes = maxBytes;
  }

  async send(requests: readonly RpcRequest[], signal: AbortSignal): Promise<TransportReply> {
    const body = JSON.stringify(requests.length === 1 ? requests[0] : requests);
    try {
      const response = await this.#post(body, signal);
      const retryAfterMs = retryAfter(response.headers.get("retry-after"));
      return {
        status: response.status,
        retryAfterMs,
        ...this.#read(response.status, await textOf(response, this.#maxBytes)),
      };
    } catch (cause) {
      throw new Error(redactText(describe(cause), this.#secrets));
    }
  }

  /** Follows redirections, with credentials only to the host that they are for. */
  async #post(body: string, signal: AbortSignal): Promise<Response> {
    let url = this.#url;
    let headers = this.#headers;
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(url.href, { method: "POST", headers, body, signal, redirect: "manual" });
      const next = redirects < MAX_REDIRECTS ? redirectionOf(response, url) : undefined;
      if (next === undefined) return response;
      await response.body?.cancel();
      if (!isSameServer(url, next)) headers = JSON_CONTENT;
      url = next;
    }
  }

  #read(status: number, text: string): TransportReply {
    try {
      const answers = answersIn(JSON.parse(text), this.#secrets);
      if (answers !== undefined) return { answers };
    } catch {
      // Not JSON: HTML from a proxy, or a truncated body.
    }
    const start = redactText(text.slice(0, 120).replaceAll(/\s+/g, " "), this.#secrets);
    return { problem: `HTTP ${status}, and no JSON-RPC: ${JSON.stringify(start)}` };
  }

  async close(): Promise<void> {
    // The platform closes idle connections.
  }
}
