/** The HTTP server: access control, CORS headers, requests and pages. The caller makes it listen. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AccessRules, refuseAccess } from "../access.ts";
import { type ResponseShape, responseShapeAt } from "../address-forms.ts";
import type { BodyRefusal } from "../handler.ts";
import { DISCARD_BYTES, DISCARD_TIMEOUT_MS, HTTP_TIMEOUTS } from "../limits.ts";
import { answerText, type ExchangeOptions, TEXT_TYPE } from "./exchange.ts";
import { type BodyLimits, discardBody, readBody } from "./request-body.ts";
import { type AnswerHeaders, JSON_TYPE } from "./write-pieces.ts";

/** The part of a GET request that a page may depend on. */
export interface PageRequest {
  readonly query: URLSearchParams;
  /** The header `Accept`; empty if there is none. */
  readonly accept: string;
}

/** The content of a page that is made for each request. */
export interface PageContent {
  readonly body: string | Uint8Array;
  /** Default 200. */
  readonly status?: number;
  /** Default: the page's. */
  readonly contentType?: string;
}

/** A page: the answer to a GET request. */
export interface Page {
  readonly contentType: string;
  /** The content, or what makes it. */
  readonly body: string | Uint8Array | ((request: PageRequest) => Promise<PageContent>);
  /** Content-Security-Policy of a page that loads something; default: nothing runs or is loaded. */
  readonly policy?: string;
  /** True if the content of an address never changes, so that browsers may cache it; default false. */
  readonly isLasting?: boolean;
}

/** The handler of requests, the allowed clients, and the limits. */
export interface HttpServerOptions extends ExchangeOptions, BodyLimits {
  readonly access: AccessRules;
  /** The page at a path, if there is one. */
  readonly pageAt: (path: string) => Page | undefined;
}

const PREFLIGHT_AGE_SECONDS = 600;

/** Headers of answers to clients that send no `Origin`. */
const PROGRAM_HEADERS = { vary: "Origin" } as const;

/** Nothing runs and nothing is loaded; nobody puts the page into a frame. */
const STILL_PAGE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const LASTING = "public, max-age=31536000, immutable";

/** A request, its response, and the headers that every answer to it has. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: AnswerHeaders;
}

/** Makes a server, which the caller makes listen. The caller handles upgrades. */
export function createHttpServer(options: HttpServerOptions): Server {
  return createServer(HTTP_TIMEOUTS, (request, response) => serve(options, request, response));
}

/** Checks access before the body is read. */
function serve(options: HttpServerOptions, request: IncomingMessage, response: ServerResponse): void {
  const refusal = refuseAccess(options.access, request);
  if (refusal !== undefined) return void answerPlainly({ request, response, headers: {} }, 403, refusal);
  const exchange = { request, response, headers: originHeaders(request) };
  const { method, url = "/" } = request;
  const responseShape = responseShapeAt(url);
  if (method === "POST" && responseShape !== undefined) return void answerPost(options, responseShape, exchange);
  if (method === "OPTIONS") return void answerPreflight(exchange);
  const page = options.pageAt(url.split("?", 1)[0] ?? "");
  const isReading = method === "GET" || method === "HEAD";
  if (isReading && page !== undefined && takesPage(request, page)) return void showPage(page, exchange);
  refuseMethod(exchange, { isRpc: responseShape !== undefined, hasPage: page !== undefined });
}

/** CORS headers for an allowed origin. */
function originHeaders({ headers }: IncomingMessage): AnswerHeaders {
  const { origin } = headers;
  if (origin === undefined) return PROGRAM_HEADERS;
  const isPrivate = headers["access-control-request-private-network"] === "true";
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    ...(isPrivate ? { "access-control-allow-private-network": "true" } : undefined),
  };
}

function answerPost(options: HttpServerOptions, responseShape: ResponseShape, exchange: Exchange): void {
  const { request, response, headers } = exchange;
  if (!isPlainJson(request)) {
    return void answerPlainly(exchange, 415, `Send content-type: ${JSON_TYPE}.\n`, { connection: "close" });
  }
  readBody(request, options, {
    onText: (text) => answerText(options, { text, responseShape, response, headers }),
    onRefused: (reason) => void refuseBody(options, exchange, reason),
  });
}

/** True for uncompressed JSON. A page can send that type to another origin only after a CORS preflight. */
function isPlainJson({ headers }: IncomingMessage): boolean {
  const type = headers["content-type"];
  if (type !== JSON_TYPE && type?.split(";", 1)[0]?.trim().toLowerCase() !== JSON_TYPE) return false;
  return (headers["content-encoding"]?.toLowerCase() ?? "identity") === "identity";
}

async function refuseBody(options: HttpServerOptions, exchange: Exchange, reason: BodyRefusal): Promise<void> {
  const { request, response, headers } = exchange;
  const isAlone = reason === "bodyTooLarge";
  const text = options.handler.refuse(reason, isAlone ? options.maxBodyBytes : options.bodies.mostBytes);
  const content = { "content-type": JSON_TYPE, "content-length": Buffer.byteLength(text), connection: "close" };
  response.on("error", () => undefined);
  response.writeHead(isAlone ? 413 : 503, { ...headers, ...content }).write(text);
  await discardBody(request, DISCARD_BYTES, DISCARD_TIMEOUT_MS);
  response.end();
}

function answerPreflight({ request, response, headers }: Exchange): void {
  const asked = request.headers["access-control-request-headers"];
  response.writeHead(204, {
    ...headers,
    vary: "Origin, Access-Control-Request-Headers",
    "access-control-allow-methods": "POST",
    ...(asked === undefined ? undefined : { "access-control-allow-headers": asked }),
    "access-control-max-age": String(PREFLIGHT_AGE_SECONDS),
  });
  response.end();
}

/** False for a program that asks for JSON where a page for people stands. */
function takesPage({ headers }: IncomingMessage, { contentType }: Page): boolean {
  const { accept = "" } = headers;
  return accept === "" || !contentType.startsWith("text/html") || /text\/(?:html|\*)|\*\/\*/.test(accept);
}

async function showPage(page: Page, exchange: Exchange): Promise<void> {
  const { request, response, headers } = exchange;
  const { policy, isLasting } = page;
  let content: PageContent;
  try {
    content = typeof page.body === "function" ? await page.body(pageRequestOf(request)) : { body: page.body };
  } catch (error) {
    return answerPlainly(exchange, 500, `${error instanceof Error ? error.message : String(error)}\n`);
  }
  const { body, status = 200, contentType = page.contentType } = content;
  response
    .writeHead(status, {
      ...headers,
      "cache-control": isLasting === true ? LASTING : "no-store",
      "content-security-policy": policy ?? STILL_PAGE,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-type": contentType,
      "content-length": Buffer.byteLength(body),
    })
    .end(body);
}

function pageRequestOf({ url = "/", headers }: IncomingMessage): PageRequest {
  const start = url.indexOf("?");
  return { query: new URLSearchParams(start < 0 ? "" : url.slice(start)), accept: headers.accept ?? "" };
}

/** Answers a wrong method: names the right one, or says that the path is unknown. */
function refuseMethod(exchange: Exchange, { isRpc, hasPage }: { isRpc: boolean; hasPage: boolean }): void {
  const allowed = [...(hasPage ? ["GET", "HEAD"] : []), ...(isRpc ? ["POST", "OPTIONS"] : [])].join(", ");
  if (allowed === "") return void answerPlainly(exchange, 404, "Nothing is served here.\n");
  const text = isRpc ? "Send JSON-RPC by POST.\n" : "Read this by GET.\n";
  answerPlainly(exchange, 405, text, { allow: allowed });
}

/** Answers with a status and a line of text. Node drops an unread body. */
function answerPlainly({ response, headers }: Exchange, status: number, text: string, more?: AnswerHeaders): void {
  const content = { "content-type": TEXT_TYPE, "content-length": Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...more, ...content }).end(text);
}
