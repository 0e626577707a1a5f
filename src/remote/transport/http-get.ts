/** GET requests to one server, whose answers are bounded. */
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

/** An answer to a GET request. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** Milliseconds for which the server asks not to be called. */
  readonly retryAfterMs: number | undefined;
}

/** Sends GET requests to a server. Only the path and the query of a request are sent, and the credentials of the server's URL. */
export class HttpReader {
  /** Without secrets. */
  readonly label: string;
  readonly #base: URL;
  readonly #maxBytes: number;
  readonly #secrets: readonly string[];
  readonly #headers: Readonly<Record<string, string>>;

  /**
   * @param url - beginning of all addresses; its user and password are sent as Basic authorization
   * @param maxBytes - of an answer, unpacked
   */
  constructor(url: string, maxBytes: number) {
    this.label = redactUrl(url);
    this.#secrets = secretsOf(url, {});
    this.#base = new URL(url);
    this.#headers = { ...basicAuthorization(this.#base), accept: "application/json" };
    this.#base.username = "";
    this.#base.password = "";
    this.#maxBytes = maxBytes;
  }

  /**
   * Asks for a path below the server's URL. Redirections to other servers are not followed, since these were not named.
   *
   * @throws {Error} without secrets, if there is no answer, or a longer one than allowed
   */
  async get(path: string, signal: AbortSignal): Promise<HttpAnswer> {
    try {
      const response = await this.#follow(new URL(this.#base.href.replace(/\/*$/, "") + path), signal);
      const { status, headers } = response;
      return {
        status,
        text: await textOf(response, this.#maxBytes),
        retryAfterMs: retryAfter(headers.get("retry-after")),
      };
    } catch (cause) {
      throw new Error(redactText(describe(cause), this.#secrets));
    }
  }

  async #follow(first: URL, signal: AbortSignal): Promise<Response> {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await fetch(url.href, { headers: this.#headers, signal, redirect: "manual" });
      const next = redirectionOf(response, url);
      if (next === undefined) return response;
      await response.body?.cancel();
      if (!isSameServer(url, next)) throw new Error("the server redirects to another one");
      url = next;
    }
    throw new Error("the server redirects too often");
  }
}
