/**
 * The HTTP side: routes and the rules of access.
 *
 * Fastify finds the route, reads the body up to the limit, and tells pages on other ports what they may do (CORS). Plain
 * requests pass it by. Answers go through Node's own response, whole or with backpressure. Listening is the caller's
 * business.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { fastifyCors } from "@fastify/cors";
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { type AccessRules, refuseAccess } from "../access.ts";
import { ADDRESS_FORMS, type ResponseShape, responseShapeAt } from "../address-forms.ts";
import type { Page, RequestHandler } from "../handler.ts";
import { discardBody } from "./discard-body.ts";
import { answerText, type ExchangeOptions, TEXT_TYPE } from "./exchange.ts";
import { bodyText, type PlainPostRules, plainPostShape, readBody } from "./plain-post.ts";
import { type AnswerHeaders, JSON_TYPE } from "./write-pieces.ts";

export interface HttpAppOptions extends ExchangeOptions, PlainPostRules {}

const PREFLIGHT_AGE_SECONDS = 600;
/** A segment of an address may be a key; headers, and so addresses, end at 16 KiB anyway. */
const MAX_SEGMENT_LENGTH = 16 * 1024;

/** How long a request may take to arrive, and how long a connection may say nothing between two. */
const TIMEOUTS = { requestTimeout: 300_000, keepAliveTimeout: 72_000 } as const;

/** What the long way puts on the answer to a request that is of no page. */
const PLAIN_HEADERS = { vary: "Origin" } as const;

/** How much of a body that is too large is thrown away so that its sender reads the answer, and for how long. */
const DISCARD_BYTES = 64 * 1024 * 1024;
const DISCARD_TIMEOUT_MS = 1_000;

/** Bodies are the handler's to judge. Said outright, it keeps Fastify from loading compilers of JSON schemas. */
const WITHOUT_SCHEMAS = { buildValidator: refuseSchema, buildSerializer: refuseSchema };

/** Builds a server that answers plain HTTP requests once it listens; upgrades are left to the caller. */
export async function createHttpApp(options: HttpAppOptions): Promise<Server> {
  const app = fastify({
    serverFactory: (route) => createServer(TIMEOUTS, (request, response) => serve(options, route, request, response)),
    bodyLimit: options.maxBodyBytes,
    pluginTimeout: 0,
    routerOptions: { maxParamLength: MAX_SEGMENT_LENGTH },
    schemaController: { compilersFactory: WITHOUT_SCHEMAS },
    // Addresses that cannot be read are addresses where nothing is.
    frameworkErrors: (_error, request, reply) => refuseMethod(options.handler, request, reply),
  });
  addAccessRules(app, options.access);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: "buffer" }, (_request, body: Buffer, done) => {
    done(null, bodyText(body));
  });
  for (const { pattern, responseShape } of ADDRESS_FORMS) {
    // Fastify takes an empty segment for a name; an address has none.
    app.post(pattern.replace(/:\w+/g, "$&(^[^/]+$)"), { onRequest: refuseCompressed }, (request, reply) =>
      answerBody(options, responseShape, { request, reply }),
    );
  }
  app.get("*", (request, reply) => showPage(options.handler, request, reply));
  app.setNotFoundHandler((request, reply) => refuseMethod(options.handler, request, reply));
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(options, error, { request, reply }));
  await app.ready();
  return app.server;
}

/** Plain requests the short way, all others by the routes. */
function serve(
  options: HttpAppOptions,
  route: RequestListener,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const responseShape = plainPostShape(request, options);
  if (responseShape === undefined) route(request, response);
  else readBody(request, (text) => void answerText(options, { text, responseShape, response, headers: PLAIN_HEADERS }));
}

/** Before a byte of the body is read: who may ask, and what a browser is told about that. */
function addAccessRules(app: FastifyInstance, access: AccessRules): void {
  app.addHook("onRequest", (request, reply, next) => {
    const refusal = refuseAccess(access, request.raw);
    if (refusal !== undefined) return void reply.code(403).type(TEXT_TYPE).send(refusal);
    if (request.headers["access-control-request-private-network"] === "true") {
      reply.header("access-control-allow-private-network", "true");
    }
    next();
  });
  // Only reached by origins that are allowed.
  app.register(fastifyCors, { origin: true, methods: "POST", maxAge: PREFLIGHT_AGE_SECONDS, strictPreflight: false });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function answerBody(
  options: HttpAppOptions,
  responseShape: ResponseShape,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const { body: text } = request;
  // Nothing was sent, of no type.
  if (typeof text !== "string") return refuseType(reply);
  const headers = reply.getHeaders();
  await answerText(options, { text, responseShape, headers, response: reply.hijack().raw });
  return reply;
}

/** Answers to what went wrong before the handler was asked. */
function answerError(options: HttpAppOptions, error: FastifyError, exchange: Exchange): unknown {
  const { reply } = exchange;
  if (reply.raw.destroyed) return void reply.hijack();
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") return refuseBody(options, exchange);
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return refuseType(reply);
  const status = error.statusCode ?? 500;
  if (status >= 500) options.onError(error);
  const text = `${status < 500 ? "Bad request" : "Internal error"}: ${error.message}\n`;
  return reply.code(status).type(TEXT_TYPE).send(text);
}

async function refuseBody({ handler, maxBodyBytes }: HttpAppOptions, { request, reply }: Exchange): Promise<void> {
  const text = handler.refuse("bodyTooLarge", maxBodyBytes);
  const headers: AnswerHeaders = reply.getHeaders();
  const outgoing = reply.hijack().raw;
  const content = { "content-type": JSON_TYPE, "content-length": Buffer.byteLength(text) };
  outgoing.writeHead(413, { ...headers, ...content, connection: "close" });
  outgoing.write(text);
  await discardBody(request.raw, DISCARD_BYTES, DISCARD_TIMEOUT_MS);
  outgoing.end();
}

function refuseCompressed(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding === "identity") next();
  else refuseType(reply);
}

function refuseType(reply: FastifyReply): FastifyReply {
  return reply.code(415).header("connection", "close").type(TEXT_TYPE).send(`Send content-type: ${JSON_TYPE}.\n`);
}

function pageAt(handler: RequestHandler, target: string): Page | undefined {
  return handler.page?.(target.split("?", 1)[0] ?? "");
}

/** Pages are made anew each time and run nothing in the browser. */
function showPage(handler: RequestHandler, request: FastifyRequest, reply: FastifyReply): void {
  const page = pageAt(handler, request.url);
  if (page === undefined) return void reply.callNotFound();
  reply
    .headers({
      "content-type": page.contentType,
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "x-content-type-options": "nosniff",
    })
    .send(Buffer.from(page.body));
}

/** Says what an address that exists is for, or that nothing is there. */
function refuseMethod(handler: RequestHandler, request: FastifyRequest, reply: FastifyReply): void {
  const isRpc = responseShapeAt(request.url) !== undefined;
  const hasPage = pageAt(handler, request.url) !== undefined;
  const allowed = [...(hasPage ? ["GET", "HEAD"] : []), ...(isRpc ? ["POST", "OPTIONS"] : [])].join(", ");
  reply.type(TEXT_TYPE);
  if (allowed === "") reply.code(404).send("Nothing is served here.\n");
  else
    reply
      .code(405)
      .header("allow", allowed)
      .send(isRpc ? "Send JSON-RPC by POST.\n" : "Read this by GET.\n");
}

function refuseSchema(): never {
  throw new TypeError("No route has a schema.");
}
