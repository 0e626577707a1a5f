/** Removes possible secrets from URLs and texts. */

/**
 * Reduces a URL to scheme, host and port, because user, path and query may contain keys. The path of a socket file is
 * returned unchanged.
 */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return isSocketPath(url) ? url : "(not a URL)";
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** True for the path of a socket file or the name of a Windows pipe. */
export function isSocketPath(text: string): boolean {
  return /^(?:[/.~]|\\\\|[a-zA-Z]:\\)/.test(text) || /\.ipc$/.test(text);
}

/** Replaces the secrets in a text by an ellipsis. */
export function redactText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((safe, secret) => safe.replaceAll(secret, "…"), text);
}

/** The secret parts of a URL and of headers, longest first. */
export function secretsOf(url: string, headers: Readonly<Record<string, string>>): readonly string[] {
  const parts = [...Object.values(headers), ...Object.values(headers).flatMap((value) => value.split(/\s+/))];
  const passwords: string[] = [];
  if (URL.canParse(url) && !isSocketPath(url)) {
    const { username, password, pathname, search, searchParams } = new URL(url);
    parts.push(url, pathname + search, pathname, search, username, decodeURIComponent(username));
    parts.push(...pathname.split("/"), ...searchParams.values());
    // The form in which Basic authorization sends them.
    parts.push(Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64"));
    passwords.push(...[password, decodeURIComponent(password)].filter((text) => text !== ""));
  }
  return [...new Set([...parts.filter((part) => part.length >= SHORTEST_SECRET), ...passwords])].sort(
    (left, right) => right.length - left.length,
  );
}

/** Fewest characters of a secret. Shorter parts, such as "v2" or "rpc", are not keys. A password may be shorter. */
const SHORTEST_SECRET = 8;
