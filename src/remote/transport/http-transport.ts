/** JSON-RPC over HTTP POST by the platform's `fetch`, which keeps connections open. */
import { base64Of, credentialsOf, redactText, redactUrl, secretsOf } from "./redact.ts";
import { answersIn, type RpcRequest, type Transport, type TransportReply } from "./transport.ts";

/** Most calls in one message. Many providers allow fewer; the client finds their limit. */
const MAX_BATCH = 100;

/** Sends requests to one URL. */
export class HttpTransport implements Transport {
  readonly label: string;
  readonly maxBatch = MAX_BATCH;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #secrets: readonly string[];

  /** @param url - its user and password are sent as Basic authorization */
  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.label = redactUrl(url);
    this.#secrets = secretsOf(url, headers);
    const target = new URL(url);
    this.#headers = { ...basicAuthorization(target), ...headers, "content-type": "application/json" };
    target.username = "";
    target.password = "";
    this.#url = target.href;
  }

  async send(requests: readonly RpcRequest[], signal: AbortSignal): Promise<TransportReply> {
    const body = JSON.stringify(requests.length === 1 ? requests[0] : requests);
    try {
      const response = await fetch(this.#url, { method: "POST", headers: this.#headers, body, signal });
      const retryAfterMs = retryAfter(response.headers.get("retry-after"));
      return { status: response.status, retryAfterMs, ...this.#read(response.status, await response.text()) };
    } catch (cause) {
      throw new Error(redactText(describe(cause), this.#secrets));
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

function basicAuthorization(url: URL): Readonly<Record<string, string>> {
  const { username, password } = credentialsOf(url);
  return username === "" && password === "" ? {} : { authorization: `Basic ${base64Of(username, password)}` };
}

/** Milliseconds of a Retry-After header: seconds or a date (RFC 9110 §10.2.3). */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The message of an error, or of its cause: `fetch` puts the reason of a failure there. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError) return describe(cause.errors[0]);
  return cause instanceof Error ? describe(cause) : error.message;
}
