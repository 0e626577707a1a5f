/**
 * A JSON-RPC method: a name, positional params with schemas, a call of a service, and an encoder. It contains no logic.
 */
import type { z } from "zod";
import type { AbortState } from "../primitives/abort-state.ts";
import { after, type MaybePromise } from "../primitives/maybe-promise.ts";
import type { RequestContext, Session } from "../server/handler.ts";
import type { StreamBounds } from "../services/simulate/replay/second-run.ts";
import type { RpcContext } from "./context.ts";
import type { EncodeAnswer, ResponseShape } from "./encode/shape.ts";
import type { Text } from "./encode/stream/text.ts";
import type { MethodErrors } from "./errors.ts";
import type { JsonSchema } from "./openrpc/json-schema.ts";
import type { Param } from "./schema/check-params.ts";

/** The request that a method answers, without its params. */
export interface CallContext {
  readonly signal: AbortState;
  readonly responseShape: ResponseShape;
  /** The connection to send notifications on, if it outlives the request. */
  readonly session: Session | undefined;
  /** True for a request to a server whose explorer is read-only; absent within the process. */
  readonly isReadOnly?: boolean;
  /** Runs a task after the answer was written. */
  readonly afterAnswer: (task: () => void) => void;
  /**
   * Lets the connection's next request that writes begin before this one has ended. Called by methods that have written
   * and then wait for what another request may do. Undefined for a method that does not write.
   */
  readonly letNextBegin?: () => void;
  /** Given if the answer is read once, in pieces. Then {@link signal} aborts also when it is no longer read. */
  readonly streamed?: StreamBounds;
}

/** Type of a parameter's value when the method runs. */
type ParamValue<P> =
  P extends Param<infer Schema>
    ? P extends { readonly fallback: { readonly value: undefined } }
      ? z.output<Schema> | undefined
      : z.output<Schema>
    : never;

type ParamValues<Params extends readonly Param[]> = { -readonly [Index in keyof Params]: ParamValue<Params[Index]> };

/** A request to a fresh chain; `.ci/example-chain.mjs` asks it. */
export interface MethodExample {
  readonly params: readonly unknown[];
  /** Hardfork of the chain. Default: the default one. */
  readonly hardfork?: "berlin" | "amsterdam";
  /** Shown as the answer, where that is another one each time. */
  readonly result?: string;
}

/**
 * Where a node that follows another one has a method answered: here, by the writer, or by nobody. `writer if unknown`: by
 * the writer if the answer here is null or empty.
 */
export type AnsweredBy = "reader" | "writer" | "writer if unknown" | "nobody";

/** A method as its file defines it. */
export interface MethodDefinition<Name extends string, Params extends readonly Param[], Value, Json> {
  readonly name: Name;
  /** One line for the method table. */
  readonly summary: string;
  readonly params: Params;
  /** Schema of the answer. */
  readonly result: JsonSchema;
  /**
   * Errors that it can answer with, beside those that every request can meet: wrong params, and those of the envelope, the
   * store, the upstream node of a fork, a closed node, and one whose chain another node writes. Default: none.
   */
  readonly errors?: MethodErrors;
  /** A request for documents, and for tests of the answer. */
  readonly example?: MethodExample;
  /** Whether it changes anything that later requests find. Those of one connection that do run one after another. */
  readonly writes?: true;
  /** On a node that follows another one. Default: by the writer if it writes, otherwise here. */
  readonly answeredBy?: AnsweredBy;
  /** Asked by other nodes, which may wait long: it is not logged, it is not slow, and it reads no state itself. */
  readonly betweenNodes?: true;
  /** Most values in its params, if that is more than of other methods: they have the content of a file. */
  readonly maxValues?: number;
  /** Loads the code that the method needs. Later requests of the connection do not begin before that. */
  readonly load?: (context: RpcContext) => MaybePromise<unknown>;
  readonly run: (context: RpcContext, params: ParamValues<Params>, call: CallContext) => MaybePromise<Value>;
  readonly encode: EncodeAnswer<Value, Json>;
  /** The same JSON in pieces, for results that may be too long to hold in memory. */
  readonly encodeText?: (value: Value, shape: ResponseShape) => Text;
}

/** A method as the dispatcher sees it. The phantom members carry its types to the provider. */
export interface Method<
  Name extends string = string,
  Params extends readonly Param[] = readonly Param[],
  Json = unknown,
> {
  readonly name: Name;
  /** Name under which documents describe this method, if it is an alias. */
  readonly aliasOf?: string;
  readonly summary: string;
  readonly params: Params;
  /** See {@link MethodDefinition}. */
  readonly writes?: true;
  /** See {@link MethodDefinition}. */
  readonly answeredBy?: AnsweredBy;
  /** See {@link MethodDefinition}. */
  readonly betweenNodes?: true;
  /** See {@link MethodDefinition}. */
  readonly maxValues?: number;
  /** See {@link MethodDefinition}. */
  readonly load?: (context: RpcContext) => MaybePromise<unknown>;
  readonly result: JsonSchema;
  readonly errors: MethodErrors;
  readonly example?: MethodExample;
  readonly call: (context: RpcContext, params: readonly unknown[], call: CallContext) => MaybePromise<Json>;
  /** The result as JSON text in pieces; undefined if results are short. */
  readonly callText?: (context: RpcContext, params: readonly unknown[], call: CallContext) => MaybePromise<Text>;
}

/** Makes an entry of the registry. */
export function method<const Name extends string, const Params extends readonly Param[], Value, Json>(
  definition: MethodDefinition<Name, Params, Value, Json>,
): Method<Name, Params, Json> {
  const {
    name,
    summary,
    params,
    writes,
    answeredBy,
    betweenNodes,
    maxValues,
    load,
    run,
    encode,
    encodeText,
    result,
    errors = [],
    example,
  } = definition;
  return {
    name,
    summary,
    params,
    result,
    errors,
    ...(example === undefined ? {} : { example }),
    ...(writes === undefined ? {} : { writes }),
    ...(answeredBy === undefined ? {} : { answeredBy }),
    ...(betweenNodes === undefined ? {} : { betweenNodes }),
    ...(maxValues === undefined ? {} : { maxValues }),
    ...(load === undefined ? {} : { load }),
    call: (context, values, call) =>
      after(run(context, values as ParamValues<Params>, call), (value) =>
        encode(value, call.responseShape, context.forms),
      ),
    ...(encodeText === undefined
      ? {}
      : {
          callText: (context, values, call) =>
            after(run(context, values as ParamValues<Params>, call), (value) => encodeText(value, call.responseShape)),
        }),
  };
}

/** One entry for each name; the entries are equal otherwise. */
export type AliasedMethods<Names extends readonly string[], Params extends readonly Param[], Json> = readonly {
  [Name in Names[number]]: Method<Name, Params, Json>;
}[Names[number]][];

/**
 * Makes registry entries for one method that clients know under several names.
 *
 * @param definition.names - the first is the one that documents describe
 */
export function aliasedMethod<
  const Names extends readonly [string, ...string[]],
  const Params extends readonly Param[],
  Value,
  Json,
>({
  names,
  ...definition
}: Omit<MethodDefinition<string, Params, Value, Json>, "name"> & { readonly names: Names }): AliasedMethods<
  Names,
  Params,
  Json
> {
  const [main] = names;
  const entries = names.map((name) => ({
    ...method({ name, ...definition }),
    ...(name === main ? {} : { aliasOf: main }),
  }));
  return entries as unknown as AliasedMethods<Names, Params, Json>;
}

/** A required parameter. */
export function required<const Schema extends z.ZodType>(name: string, schema: Schema) {
  return { name, schema };
}

/** A parameter that may be missing or null, and then has this value. */
export function optional<
  const Schema extends z.ZodType,
  const Fallback extends z.output<Schema> | undefined = undefined,
>(name: string, schema: Schema, fallback?: Fallback): { name: string; schema: Schema; fallback: { value: Fallback } } {
  return { name, schema, fallback: { value: fallback as Fallback } };
}

const runAtOnce = (task: () => void): void => task();

/** The call context of a request that came through a server. */
export function callOf(request: RequestContext): CallContext {
  return {
    signal: request.signal,
    responseShape: request.responseShape,
    session: request.session,
    isReadOnly: request.isReadOnly ?? false,
    afterAnswer: request.afterAnswer ?? runAtOnce,
  };
}

/** A request as it is, that also calls a function when it lets others begin. */
export function whenOthersMayBegin(call: CallContext, begin: () => void): CallContext {
  const letNextBegin = (): void => {
    begin();
    call.letNextBegin?.();
  };
  return { ...call, letNextBegin };
}

/** The names of a method that every mode of viem's test client has: `anvil_`, `hardhat_` and `ganache_`. */
export function inEveryMode<const Word extends string>(word: Word) {
  return [`anvil_${word}`, `hardhat_${word}`, `ganache_${word}`] as const;
}
