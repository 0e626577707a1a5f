/** Parts of HTTP that all clients of this room share: credentials, redirections, bounded bodies, causes of failures. */
import { concatList } from "../../primitives/bytes/bytes.ts";
import { toUtf8 } from "../../primitives/platform/encodings.ts";
import { base64Of, credentialsOf } from "./redact.ts";

/** Most redirections that are followed for one request. */
export const MAX_REDIRECTS = 5;
/** Those that are followed. The platform would ask with GET after some of them, which no node answers. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/** The header that carries the user and the password of a URL; empty if it has none. */
export function basicAuthorization(url: URL): Readonly<Record<string, string>> {
  const { username, password } = credentialsOf(url);
  return username === "" && password === "" ? {} : { authorization: `Basic ${base64Of(username, password)}` };
}

/** The address that a response sends its client to, if it is followed. */
export function redirectionOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get("location");
  if (location === null || !REDIRECTS.has(status) || !URL.canParse(location, from.href)) return undefined;
  const next = new URL(location, from);
  return /^https?:$/.test(next.protocol) && next.username === "" && next.password === "" ? next : undefined;
}

/** True for the same host and port, and for the same host with encryption in place of none, both at their usual ports. */
export function isSameServer(from: URL, to: URL): boolean {
  const isUpgrade = from.protocol === "http:" && to.protocol === "https:" && from.port === "";
  return to.host === from.host && (to.protocol === from.protocol || isUpgrade);
}

/** The body as text. Its length is counted as it is unpacked, since a few bytes may stand for gigabytes. */
export async function textOf({ body }: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`the reply has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return toUtf8(concatList(chunks));
}

/** Milliseconds of a Retry-After header: seconds or a date (RFC 9110 §10.2.3). */
export function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The message of an error, or of its cause: `fetch` puts the reason of a failure there. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError) return describe(cause.errors[0]);
  return cause instanceof Error ? describe(cause) : error.message;
}
