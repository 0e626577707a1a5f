/** JSON-RPC over HTTP POST by the platform's `fetch`, which keeps connections open. */
import { base64Of, credentialsOf, redactText, redactUrl, secretsOf } from "./redact.ts";
import { answersIn, MAX_REPLY_BYTES, type RpcRequest, type Transport, type TransportReply } from "./transport.ts";

/** Most calls in one message. Many providers allow fewer; the client finds their limit. */
const MAX_BATCH = 100;
/** Most redirections that are followed for one message. */
const MAX_REDIRECTS = 5;
/** Those that are followed. The platform would ask with GET after some of them, which no node answers. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);
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

function basicAuthorization(url: URL): Readonly<Record<string, string>> {
  const { username, password } = credentialsOf(url);
  return username === "" && password === "" ? {} : { authorization: `Basic ${base64Of(username, password)}` };
}

/** The address that a response sends its client to, if it is followed. */
function redirectionOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get("location");
  if (location === null || !REDIRECTS.has(status) || !URL.canParse(location, from.href)) return undefined;
  const next = new URL(location, from);
  return /^https?:$/.test(next.protocol) && next.username === "" && next.password === "" ? next : undefined;
}

/** True for the same host and port, and for the same host with encryption in place of none, both at their usual ports. */
function isSameServer(from: URL, to: URL): boolean {
  const isUpgrade = from.protocol === "http:" && to.protocol === "https:" && from.port === "";
  return to.host === from.host && (to.protocol === from.protocol || isUpgrade);
}

/** The body as text. Its length is counted as it is unpacked, since a few bytes may stand for gigabytes. */
async function textOf({ body }: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`the reply has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length).toString();
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
