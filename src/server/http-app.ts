/**
 * The HTTP side: routes, the rules of access, and one exchange from body to answer.
 *
 * Node's own requests and responses, without a router: few addresses answer, and bodies and answers need Node's streams,
 * which stop reading at the limit, write with backpressure and tell when the client goes away. Web requests and responses
 * would cost 25 ms at start and 15 µs a request.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { AccessRules } from "./access.ts";
import { type ResponseShape, responseShapeAt } from "./address-forms.ts";
import type { Page, RequestHandler } from "./handler.ts";
import { discardBody, readBody } from "./read-body.ts";
import { writeAnswer } from "./write-answer.ts";

export interface HttpAppOptions {
  readonly handler: RequestHandler;
  readonly access: AccessRules;
  /** Largest request body, bytes. */
  readonly maxBodyBytes: number;
  /** A client that reads nothing of its answer for so long loses its connection. */
  readonly stallTimeoutMs: number;
  /** Work under way: the server aborts it when it closes. */
  readonly pending: Set<AbortController>;
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** How much of a body that is too large is thrown away so that its sender reads the answer, and for how long. */
const DISCARD_BYTES = 64 * 1024 * 1024;
const DISCARD_TIMEOUT_MS = 1_000;

/** Builds the listener that answers plain HTTP requests; upgrades never reach it. */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  return (incoming, outgoing) => {
    answer(options, { incoming, outgoing }).catch((error: unknown) => {
      // After the head is out, or with the client gone, breaking the connection is the only way to say so.
      if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
      else writeText(outgoing, 500, `Internal error: ${error instanceof Error ? error.message : String(error)}\n`);
    });
  };
}

async function answer(options: HttpAppOptions, exchange: Exchange): Promise<void> {
  const { incoming, outgoing } = exchange;
  const refusal = refuseAccess(options.access, incoming);
  if (refusal !== undefined) return writeText(outgoing, 403, refusal);
  setCorsHeaders(incoming, outgoing);
  const { method, url = "" } = incoming;
  if ((method === "GET" || method === "HEAD") && showPage(options.handler, url, outgoing)) return;
  const responseShape = responseShapeAt(url);
  if (responseShape !== undefined && method === "OPTIONS") return answerPreflight(incoming, outgoing);
  if (responseShape !== undefined && method === "POST") return answerBody(options, responseShape, exchange);
  refuseMethod(outgoing, { hasPage: pageAt(options.handler, url) !== undefined, isRpc: responseShape !== undefined });
}

function refuseMethod(outgoing: ServerResponse, { hasPage, isRpc }: { hasPage: boolean; isRpc: boolean }): void {
  const allowed = [...(hasPage ? ["GET", "HEAD"] : []), ...(isRpc ? ["POST", "OPTIONS"] : [])].join(", ");
  if (allowed !== "") outgoing.setHeader("allow", allowed);
  if (allowed === "") writeText(outgoing, 404, "Nothing is served here.\n");
  else writeText(outgoing, 405, isRpc ? "Send JSON-RPC by POST.\n" : "Read this by GET.\n");
}

function writeText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=UTF-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

function pageAt(handler: RequestHandler, target: string): Page | undefined {
  return handler.page?.(target.split("?", 1)[0] ?? "");
}

/** Pages are made anew each time and run nothing in the browser. */
function showPage(handler: RequestHandler, target: string, response: ServerResponse): boolean {
  const page = pageAt(handler, target);
  if (page === undefined) return false;
  response.writeHead(200, {
    "content-type": page.contentType,
    "content-length": Buffer.byteLength(page.body),
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "x-content-type-options": "nosniff",
  });
  response.end(page.body);
  return true;
}

/** The reason why a request is not let in, or undefined. The same for HTTP and for upgrades. */
export function refuseAccess(access: AccessRules, request: IncomingMessage): string | undefined {
  const { host, origin } = request.headers;
  if (!access.isHostAllowed(host))
    return `Host ${host ?? "(none)"} is not allowed; start with --allow-host to allow it.\n`;
  if (!access.isOriginAllowed(origin))
    return `Origin ${origin} is not allowed; start with --allow-origin to allow it.\n`;
  return undefined;
}

async function answerBody(options: HttpAppOptions, responseShape: ResponseShape, exchange: Exchange): Promise<void> {
  const { incoming, outgoing } = exchange;
  if (!isJson(incoming)) {
    outgoing.setHeader("connection", "close");
    outgoing.writeHead(415, { "content-type": "text/plain" }).end("Send content-type: application/json.\n");
    return;
  }
  const work = new AbortController();
  const onClose = (): void => {
    if (!outgoing.writableFinished) work.abort(new Error("The client went away."));
  };
  outgoing.on("close", onClose);
  // A write that meets a closed connection is reported here too; the close handler has dealt with it.
  outgoing.on("error", () => undefined);
  options.pending.add(work);
  try {
    const body = await readBody(incoming, options.maxBodyBytes);
    if (body === "tooLarge") await refuseBody(options, exchange);
    else {
      const answer = await options.handler.handle(body.text, { responseShape, signal: work.signal });
      await writeAnswer(outgoing, answer, options.stallTimeoutMs);
    }
  } finally {
    options.pending.delete(work);
  }
}

async function refuseBody({ handler, maxBodyBytes }: HttpAppOptions, { incoming, outgoing }: Exchange): Promise<void> {
  outgoing.setHeader("connection", "close");
  const text = handler.refuse("bodyTooLarge", maxBodyBytes);
  outgoing.writeHead(413, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  outgoing.write(text);
  await discardBody(incoming, DISCARD_BYTES, DISCARD_TIMEOUT_MS);
  outgoing.end();
}

function isJson(request: IncomingMessage): boolean {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity";
  return type === "application/json" && encoding === "identity";
}

/** Only reached by origins that are allowed. */
function setCorsHeaders(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("vary", "Origin");
}

function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const headers = request.headers["access-control-request-headers"];
  response.setHeader("access-control-allow-methods", "POST");
  response.setHeader("access-control-allow-headers", headers ?? "content-type");
  response.setHeader("access-control-max-age", "600");
  if (request.headers["access-control-request-private-network"] === "true") {
    response.setHeader("access-control-allow-private-network", "true");
  }
  response.writeHead(204).end();
}
