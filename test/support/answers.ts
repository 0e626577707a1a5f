/**
 * Holds every answer that a node of this process gives in tests against the node's own OpenRPC document: results against
 * the method's result schema, errors against the errors that it names, notifications against the schemas of what they
 * tell of. Whatever does not fit turns into an internal error, so that the test which asked fails; a notification that
 * does not fit fails the run by an exception that nobody catches.
 */
import { Ajv, type ValidateFunction } from "ajv";
import { HindcastError, RemoteError } from "../../src/errors/hindcast-error.ts";
import { encodeQuantity } from "../../src/primitives/bytes/hex.ts";
import type { RpcContext } from "../../src/rpc/context.ts";
import type { Text } from "../../src/rpc/encode/stream/text.ts";
import type { Method } from "../../src/rpc/method.ts";
import { describeMethods, errorsOf } from "../../src/rpc/openrpc/document.ts";
import { methods } from "../../src/rpc/registry.ts";
import { Subscriptions, type SubscriptionTopic } from "../../src/rpc/subscriptions.ts";
import type { Session } from "../../src/server/handler.ts";

/** Longer texts are not parsed while a test measures how they are streamed; they are lists of what others show. */
const MAX_TEXT_LENGTH = 4 * 1024 * 1024;

/** Each schema is compiled for few answers: it is not worth to look for shorter code, or to compile what it refers to again. */
const compilation = { inlineRefs: false, code: { optimize: false } } as const;
const ajv = new Ajv({ strict: true, allowUnionTypes: true, validateFormats: false, ...compilation });
// The document is no schema itself; references lead into it.
ajv.addVocabulary(["openrpc", "info", "methods", "components"]);
ajv.addSchema(describeMethods({ methods, version: "test", answers: {} }), "openrpc", false, false);

const refTo = (name: string) => ({ $ref: `openrpc#/components/schemas/${name}` });
/** The document has no schema for what debug_subscribe("traceChain") tells, since no method answers it. */
ajv.addSchema(
  {
    type: "object",
    additionalProperties: false,
    required: ["block", "hash", "traces"],
    properties: {
      block: refTo("Quantity"),
      hash: refTo("Hash"),
      traces: {
        type: "array",
        items: {
          anyOf: [
            refTo("TransactionTrace"),
            { type: "object", required: ["error"], properties: { error: { type: "string" } } },
          ],
        },
      },
    },
  },
  "ChainTrace",
);

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] };

/** Ajv resolves a reference anew each time that it is asked for one. */
const resultSchemas = new Map<string, ValidateFunction | undefined>();

function resultSchemaOf(asked: string): ValidateFunction | undefined {
  // Under another name a method has the same schema, which is compiled once.
  const name = methods.find((method) => method.name === asked)?.aliasOf ?? asked;
  if (!resultSchemas.has(name)) {
    const index = methods.findIndex((method) => method.name === name);
    resultSchemas.set(name, ajv.getSchema(`openrpc#/methods/${index}/result/schema`));
  }
  return resultSchemas.get(name);
}

/** The fault of a method's result, as text; undefined if it matches the schema. */
export function misfitOf(name: string, result: unknown): string | undefined {
  const validate = resultSchemaOf(name);
  if (validate === undefined) return `${name} has no result schema`;
  if (validate(result) === true) return undefined;
  return `The result of ${name} does not fit its schema: ${ajv.errorsText(validate.errors, { dataVar: "result" })}.`;
}

/** The JSON-RPC numbers of the errors that a method names. */
export function errorCodesOf(name: string): readonly number[] {
  const method = methods.find((each) => each.name === name);
  return method === undefined ? [] : errorsOf(method).map(({ rpcCode }) => rpcCode);
}

/** The fault of a request's params, as text; undefined if all match their schemas. */
export function paramsMisfitOf(name: string, params: readonly unknown[]): string | undefined {
  const index = methods.findIndex((method) => method.name === name);
  for (const [position, value] of params.entries()) {
    const validate = ajv.getSchema(`openrpc#/methods/${index}/params/${position}/schema`);
    if (validate === undefined) return `${name} has no param ${position}`;
    if (validate(value) !== true) return ajv.errorsText(validate.errors, { dataVar: `params[${position}]` });
  }
  return undefined;
}

/** The fault of a notification, as text; undefined if it matches the schema. */
export function notificationMisfitOf(topic: SubscriptionTopic, told: unknown): string | undefined {
  if (topic.kind === "syncing") return told === false ? undefined : `syncing told ${JSON.stringify(told)}`;
  const schema = NOTIFIED[topic.kind === "newPendingTransactions" && topic.whole ? "wholeTransactions" : topic.kind];
  const validate = ajv.getSchema(schema) ?? ajv.getSchema(`openrpc#/components/schemas/${schema}`);
  if (validate === undefined) return `there is no schema ${schema}`;
  const items = topic.kind === "transactionReceipts" ? told : [told];
  if (!Array.isArray(items)) return `${topic.kind} told no list`;
  return items.every((item) => validate(item) === true)
    ? undefined
    : `What ${topic.kind} told does not fit ${schema}: ${ajv.errorsText(validate.errors)}.`;
}

const NOTIFIED = {
  newHeads: "Header",
  logs: "Log",
  newPendingTransactions: "Hash",
  wholeTransactions: "Transaction",
  transactionReceipts: "Receipt",
  stream: "ChainTrace",
} as const;

/** By session, what each of its subscriptions is told. */
const topics = new WeakMap<Session, Map<string, SubscriptionTopic>>();

const { subscribe } = Subscriptions.prototype;
Subscriptions.prototype.subscribe = function (topic, subscriber, namespace) {
  const id = subscribe.call(this, topic, subscriber, namespace);
  const { session } = subscriber;
  if (session !== undefined) watch(session).set(encodeQuantity(id), topic);
  return id;
};

/** Reads along what a session is sent. */
function watch(session: Mutable<Session>): Map<string, SubscriptionTopic> {
  const known = topics.get(session);
  if (known !== undefined) return known;
  const own = new Map<string, SubscriptionTopic>();
  topics.set(session, own);
  const { send } = session;
  session.send = (text) => {
    const { params } = JSON.parse(text) as {
      readonly params: { readonly subscription: string; readonly result: unknown };
    };
    const topic = own.get(params.subscription);
    const problem = topic === undefined ? undefined : notificationMisfitOf(topic, params.result);
    // An exception in the listener would be swallowed; this makes the run fail.
    if (problem !== undefined) {
      queueMicrotask(() => {
        throw new Error(problem);
      });
    }
    send.call(session, text);
  };
  return own;
}

for (const entry of methods as readonly Mutable<Method>[]) {
  const { call, callText } = entry;
  entry.call = async (...args) => {
    const result = await (async () => call(...args))().catch((error: unknown) => refuse(entry, error));
    if (hasDefaultForms(args[0])) expectFit(entry, JSON.parse(JSON.stringify(result ?? null)));
    return result;
  };
  if (callText === undefined) continue;
  entry.callText = async (...args) => {
    const text = await (async () => callText(...args))().catch((error: unknown) => refuse(entry, error));
    return watched(entry, text);
  };
}

/** Runs under way of {@link withForeignMembers}. */
const foreign = { count: 0 };

/** Runs something whose answers have members of another chain, which the schemas do not know. */
export async function withForeignMembers<T>(run: () => Promise<T>): Promise<T> {
  foreign.count++;
  try {
    return await run();
  } finally {
    foreign.count--;
  }
}

/** False in a dialect in which answers have other forms, which the document does not describe. */
function hasDefaultForms({ forms }: RpcContext): boolean {
  return forms.done === null && forms.time === "number" && forms.mined === "0x0";
}

/** @param json - a result as a client parses it */
function expectFit(method: Method, json: unknown): void {
  if (foreign.count > 0) return;
  const problem = misfitOf(method.name, json);
  if (problem !== undefined) throw new Error(problem);
}

function* watched(method: Method, text: Text): Text {
  const pieces: string[] = [];
  let length = 0;
  for (const piece of text) {
    yield piece;
    if (piece instanceof Promise) continue;
    length += piece.length;
    if (length <= MAX_TEXT_LENGTH) pieces.push(piece);
  }
  if (length <= MAX_TEXT_LENGTH) expectFit(method, JSON.parse(pieces.join("")));
}

/** Passes an error on if the method's entry names it. Those of a store, an upstream, the chain or ourselves can meet any method. */
function refuse(method: Method, error: unknown): never {
  const { name } = method;
  if (!(error instanceof HindcastError) || error.rpcCode === -32603 || error instanceof RemoteError) throw error;
  if (error.code === "WRITER_FENCED") throw error;
  if (errorsOf(method).some(({ code, rpcCode }) => code === error.code && rpcCode === error.rpcCode)) throw error;
  throw new Error(`${name} does not name the error ${error.code} that it answered with: ${error.message}`);
}
