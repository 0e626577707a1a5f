/**
 * Text in, text out: the JSON-RPC 2.0 envelope, batches, notifications, and errors as answers.
 *
 * Both doors of the node come through here: the server with text, the in-process provider with a method and params.
 */
import {
  HindcastError,
  InternalError,
  InvalidRequestError,
  LimitError,
  MethodNotFoundError,
} from "../errors/hindcast-error.ts";
import type { Answer, RequestContext, RequestHandler } from "../server/handler.ts";
import type { RpcContext } from "./context.ts";
import type { CallContext, Method } from "./method.ts";
import { checkParams } from "./schema/check-params.ts";

export interface DispatcherOptions {
  readonly methods: ReadonlyMap<string, Method>;
  readonly context: RpcContext;
  /** Most requests in one batch. */
  readonly maxBatchLength: number;
  /** Hears of each request that was answered, for the log. */
  readonly onRequest?: ((method: string, error: HindcastError | undefined) => void) | undefined;
}

type Id = string | number | null;

interface ErrorJson {
  code: number;
  message: string;
  data?: unknown;
}

type Response = { jsonrpc: "2.0"; id: Id; result: unknown } | { jsonrpc: "2.0"; id: Id; error: ErrorJson };

export class Dispatcher implements RequestHandler {
  readonly #options: DispatcherOptions;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /**
   * Runs one method.
   *
   * @throws {HindcastError} whatever the method raised, or an {@link InternalError} around anything else
   */
  async run(name: string, params: readonly unknown[], call: CallContext): Promise<unknown> {
    const { methods, context, onRequest } = this.#options;
    try {
      const method = methods.get(name);
      if (method === undefined) throw methodNotFound(name);
      const result = await method.call(context, checkParams(method.params, params), call);
      onRequest?.(name, undefined);
      return result ?? null;
    } catch (error) {
      const known = asHindcastError(error, name);
      onRequest?.(name, known);
      throw known;
    }
  }

  async handle(text: string, context: RequestContext): Promise<Answer> {
    let request: unknown;
    try {
      request = JSON.parse(text);
    } catch (cause) {
      const what = "The request body is not JSON.";
      return JSON.stringify(failure(null, new InvalidRequestError({ code: "PARSE_ERROR", what, cause })));
    }
    const call: CallContext = {
      signal: context.signal,
      responseShape: context.responseShape,
      session: context.session,
      afterAnswer: context.afterAnswer ?? ((task) => task()),
    };
    if (!Array.isArray(request)) {
      const response = await this.#answer(request, call);
      return response === undefined ? undefined : JSON.stringify(response);
    }
    const problem = this.#batchProblem(request);
    if (problem !== undefined) return JSON.stringify(failure(null, problem));
    const responses: Response[] = [];
    // One after the other: a batch that sends and then reads expects to see what it sent.
    for (const entry of request) {
      const response = await this.#answer(entry, call);
      if (response !== undefined) responses.push(response);
    }
    return responses.length === 0 ? undefined : JSON.stringify(responses);
  }

  refuse(_reason: "bodyTooLarge", limitBytes: number): string {
    const error = new LimitError({
      code: "BODY_TOO_LARGE",
      what: `The request body exceeds ${limitBytes} bytes.`,
      fix: "Send it in parts, or raise the limit.",
    });
    return JSON.stringify(failure(null, error));
  }

  #batchProblem(batch: readonly unknown[]): HindcastError | undefined {
    const { maxBatchLength } = this.#options;
    if (batch.length === 0) {
      return new InvalidRequestError({ code: "INVALID_REQUEST", what: "The batch is empty." });
    }
    if (batch.length <= maxBatchLength) return undefined;
    return new LimitError({
      code: "BATCH_TOO_LONG",
      what: `The batch has ${batch.length} requests, at most ${maxBatchLength} are allowed.`,
      fix: "Split it, or raise the limit.",
    });
  }

  async #answer(request: unknown, call: CallContext): Promise<Response | undefined> {
    const envelope = readEnvelope(request);
    if (envelope instanceof HindcastError) return failure(idOf(request), envelope);
    const { id, isNotification, method, params } = envelope;
    try {
      const result = await this.run(method, params, call);
      return isNotification ? undefined : { jsonrpc: "2.0", id, result };
    } catch (error) {
      return isNotification ? undefined : failure(id, error as HindcastError);
    }
  }
}

interface Envelope {
  readonly id: Id;
  readonly isNotification: boolean;
  readonly method: string;
  readonly params: readonly unknown[];
}

function readEnvelope(request: unknown): Envelope | HindcastError {
  const invalid = (what: string): HindcastError => new InvalidRequestError({ code: "INVALID_REQUEST", what });
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    return invalid("A request is an object with jsonrpc, method, params and id.");
  }
  const { jsonrpc, method, params, id } = request as Record<string, unknown>;
  if (jsonrpc !== "2.0") return invalid('The member jsonrpc must be "2.0".');
  if (typeof method !== "string") return invalid("The member method must be a string.");
  if (id !== undefined && !isId(id)) return invalid("The member id must be a string, a number or null.");
  if (params !== undefined && params !== null && !Array.isArray(params)) {
    return invalid("The member params must be an array: parameters are positional.");
  }
  return { id: id ?? null, isNotification: !("id" in request), method, params: params ?? [] };
}

function isId(value: unknown): value is Id {
  return value === null || typeof value === "string" || typeof value === "number";
}

function idOf(request: unknown): Id {
  const id = typeof request === "object" && request !== null ? (request as { id?: unknown }).id : undefined;
  return isId(id) ? id : null;
}

function failure(id: Id, error: HindcastError): Response {
  const { rpcCode: code, rpcMessage: message, data } = error;
  return { jsonrpc: "2.0", id, error: data === undefined ? { code, message } : { code, message, data } };
}

function methodNotFound(name: string): MethodNotFoundError {
  return new MethodNotFoundError({
    code: "METHOD_NOT_FOUND",
    what: `the method ${name} does not exist/is not available`,
  });
}

/** Anything that is not ours is our bug: the caller gets an answer, and the text asks for a report. */
function asHindcastError(error: unknown, method: string): HindcastError {
  if (error instanceof HindcastError) return error;
  return new InternalError({
    code: "INTERNAL_ERROR",
    what: `${method} failed unexpectedly: ${error instanceof Error ? error.message : String(error)}.`,
    fix: "Please report this with the request that caused it.",
    cause: error,
  });
}
