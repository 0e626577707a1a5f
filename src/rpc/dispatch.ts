/**
 * Handles JSON-RPC 2.0 texts: the envelope, batches, notifications, and errors as answers.
 *
 * Servers and the in-process provider both use it: servers pass text, the provider a method and params.
 */
import { HindcastError, InternalError, InvalidRequestError, LimitError } from "../errors/hindcast-error.ts";
import { after, type MaybePromise } from "../primitives/maybe-promise.ts";
import type { Answer, RequestContext, RequestHandler } from "../server/handler.ts";
import { callOf, readBy } from "./call-context.ts";
import type { RpcContext } from "./context.ts";
import {
  dropText,
  joined,
  type Pause,
  type Piece,
  pacedText,
  pieceText,
  settled,
  type Text,
  TextReader,
  WHOLE_LENGTH,
} from "./encode/stream/text.ts";
import type { CallContext, Method } from "./method.ts";
import type { MethodTable } from "./method-table.ts";
import {
  EXAMPLE_REQUEST,
  failureText,
  idOf,
  type MethodCall,
  methodOf,
  parseRequest,
  positional,
  readEnvelope,
  SEND_A_REQUEST,
} from "./requests/envelope.ts";
import { methodNotFound } from "./requests/method-not-found.ts";
import { type RequestId, requestIdText } from "./requests/request-id.ts";
import type { SlowRequests } from "./requests/slow-requests.ts";
import { StartOrder } from "./requests/start-order.ts";
import { checkParams } from "./schema/check-params.ts";

/** The methods, what they may use, and the limit of a batch. */
export interface DispatcherOptions {
  readonly methods: MethodTable;
  readonly context: RpcContext;
  /** Keeps the states that a request reads until the returned function is called. */
  readonly beginReading: () => () => void;
  /** Most requests in one batch. */
  readonly maxBatchLength: number;
  /** Reports slow requests; undefined if nobody asked for that. */
  readonly slow?: SlowRequests | undefined;
  /** Answers a request in place of its method, as JSON; undefined leaves it to the method. */
  readonly answerInstead?: ((request: AnswerRequest) => Promise<unknown> | undefined) | undefined;
  /** Called after each answered request, for the log. The name is empty if the text was not a request. */
  readonly onRequest?: ((method: string, error: HindcastError | undefined) => void) | undefined;
}

/** A request whose parameters were checked. */
export interface AnswerRequest {
  readonly method: string;
  readonly params: readonly unknown[];
  /** The parameters as the method takes them. */
  readonly values: readonly unknown[];
}

/** Makes of a method's answer what the caller wants: a value, or text. */
interface ResultForm<T> {
  of(method: Method, values: readonly unknown[]): MaybePromise<T>;
  /** From JSON that did not come from the method. */
  given(json: unknown): T;
}

/** One for each node, shared by its servers and its provider. Requests of one session begin in the order of their arrival. */
export class Dispatcher implements RequestHandler {
  readonly #options: DispatcherOptions;
  readonly #order = new StartOrder();

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /**
   * Runs one method.
   *
   * @throws {HindcastError} whatever the method raised, or an {@link InternalError} around anything else
   */
  async run(name: unknown, params: unknown, call: CallContext): Promise<unknown> {
    if (typeof name !== "string") {
      const what = "A request is an object with method, the name of one, and params.";
      const fix = 'Ask for example request({ method: "eth_getBalance", params: [address, "latest"] }).';
      throw new InvalidRequestError({ code: "INVALID_REQUEST", what, fix });
    }
    const loading = this.#order.enter(call.session, () => this.#load(name));
    if (loading instanceof Promise) await loading;
    return this.#serve({ method: name, params }, call, {
      of: (method, values) => after(method.call(this.#options.context, values, call), (json) => json ?? null),
      given: (json) => json,
    });
  }

  /** Loads a method's code. A failure is not reported here: the request meets it again. */
  #load(name: string | undefined): Promise<void> | undefined {
    if (name === undefined) return undefined;
    const { methods, context } = this.#options;
    const loading = after(methods.find(name), (method) => method?.load?.(context));
    return loading instanceof Promise ? loading.then(ignore, ignore) : undefined;
  }

  /** Parses a text, and loads the methods that it names. */
  #read(text: string): MaybePromise<unknown> {
    return after(parseRequest(text), (request) => {
      const loading = Array.isArray(request) ? this.#loadAll(request) : this.#load(methodOf(request));
      return loading === undefined ? request : loading.then(() => request);
    });
  }

  #loadAll(batch: readonly unknown[]): Promise<unknown> | undefined {
    const names = batch.slice(0, this.#options.maxBatchLength).map(methodOf);
    const loading = names.map((name) => this.#load(name)).filter((each) => each !== undefined);
    return loading.length === 0 ? undefined : Promise.all(loading);
  }

  /** The result as JSON text, in pieces if it may be long. */
  #serveText(request: MethodCall, call: CallContext, wholeLength: number): Promise<Text> {
    const { context } = this.#options;
    return this.#serve<Text>(request, call, {
      of: (method, values) => {
        if (method.callText === undefined) return after(method.call(context, values, call), jsonText);
        const reader = new TextReader();
        const text = method.callText(context, values, readBy(reader, call));
        return after(text, (pieces) => settled(reader.read(pieces), wholeLength));
      },
      given: jsonText,
    });
  }

  async #serve<T>({ method: name, params }: MethodCall, call: CallContext, form: ResultForm<T>): Promise<T> {
    const { methods, onRequest, beginReading, slow, answerInstead } = this.#options;
    const ended = slow?.begin(name);
    const endReading = beginReading();
    try {
      const found = methods.find(name);
      const method = found instanceof Promise ? await found : found;
      if (method === undefined) throw methodNotFound(name, await methods.all());
      const received = positional(name, params);
      const values = checkParams(method.params, received);
      const answering = answerInstead?.({ method: name, params: received, values });
      const instead = answering && (await answering);
      const result = await (instead === undefined ? form.of(method, values) : form.given(instead));
      onRequest?.(name, undefined);
      return result;
    } catch (error) {
      const known = asHindcastError(error, name, call);
      onRequest?.(name, known);
      throw known;
    } finally {
      endReading();
      ended?.();
    }
  }

  /** The answer to a text that is not a request. The log entry has no method name. */
  #unreadable(id: RequestId, error: HindcastError): string {
    this.#options.onRequest?.("", error);
    return failureText(id, error);
  }

  async handle(text: string, context: RequestContext): Promise<Answer> {
    let request: unknown;
    try {
      const read = this.#order.enter(context.session, () => this.#read(text));
      request = read instanceof Promise ? await read : read;
    } catch (cause) {
      if (cause instanceof LimitError) return this.#unreadable(null, cause);
      const what = "The request body is not JSON.";
      const where = cause instanceof Error ? `${cause.message}.` : undefined;
      const error = { code: "PARSE_ERROR", what, fix: SEND_A_REQUEST, cause } as const;
      return this.#unreadable(null, new InvalidRequestError(where === undefined ? error : { ...error, where }));
    }
    const call = callOf(context);
    if (!Array.isArray(request)) {
      const response = await this.#answer(request, call, WHOLE_LENGTH.alone);
      return response === undefined ? undefined : toAnswer(response, call);
    }
    const problem = this.#batchProblem(request);
    if (problem !== undefined) return this.#unreadable(null, problem);
    return this.#answerBatch(request, call);
  }

  /**
   * Serves the requests in order, because a batch may send a transaction and then read its effect. From the first long
   * response on, or when the responses together are long, each is made only after the ones before it were written.
   */
  async #answerBatch(batch: readonly unknown[], call: CallContext): Promise<Answer> {
    const responses: string[] = [];
    let length = 0;
    for (const [index, entry] of batch.entries()) {
      const response = await this.#answer(entry, call, WHOLE_LENGTH.inBatch);
      if (response === undefined) continue;
      if (Array.isArray(response) && length <= WHOLE_LENGTH.batch) {
        const text = response.map(pieceText).join("");
        length += text.length;
        responses.push(text);
      } else return this.#streamBatch({ done: responses, current: response, rest: batch.slice(index + 1) }, call);
    }
    return responses.length === 0 ? undefined : `[${responses.join(",")}]`;
  }

  async *#streamBatch(batch: StreamedBatch, call: CallContext): AsyncGenerator<Piece, void, undefined> {
    yield `[${batch.done.map((text) => `${text},`).join("")}`;
    yield* pacedText(batch.current, call.signal);
    for (const entry of batch.rest) {
      const response = await this.#answer(entry, call, WHOLE_LENGTH.inBatch);
      if (response === undefined) continue;
      yield ",";
      yield* pacedText(response, call.signal);
    }
    yield "]";
  }

  refuse(_reason: "bodyTooLarge", limitBytes: number): string {
    const error = new LimitError({
      code: "BODY_TOO_LARGE",
      what: `The request body exceeds ${limitBytes} bytes.`,
      fix: "Send it in parts, or raise the limit with --max-body-bytes.",
    });
    return failureText(null, error);
  }

  #batchProblem(batch: readonly unknown[]): HindcastError | undefined {
    const { maxBatchLength } = this.#options;
    if (batch.length === 0) {
      const fix = `Put requests into it, such as [${EXAMPLE_REQUEST}].`;
      return new InvalidRequestError({ code: "INVALID_REQUEST", what: "The batch is empty.", fix });
    }
    if (batch.length <= maxBatchLength) return undefined;
    return new LimitError({
      code: "BATCH_TOO_LONG",
      what: `The batch has ${batch.length} requests, at most ${maxBatchLength} are allowed.`,
      fix: "Split it, or raise the limit with --max-batch-length.",
    });
  }

  /** One response as text: an array if all pieces exist, else an iterable that still makes them. */
  async #answer(request: unknown, call: CallContext, wholeLength: number): Promise<Text | undefined> {
    const envelope = readEnvelope(request);
    if (envelope instanceof HindcastError) return [this.#unreadable(idOf(request), envelope)];
    const { id, isNotification } = envelope;
    try {
      const result = await this.#serveText(envelope, call, wholeLength);
      if (isNotification) {
        dropText(result);
        return undefined;
      }
      const head = `{"jsonrpc":"2.0","id":${requestIdText(id)},"result":`;
      return Array.isArray(result) ? [head, ...result, "}"] : enclosed(head, result, "}");
    } catch (error) {
      return isNotification ? undefined : [failureText(id, error as HindcastError)];
    }
  }
}

function ignore(): void {}

function jsonText(json: unknown): Text {
  return [JSON.stringify(json ?? null)];
}

/** A batch with a long response in it. */
interface StreamedBatch {
  /** Responses before the long one. */
  readonly done: readonly string[];
  readonly current: Text;
  /** Requests after the long one. */
  readonly rest: readonly unknown[];
}

function toAnswer(text: Text, call: CallContext): Answer {
  return Array.isArray(text) ? joined(text) : pacedText(text, call.signal);
}

function* enclosed(head: string, text: Text, tail: string): Generator<Piece | Pause> {
  yield head;
  yield* text;
  yield tail;
}

/** Any error that is not a {@link HindcastError} is a bug of ours: the answer asks for a report. */
function asHindcastError(error: unknown, method: string, call: CallContext): HindcastError {
  if (error instanceof HindcastError) return error;
  if (call.signal.aborted && error === call.signal.reason) {
    return new LimitError({ code: "EXECUTION_ABORTED", what: `${method} was aborted by its caller.`, cause: error });
  }
  return new InternalError({
    code: "INTERNAL_ERROR",
    what: `${method} failed unexpectedly: ${error instanceof Error ? error.message : String(error)}.`,
    fix: "Please report this with the request that caused it.",
    cause: error,
  });
}
