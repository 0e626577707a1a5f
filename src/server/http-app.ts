/**
 * The HTTP side: routes, the rules of access, and one exchange from body to answer.
 *
 * Fastify finds the route, reads the body up to the limit, tells pages on other ports what they may do (CORS) and sends
 * what is whole. Long answers go through Node's own response, which writes with backpressure; so does the refusal of a
 * body that is too large. Listening is the caller's business.
 */
import { isUtf8 } from "node:buffer";
import type { Server } from "node:http";
import { fastifyCors } from "@fastify/cors";
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { type AccessRules, refuseAccess } from "./access.ts";
import { ADDRESS_FORMS, type ResponseShape, responseShapeAt } from "./address-forms.ts";
import { discardBody } from "./discard-body.ts";
import type { Page, RequestHandler } from "./handler.ts";
import { passHeaders, writePieces } from "./write-pieces.ts";

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

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain; charset=UTF-8";
const PREFLIGHT_AGE_SECONDS = 600;
/** A segment of an address may be a key; headers, and so addresses, end at 16 KiB anyway. */
const MAX_SEGMENT_LENGTH = 16 * 1024;

/** How long a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 300_000;

/** How much of a body that is too large is thrown away so that its sender reads the answer, and for how long. */
const DISCARD_BYTES = 64 * 1024 * 1024;
const DISCARD_TIMEOUT_MS = 1_000;

/** Bodies are the handler's to judge. Said outright, it keeps Fastify from loading compilers of JSON schemas. */
const WITHOUT_SCHEMAS = { buildValidator: refuseSchema, buildSerializer: refuseSchema };

/** Builds a server that answers plain HTTP requests once it listens; upgrades are left to the caller. */
export async function createHttpApp(options: HttpAppOptions): Promise<Server> {
  const app = fastify({
    bodyLimit: options.maxBodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    pluginTimeout: 0,
    routerOptions: { maxParamLength: MAX_SEGMENT_LENGTH },
    schemaController: { compilersFactory: WITHOUT_SCHEMAS },
    // Addresses that cannot be read are addresses where nothing is.
    frameworkErrors: (_error, request, reply) => refuseMethod(options.handler, request, reply),
  });
  addAccessRules(app, options.access);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: "buffer" }, (_request, body: Buffer, done) => {
    // JSON is UTF-8 (RFC 8259 §8.1): what is not gives the empty text, which the handler refuses as it does no JSON.
    done(null, isUtf8(body) ? body.toString("utf8") : "");
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
  { handler, pending, stallTimeoutMs }: HttpAppOptions,
  responseShape: ResponseShape,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const { body } = request;
  // Nothing was sent, of no type.
  if (typeof body !== "string") return refuseType(reply);
  const outgoing = reply.raw;
  const work = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) work.abort(new Error("The client went away."));
  });
  // A write that meets a closed connection is reported here too; the close handler has dealt with it.
  outgoing.on("error", () => undefined);
  pending.add(work);
  try {
    const answer = await handler.handle(body, { responseShape, signal: work.signal });
    if (answer === undefined) return reply.code(204).send();
    // As bytes: to the type of a text Fastify would add a charset, which JSON has none of.
    if (typeof answer === "string") return reply.type(JSON_TYPE).send(Buffer.from(answer));
    await writePieces(reply.type(JSON_TYPE), answer, stallTimeoutMs);
    return reply;
  } finally {
    pending.delete(work);
  }
}

/** Answers to what went wrong before the handler was asked, or in it. */
function answerError(options: HttpAppOptions, error: FastifyError, exchange: Exchange): unknown {
  const { reply } = exchange;
  // After the head is out, or with the client gone, breaking the connection is the only way to say so.
  if (reply.raw.headersSent || reply.raw.destroyed) return void reply.hijack().raw.destroy();
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") return refuseBody(options, exchange);
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return refuseType(reply);
  const status = error.statusCode ?? 500;
  const text = `${status < 500 ? "Bad request" : "Internal error"}: ${error.message}\n`;
  return reply.code(status).type(TEXT_TYPE).send(text);
}

async function refuseBody({ handler, maxBodyBytes }: HttpAppOptions, { request, reply }: Exchange): Promise<void> {
  const text = handler.refuse("bodyTooLarge", maxBodyBytes);
  passHeaders(reply.type(JSON_TYPE).header("connection", "close"));
  const outgoing = reply.hijack().raw;
  outgoing.writeHead(413, { "content-length": Buffer.byteLength(text) });
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
