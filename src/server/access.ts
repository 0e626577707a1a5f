/**
 * Access control: checks the `Host` header against DNS rebinding and the `Origin` header against web pages.
 *
 * A page on another site can make a browser send requests to 127.0.0.1. It cannot forge `Origin`, and after a DNS
 * rebinding the browser still sends the page's own name as `Host`; so both are checked before a body is read.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * Decides which requests are allowed. A list entry `*` allows everything; within an entry it matches any characters.
 */
export interface AccessRules {
  isHostAllowed(hostHeader: string | undefined): boolean;
  /**
   * True without an `Origin` header: then it is no browser.
   *
   * @param hostHeader - of the same request: a page that came from the server itself is let in
   */
  isOriginAllowed(originHeader: string | undefined, hostHeader?: string): boolean;
}

/** The allowed host names and origins. */
export interface AccessOptions {
  /** Address the server is bound to; it is always allowed as `Host`. */
  readonly boundHost: string;
  /** Further host names, without port. */
  readonly allowedHosts: readonly string[];
  /** Origins such as `https://app.example`, in addition to those on localhost. */
  readonly allowedOrigins: readonly string[];
  /** Allows pages on localhost; default true. */
  readonly allowsLocalOrigins?: boolean;
}

const LOCAL_NAMES: readonly string[] = ["localhost", "127.0.0.1", "::1"];
const WILDCARD_ADDRESSES: readonly string[] = ["0.0.0.0", "::", "::0", ""];

/** Makes the rules of a server. */
export function createAccessRules(options: AccessOptions): AccessRules {
  const names = [...LOCAL_NAMES, bareHost(options.boundHost), ...options.allowedHosts.map(bareHost)];
  const hosts = names.map(toPattern);
  // `*` is not the server's own name: otherwise DNS rebinding would let a page of any site pass as the server's own.
  const ownHosts = names.filter((name) => name !== "*").map(toPattern);
  const origins = options.allowedOrigins.map((origin) => toPattern(origin.replace(/\/$/, "")));
  // Rebinding needs a name, so addresses are allowed if the server listens on all of its own.
  const anyAddress = WILDCARD_ADDRESSES.includes(options.boundHost);
  const isGood = (header: string | undefined, patterns: readonly RegExp[]): boolean => {
    const host = header === undefined ? undefined : hostOf(header);
    if (host === undefined) return false;
    return (anyAddress && isIP(host) !== 0) || patterns.some((pattern) => pattern.test(host));
  };
  return {
    isHostAllowed: (header) => isGood(header, hosts),
    isOriginAllowed(header, hostHeader) {
      if (header === undefined) return true;
      if (isSameOrigin(header, hostHeader) && isGood(hostHeader, ownHosts)) return true;
      return (
        (options.allowsLocalOrigins !== false && isLocalOrigin(header)) ||
        origins.some((pattern) => pattern.test(header))
      );
    },
  };
}

/** The reason to refuse a request; undefined if it is allowed. Used for HTTP and for upgrades. */
export function refuseAccess(access: AccessRules, request: IncomingMessage): string | undefined {
  const { host, origin } = request.headers;
  if (!access.isHostAllowed(host)) return `${hostRefusal(host)}\n`;
  if (!access.isOriginAllowed(origin, host)) return `${originRefusal(origin)}\n`;
  return undefined;
}

const hostRefusal = (host = "(none)"): string => `Host ${host} is not allowed; start with --allow-host to allow it.`;
const originRefusal = (origin = "(none)"): string =>
  `Origin ${origin} is not allowed; start with --allow-origin to allow it.`;

/** Most refusals that are reported, because an attacker may try many names. */
const MOST_REPORTED = 100;

/**
 * The same rules, which also report each refused Host and Origin once.
 *
 * @param onRefused - called with the reason, a sentence
 */
export function reportingRefusals(rules: AccessRules, onRefused: (reason: string) => void): AccessRules {
  const reported = new Set<string>();
  const tell = (isAllowed: boolean, reason: () => string): boolean => {
    if (isAllowed || reported.size >= MOST_REPORTED || reported.has(reason())) return isAllowed;
    reported.add(reason());
    onRefused(reason());
    return false;
  };
  return {
    isHostAllowed: (host) => tell(rules.isHostAllowed(host), () => hostRefusal(host)),
    isOriginAllowed: (origin, host) => tell(rules.isOriginAllowed(origin, host), () => originRefusal(origin)),
  };
}

/** A page of the server's own: its origin is the address that the request went to. */
function isSameOrigin(origin: string, hostHeader: string | undefined): boolean {
  return hostHeader !== undefined && origin.toLowerCase() === `http://${hostHeader.toLowerCase()}`;
}

function isLocalOrigin(origin: string): boolean {
  const match = /^https?:\/\/([^/]+)$/.exec(origin);
  const host = match?.[1] === undefined ? undefined : hostOf(match[1]);
  return host !== undefined && LOCAL_NAMES.includes(host);
}

/** Host name of a `Host` header: lower case, without port and without the brackets of an IPv6 address. */
function hostOf(header: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:@/\s[\]]+))(?::\d{1,5})?$/i.exec(header);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

function bareHost(host: string): string {
  return hostOf(host) ?? host.toLowerCase();
}

function toPattern(text: string): RegExp {
  const escaped = text.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${escaped}$`, "i");
}
