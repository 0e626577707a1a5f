/** Builders for the server's tests: a server around a handler made of one function, and a client that sets any header. */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import type { Answer, RequestContext, RequestHandler } from "../../src/server/handler.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../src/server/start-server.ts";
import type { AtEnd } from "../support/at-end.ts";

export type Handle = (text: string, context: RequestContext) => Answer | Promise<Answer>;

/**
 * A running server on a free port, closed when the test ends. It echoes unless told otherwise.
 *
 * @param atEnd - of a test that runs beside others: its own
 */
export async function aServer(
  handle: Handle = (text) => text,
  options: Partial<ServerOptions> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<RunningServer> {
  const handler: RequestHandler = {
    handle: async (text, context) => handle(text, context),
    refuse: (_reason, limitBytes) => `{"refused":${limitBytes}}`,
  };
  const server = await startServer({ port: 0, ...options, handler });
  atEnd(() => server.close());
  return server;
}

/** A handler whose request never ends by itself, and fails when it is aborted. */
export function anEndlessRequest(): {
  readonly handle: (text: string, context: RequestContext) => Promise<never>;
  /** Resolves when the request has begun. */
  readonly started: Promise<void>;
  /** Resolves when the request has been aborted. */
  readonly aborted: Promise<void>;
} {
  const started = deferred();
  const aborted = deferred();
  const handle = (_text: string, { signal }: RequestContext): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        reject(signal.reason as Error);
        aborted.resolve();
      });
      started.resolve();
    });
  return { handle, started: started.promise, aborted: aborted.promise };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** One request on a connection of its own; unlike `fetch` it sends any `Host` and `Origin`. */
export function send(server: Pick<RunningServer, "host" | "port">, sent: Sent = {}): Promise<Reply> {
  const { method = "POST", path = "/", body } = sent;
  const headers = { "content-type": "application/json", ...sent.headers };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port: server.port, host: server.host, method, path, headers, agent: false },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on("data", (chunk: Buffer) => chunks.push(chunk));
        reply.on("end", () =>
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(chunks).toString() }),
        );
        reply.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** A promise with its resolve function. */
export function deferred<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle?.(value) };
}
