/** URLs and texts without what may be secret in them. */

/**
 * A URL as it may be shown: scheme, host and port. User, path and query may hold keys.
 *
 * The path of a socket file is shown as it is.
 */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return isSocketPath(url) ? url : "(not a URL)";
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** True for the path of a socket file, or the name of a Windows pipe. */
export function isSocketPath(text: string): boolean {
  return /^(?:[/.~]|\\\\|[a-zA-Z]:\\)/.test(text) || /\.ipc$/.test(text);
}

/** A text, such as an error's, without the URL and the header values that it may repeat. */
export function redactText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((safe, secret) => safe.replaceAll(secret, "…"), text);
}

/** The parts of a URL and of headers that must be shown nowhere, longest first. */
export function secretsOf(url: string, headers: Readonly<Record<string, string>>): readonly string[] {
  const parts = [...Object.values(headers), ...Object.values(headers).flatMap((value) => value.split(/\s+/))];
  if (URL.canParse(url) && !isSocketPath(url)) {
    const { username, password, pathname, search, searchParams } = new URL(url);
    parts.push(url, pathname + search, pathname, search, username, decodeURIComponent(username));
    parts.push(password, decodeURIComponent(password), ...pathname.split("/"), ...searchParams.values());
  }
  return [...new Set(parts)]
    .filter((part) => part.length >= SHORTEST_SECRET)
    .sort((left, right) => right.length - left.length);
}

/** Shorter parts, such as "v2" or "rpc", are no keys, and stand in many words. */
const SHORTEST_SECRET = 8;
