/** Removes possible secrets from URLs and texts. */
import { fromUtf8, toBase64 } from "../../primitives/platform/encodings.ts";

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
    const parsed = new URL(url);
    const { pathname, search, searchParams } = parsed;
    const sent = credentialsOf(parsed);
    parts.push(url, pathname + search, pathname, search, ...pathname.split("/"), ...searchParams.values());
    for (const { username, password } of [parsed, sent]) {
      parts.push(username, base64Of(username, password));
      if (password !== "") passwords.push(password);
    }
  }
  return [...new Set([...parts.filter((part) => part.length >= SHORTEST_SECRET), ...passwords])].sort(
    (left, right) => right.length - left.length,
  );
}

/** User name and password of a URL, decoded. A part that is not percent-encoded properly is taken as it stands. */
export function credentialsOf({ username, password }: URL): { readonly username: string; readonly password: string } {
  return { username: decoded(username), password: decoded(password) };
}

/** The credentials of HTTP's Basic authorization. */
export function base64Of(username: string, password: string): string {
  return toBase64(fromUtf8(`${username}:${password}`));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Fewest characters of a secret. Shorter parts, such as "v2" or "rpc", are not keys. A password may be shorter. */
const SHORTEST_SECRET = 8;
