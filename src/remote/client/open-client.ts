/** Makes the client of upstream nodes from its options. Sends nothing yet. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { socketFileAt, webSocketTo } from "../transport/connections.ts";
import { HttpTransport } from "../transport/http-transport.ts";
import { ProviderTransport } from "../transport/provider-transport.ts";
import { isSocketPath, redactUrl, secretsOf } from "../transport/redact.ts";
import { SocketTransport } from "../transport/socket-transport.ts";
import type { Transport } from "../transport/transport.ts";
import type { UpstreamOptions } from "../upstream.ts";
import { Endpoint } from "./endpoint.ts";
import { UpstreamClient } from "./upstream-client.ts";

const DEFAULTS = { timeoutMs: 30_000, retries: 5, retryBackoffMs: 500 };
const DEFAULT_LAG_MS = 6000;

/** Compute units of a call that reads state, at providers that count in them. */
const UNITS_OF_A_CALL = 20;

/**
 * A client of the nodes in the options.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` for a URL of an unknown scheme, or if there is neither a URL nor a
 * provider
 */
export function openClient(options: UpstreamOptions): UpstreamClient {
  const { timeoutMs, retries, retryBackoffMs } = { ...DEFAULTS, ...definedOf(options) };
  const units = options.computeUnitsPerSecond;
  const rate = units === undefined ? undefined : Math.max(1, units / UNITS_OF_A_CALL);
  const endpoints = transportsOf(options).map(
    (transport) => new Endpoint(transport, { timeoutMs, retries, retryBackoffMs, rate, random: Math.random }),
  );
  return new UpstreamClient(endpoints, { retries, retryBackoffMs, lagMs: lagOf(options) });
}

/** Milliseconds that a node gets to learn of a block that it does not know. Without retries: none. */
export function lagOf({ retries, lagMs }: UpstreamOptions): number {
  return lagMs ?? (retries === 0 ? 0 : DEFAULT_LAG_MS);
}

/** Hosts of this machine and of private networks. */
const NEARBY_HOST =
  /^(?:(?:.*\.)?localhost|[^.:]+|\[::1\]|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|.*\.internal)$/;

/** True if a node may be one for development: in this process, on this machine or in its network. */
export function isNearby({ urls = [], provider }: UpstreamOptions): boolean {
  if (provider !== undefined) return true;
  return urls.some((url) => isSocketPath(url) || (URL.canParse(url) && NEARBY_HOST.test(new URL(url).hostname)));
}

/** The options that are not undefined, because undefined would replace defaults. */
function definedOf(options: UpstreamOptions): Partial<typeof DEFAULTS> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function transportsOf({ urls = [], provider, headers = {} }: UpstreamOptions): readonly Transport[] {
  if (provider !== undefined) return [new ProviderTransport(provider)];
  if (urls.length > 0) return urls.map((url) => transportTo(url, headers));
  throw new InvalidParamsError({
    code: "INVALID_OPTION",
    what: "A fork needs a URL or a provider.",
    fix: "Set fork.url, fork.urls or fork.provider.",
  });
}

function transportTo(url: string, headers: Readonly<Record<string, string>>): Transport {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return new HttpTransport(url, headers);
  if (/^wss?:\/\//i.test(url) && URL.canParse(url)) {
    return new SocketTransport(redactUrl(url), webSocketTo(url, headers), secretsOf(url, headers));
  }
  if (isSocketPath(url)) return new SocketTransport(url, socketFileAt(url));
  throw new InvalidParamsError({
    code: "INVALID_OPTION",
    what: "The upstream of a fork is neither a URL of http, https, ws or wss nor a path of a socket file.",
    where: `Its scheme: ${JSON.stringify(/^[a-z]{1,12}:/i.exec(url)?.[0] ?? "none")}.`,
    fix: "Name it as in http://127.0.0.1:8545 or /tmp/geth.ipc.",
  });
}
