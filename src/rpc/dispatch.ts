/**
 * Handles JSON-RPC 2.0 texts: the envelope, batches, notifications, and errors as answers.
 *
 * Servers and the in-process provider both use it: servers pass text, the provider a method and params.
 */
import { HindcastError, InvalidRequestError, LimitError } from "../errors/hindcast-error.ts";
import { after, type MaybePromise } from "../primitives/maybe-promise.ts";
import type { Answer, BodyRefusal, RequestContext, RequestHandler } from "../server/handler.ts";
import { STREAM_BOUNDS } from "../services/simulate/replay/second-run.ts";
import type { RpcContext } from "./context.ts";
import {
  dropText,
  enclosed,
  type Pace,
  pacedText,
  settled,
  type Text,
  TextReader,
  valueText,
  WHOLE_LENGTH,
} from "./encode/stream/text.ts";
import type { CallContext, Method } from "./method.ts";
import { callOf, whenOthersMayBegin } from "./method.ts";
import type { MethodTable } from "./method-table.ts";
import type { AnswerRequest } from "./requests/answer-request.ts";
import { asHindcastError } from "./requests/as-hindcast-error.ts";
import { answerBatch, batchProblem } from "./requests/batch.ts";
import {
  failureAnswer,
  failureText,
  idOf,
  isNotification,
  type MethodCall,
  methodOf,
  parseRequest,
  positional,
  readEnvelope,
  SEND_A_REQUEST,
} from "./requests/envelope.ts";
import { LargeRequests } from "./requests/large-requests.ts";
import { methodNotFound } from "./requests/method-not-found.ts";
import { nodeClosed } from "./requests/node-closed.ts";
import { refusedBody } from "./requests/refused-body.ts";
import { type RequestId, requestIdText } from "./requests/request-id.ts";
import { RequestOrder } from "./requests/request-order.ts";
import { idOfLong, type MostOf } from "./requests/scan-request.ts";
import type { SlowRequests } from "./requests/slow-requests.ts";
import { checkValueCount, mostValues } from "./requests/value-bound.ts";
import { checkParams, type ParamForms } from "./schema/check-params.ts";
import type { Wording } from "./words/words.ts";

/** The methods, and what they may use. */
export interface DispatcherOptions {
  readonly methods: MethodTable;
  readonly context: RpcContext;
  /** Keeps the states that a request reads until the returned function is called. */
  readonly beginReading: () => () => void;
  /** Forms of params; default: those of QUANTITY and DATA. */
  readonly paramForms?: ParamForms | undefined;
  /** Words of another client for errors; default: their own. */
  readonly wording?: (() => Promise<Wording>) | undefined;
  /** Reports slow requests; undefined if nobody asked for that. */
  readonly slow?: SlowRequests | undefined;
  /** Answers a request in place of its method, as JSON; undefined leaves it to the method. */
  readonly answerInstead?: ((request: AnswerRequest) => Promise<unknown> | undefined) | undefined;
  /** Called after each answered request, for the log. The name is empty if the text was not a request. */
  readonly onRequest?: ((method: string, error: HindcastError | undefined) => void) | undefined;
}

/** Makes of a method's answer what the caller wants: a value, or text. */
interface ResultForm<T> {
  of(method: Method, values: readonly unknown[]): MaybePromise<T>;
  /** From JSON that did not come from the method. */
  given(json: unknown): T;
}

/** A text that was parsed. */
interface ReadText {
  readonly request: unknown;
  /** Number of its requests up to the last one that asks for a method that writes. */
  readonly writesUpTo: number;
}

/** One for each node, shared by its servers and its provider. Requests of one session have an order: {@link RequestOrder}. */
export class Dispatcher implements RequestHandler {
  readonly #options: DispatcherOptions;
  readonly #order = new RequestOrder();
  readonly #large = new LargeRequests();
  readonly disconnected = (): void => this.#large.giveBack();
  #isClosed = false;

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
    const loaded = this.#order.enter(call.session, () => this.#load(name));
    const writes = loaded instanceof Promise ? await loaded : loaded;
    const serve = (own: CallContext): Promise<unknown> =>
      this.#serve({ method: name, params }, own, {
        of: (method, values) => after(method.call(this.#options.context, values, own), (json) => json ?? null),
        given: (json) => json,
      });
    return writes ? this.#order.inTurn(call, serve) : serve(call);
  }

  /**
   * The result of a request that the node itself makes, as JSON text in pieces. It is not in the log.
   *
   * @throws {HindcastError} as {@link run}
   */
  async *resultText(method: string, params: readonly unknown[], call: CallContext): AsyncGenerator<string> {
    await this.#load(method);
    const text = await this.#serveText({ method, params }, call, WHOLE_LENGTH.alone, false);
    yield* pacedText(text, this.#paceOf(call));
  }

  /** Requests that have not begun fail from now on. */
  close(): void {
    this.#isClosed = true;
  }

  /** Loads a method's code. Whether it writes; a failure is not reported here: the request meets it again. */
  #load(name: string | undefined): MaybePromise<boolean> {
    if (name === undefined) return false;
    const { methods, context } = this.#options;
    const writes = after(methods.find(name), (method) => after(method?.load?.(context), () => method?.writes === true));
    return writes instanceof Promise ? writes.catch(() => false) : writes;
  }

  /** Parses a text, and loads the methods that it names. */
  #read(text: string): MaybePromise<ReadText> {
    const { methods, context } = this.#options;
    const mostOf: MostOf = (name) =>
      after(methods.find(name), (method) => method && mostValues(method, context.limits));
    return after(parseRequest(text, mostOf), (request) => {
      const loaded = this.#loadAll(Array.isArray(request) ? request : [request]);
      return after(loaded, (writes) => ({ request, writesUpTo: writes.lastIndexOf(true) + 1 }));
    });
  }

  /** Whether each request writes. */
  #loadAll(requests: readonly unknown[]): MaybePromise<boolean[]> {
    const loaded = requests
      .slice(0, this.#options.context.limits.maxBatchLength)
      .map((entry) => this.#load(methodOf(entry)));
    return loaded.some((each) => each instanceof Promise) ? Promise.all(loaded) : (loaded as boolean[]);
  }

  /** The result as JSON text, in pieces if it may be long. */
  #serveText(request: MethodCall, call: CallContext, wholeLength: number, isLogged = true): Promise<Text> {
    const { context } = this.#options;
    const form: ResultForm<Text> = {
      of: (method, values) => {
        if (method.callText === undefined) return after(method.call(context, values, call), valueText);
        const reader = new TextReader(call.signal);
        const text = method.callText(context, values, { ...call, signal: reader, streamed: STREAM_BOUNDS });
        return after(text, (pieces) => settled(reader.read(pieces), wholeLength));
      },
      given: valueText,
    };
    return this.#serve(request, call, form, isLogged);
  }

  async #serve<T>(
    { method: name, params }: MethodCall,
    call: CallContext,
    form: ResultForm<T>,
    logs = true,
  ): Promise<T> {
    const { methods, context, onRequest, beginReading, slow, answerInstead, paramForms } = this.#options;
    if (this.#isClosed) throw nodeClosed();
    const ended = slow?.begin(name);
    let endReading: (() => void) | undefined = beginReading();
    let isLogged = logs;
    const release = call.session && context.subscriptions.hold(call.session);
    try {
      const found = methods.find(name);
      const method = found instanceof Promise ? await found : found;
      if (method === undefined) throw methodNotFound(name, await methods.all());
      if (method.betweenNodes === true) {
        endReading();
        endReading = undefined;
        ended?.();
        isLogged = false;
      }
      const received = positional(name, params);
      checkValueCount(name, received, mostValues(method, context.limits));
      const values = checkParams(method.params, received, paramForms);
      const answering = answerInstead?.({ method: name, params: received, values, entry: method, call });
      const instead = answering && (await answering);
      const result = await (instead === undefined ? form.of(method, values) : form.given(instead));
      if (isLogged) onRequest?.(name, undefined);
      return result;
    } catch (error) {
      const known = asHindcastError(error, name, call);
      const words = known.hasWords ? undefined : (await this.#options.wording?.())?.(known, name);
      if (words !== undefined) known.inWords(words);
      if (isLogged) onRequest?.(name, known);
      throw known;
    } finally {
      endReading?.();
      ended?.();
      if (release !== undefined) call.afterAnswer(release);
    }
  }

  /** The answer to a text that is not a request. The log entry has no method name. */
  #unreadable(id: RequestId, error: HindcastError): string {
    this.#options.onRequest?.("", error);
    return failureText(id, error);
  }

  handle(text: string, context: RequestContext): Promise<Answer> {
    const leave = this.#large.leaving(text.length);
    return this.#handle(text, context, leave).finally(leave);
  }

  /** @param leave - lets the next large request begin: also when this one only waits for others, maybe for hours */
  async #handle(text: string, context: RequestContext, leave: () => void): Promise<Answer> {
    let read: ReadText;
    try {
      const begin = (): MaybePromise<ReadText> => after(this.#large.enter(text.length), () => this.#read(text));
      const reading = this.#order.enter(context.session, begin);
      read = reading instanceof Promise ? await reading : reading;
    } catch (cause) {
      if (cause instanceof LimitError) return this.#unreadable(idOfLong(text), cause);
      const what = "The request body is not JSON.";
      const where = cause instanceof Error ? `${cause.message}.` : undefined;
      const error = { code: "PARSE_ERROR", what, fix: SEND_A_REQUEST, cause } as const;
      return this.#unreadable(null, new InvalidRequestError(where === undefined ? error : { ...error, where }));
    }
    const call = callOf(context);
    if (read.writesUpTo === 0) return this.#respond(read, call);
    return this.#order.inTurn(call, (own) => this.#respond(read, whenOthersMayBegin(own, leave)));
  }

  async #respond({ request, writesUpTo }: ReadText, call: CallContext): Promise<Answer> {
    if (!Array.isArray(request)) {
      const response = await this.#answer(request, call, WHOLE_LENGTH.alone);
      return response === undefined ? undefined : toAnswer(response, this.#paceOf(call));
    }
    const problem = batchProblem(request, this.#options.context.limits.maxBatchLength);
    if (problem !== undefined) return this.#unreadable(null, problem);
    return answerBatch(request, {
      serve: (entry, goOn) => this.#answer(entry, whenOthersMayBegin(call, goOn), WHOLE_LENGTH.inBatch),
      refuse: (entry, error) => (isNotification(entry) ? undefined : [failureText(idOf(entry), error)]),
      pace: this.#paceOf(call),
      // Without a session nobody is notified.
      servedFirst: call.session === undefined ? 0 : writesUpTo,
    });
  }

  #paceOf({ signal }: CallContext): Pace {
    return { signal, timeoutMs: this.#options.context.limits.traceTimeoutMs };
  }

  refuse(reason: BodyRefusal, limitBytes: number): string {
    return refusedBody(reason, limitBytes);
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
      return isNotification ? undefined : settled(failureAnswer(id, error as HindcastError), wholeLength);
    }
  }
}

function toAnswer(text: Text, pace: Pace): Answer {
  return Array.isArray(text) ? text.join("") : pacedText(text, pace);
}
