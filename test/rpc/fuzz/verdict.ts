/** Checks a server's answer to a message by JSON-RPC and the OpenRPC document. */
import { isUtf8 } from "node:buffer";
import { methods } from "../../../src/rpc/registry.ts";
import { errorCodesOf, misfitOf } from "../../support/answers.ts";

/** Longest batch that the server takes. */
export const MAX_BATCH_LENGTH = 64;

/** Lists and objects that may stand in one another. */
const MAX_DEPTH = 256;

type Json = Record<string, unknown>;

/** A message as the server has to understand it: the requests that are to be answered, in order. */
interface Expected {
  readonly isBatch: boolean;
  readonly answers: readonly { readonly id: unknown; readonly method: string | undefined }[];
}

const NAMES = new Set(methods.map(({ name }) => name));
const ENVELOPE_ERRORS: readonly unknown[] = [-32700, -32600];
const whole = { isBatch: false, answers: [{ id: null, method: undefined }] };

function expectedFor(bytes: Uint8Array): Expected {
  let request: unknown;
  try {
    request = isUtf8(bytes) ? JSON.parse(Buffer.from(bytes).toString()) : undefined;
  } catch {
    return whole;
  }
  if (!Array.isArray(request)) return { isBatch: false, answers: answersFor(request) };
  if (request.length === 0 || request.length > MAX_BATCH_LENGTH) return whole;
  return { isBatch: true, answers: request.flatMap(answersFor) };
}

const isId = (id: unknown): boolean => id === null || typeof id === "string" || typeof id === "number";

function answersFor(request: unknown): Expected["answers"] {
  if (typeof request !== "object" || request === null || Array.isArray(request)) return whole.answers;
  const { jsonrpc, id, method, params } = request as Json;
  const hasId = Object.hasOwn(request, "id");
  const isRequest =
    jsonrpc === "2.0" &&
    typeof method === "string" &&
    (!hasId || isId(id)) &&
    // An object instead of an array counts as params that are wrong.
    (params === undefined || typeof params === "object");
  if (isRequest && !hasId) return [];
  return [{ id: isId(id) ? id : null, method: isRequest ? (method as string) : undefined }];
}

/** Whether a message is answered at all. */
export function isAnswered(bytes: Uint8Array): boolean {
  return expectedFor(bytes).answers.length > 0;
}

/** The fault of an answer, as text; undefined if there is none. No text means that the server did not answer. */
export function wrongWith(bytes: Uint8Array, text: string | undefined): string | undefined {
  const { isBatch, answers } = expectedFor(bytes);
  if (answers.length === 0) return text === undefined ? undefined : "an answer to notifications";
  if (text === undefined) return "no answer";
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return "the answer is not JSON";
  }
  if (isRefusedAsTooDeep(parsed)) return depthOf(bytes) > MAX_DEPTH ? undefined : "refused as too deep";
  if (!isBatch) return wrongAnswer(parsed, answers[0] as (typeof answers)[number]);
  if (!Array.isArray(parsed) || parsed.length !== answers.length) return `not ${answers.length} answers in an array`;
  for (const [index, expected] of answers.entries()) {
    const problem = wrongAnswer(parsed[index], expected);
    if (problem !== undefined) return `[${index}]: ${problem}`;
  }
  return undefined;
}

/** A long message that is nested deeper than the limit is not read to its end: what it asks is not known. */
function isRefusedAsTooDeep(answer: unknown): boolean {
  const { id, error } = (answer ?? {}) as { id?: unknown; error?: Json };
  return id === null && error?.code === -32005 && /nested more than 256 deep/.test(String(error.message));
}

/** Nesting depth of a JSON text, even if it is incomplete. */
function depthOf(bytes: Uint8Array): number {
  const bare = Buffer.from(bytes)
    .toString()
    .replaceAll(/"(?:[^"\\]|\\.)*"?/gs, "");
  let depth = 0;
  let deepest = 0;
  for (const character of bare) {
    if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function wrongAnswer(answer: unknown, { id, method }: Expected["answers"][number]): string | undefined {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return "the answer is no object";
  const { jsonrpc, id: answeredId, result, error, ...rest } = answer as Json;
  if (jsonrpc !== "2.0") return "no jsonrpc";
  if (Object.keys(rest).length > 0) return `unknown members ${Object.keys(rest)}`;
  if (JSON.stringify(answeredId) !== JSON.stringify(id)) return `the id ${answeredId} instead of ${id}`;
  if ((result === undefined) === (error === undefined)) return "not one of result and error";
  if (error !== undefined) return wrongError(error, method);
  return method === undefined ? "a result without a method" : misfitOf(method, result);
}

function wrongError(error: unknown, method: string | undefined): string | undefined {
  const { code, message } = error as Json;
  if (!Number.isInteger(code)) return `the error code ${code}`;
  if (typeof message !== "string" || message === "") return "no error message";
  if (method === undefined) return ENVELOPE_ERRORS.includes(code) ? undefined : `${code} ${message}`;
  if (!NAMES.has(method)) return code === -32601 ? undefined : `${code} ${message} for an unknown method`;
  // geth answers so where eth_simulateV1 is given a transaction that breaks a rule without a number of its own.
  if (code === -32603) return method === "eth_simulateV1" && message.startsWith("err: ") ? undefined : message;
  return errorCodesOf(method).includes(code as number) ? undefined : `${method} does not name ${code} ${message}`;
}
