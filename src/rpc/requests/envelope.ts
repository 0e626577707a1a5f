/** The envelope of JSON-RPC 2.0: parses requests, and writes the answers of those that failed. */
import { type HindcastError, InvalidParamsError, InvalidRequestError } from "../../errors/hindcast-error.ts";
import { REQUEST_JSON } from "../../primitives/json/json-limits.ts";
import { readJsonText } from "../../primitives/json/read-json.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { enclosed, membersText, objectText, type Text, WHOLE_LENGTH } from "../encode/stream/text.ts";
import { isRequestId, type RequestId, requestIdText, withExactIds } from "./request-id.ts";
import { type MostOf, scanRequest } from "./scan-request.ts";

/** The method that a request names, and its parameters. */
export interface MethodCall {
  readonly method: string;
  /** As received. */
  readonly params: unknown;
}

interface ErrorJson {
  code: number;
  message: string;
  data?: unknown;
}

/** Longest text that is parsed synchronously, which takes about a millisecond. */
const SHORT_LENGTH = 32 * 1024;

/** Parses a long text in pieces, within limits, so that other requests are not held up. */
export function parseRequest(text: string, mostOf: MostOf): MaybePromise<unknown> {
  return text.length <= SHORT_LENGTH ? withExactIds(JSON.parse(text), text) : parseLong(text, mostOf);
}

async function parseLong(text: string, mostOf: MostOf): Promise<unknown> {
  await scanRequest(text, mostOf);
  return withExactIds(await readJsonText(text, { limits: REQUEST_JSON }), text);
}

/** The name of the method that a request asks for, if it is one. */
export function methodOf(request: unknown): string | undefined {
  const method = typeof request === "object" && request !== null ? (request as { method?: unknown }).method : undefined;
  return typeof method === "string" ? method : undefined;
}

/** A request as an error shows it. */
export const EXAMPLE_REQUEST = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
/** The advice for what is not a request. */
export const SEND_A_REQUEST = `A request looks like ${EXAMPLE_REQUEST}.`;

/** A request that has the form of one. */
export interface Envelope extends MethodCall {
  readonly id: RequestId;
  readonly isNotification: boolean;
}

/** Reads the members of a request; an error if they are not those of one. */
export function readEnvelope(request: unknown): Envelope | HindcastError {
  const invalid = (what: string): HindcastError =>
    new InvalidRequestError({ code: "INVALID_REQUEST", what, fix: SEND_A_REQUEST });
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    return invalid("A request is an object with jsonrpc, method, params and id.");
  }
  const { jsonrpc, method, params, id } = request as Record<string, unknown>;
  if (jsonrpc !== "2.0") return invalid('The member jsonrpc must be "2.0".');
  if (typeof method !== "string") return invalid("The member method must be a string.");
  if (id !== undefined && !isRequestId(id)) return invalid("The member id must be a string, a number or null.");
  if (params !== undefined && typeof params !== "object") return invalid("The member params must be an array.");
  return { id: id ?? null, isNotification: !("id" in request), method, params };
}

/** Its params may be the asset itself instead of a list with it (EIP-747). */
const TAKES_OBJECT = "wallet_watchAsset";

/**
 * The params of a request as a list.
 *
 * JSON-RPC and EIP-1193 allow an object here, but all other methods of Ethereum take their params by position.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS`
 */
export function positional(method: string, params: unknown): readonly unknown[] {
  if (params === undefined || params === null) return [];
  if (Array.isArray(params)) return params;
  if (method === TAKES_OBJECT) return [params];
  const got = typeof params === "object" ? `an object with ${listed(Object.keys(params))}` : typeof params;
  throw new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: `params: expected an array, since parameters go by position, got ${got}.`,
    fix: 'Send only the values, in the order of the method table, such as "params": ["latest", false].',
  });
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "no members";
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name));
  return `the members ${shown.join(", ")}${names.length > shown.length ? ", ..." : ""}`;
}

/** True for a request without an id, which is not answered. */
export function isNotification(request: unknown): boolean {
  const envelope = readEnvelope(request);
  return "isNotification" in envelope && envelope.isNotification;
}

/** The id to answer with: null if the request has no valid one. */
export function idOf(request: unknown): RequestId {
  const id = typeof request === "object" && request !== null ? (request as { id?: unknown }).id : undefined;
  return isRequestId(id) ? id : null;
}

/** The answer of a request that failed, as JSON. */
export function failureText(id: RequestId, error: HindcastError): string {
  return `${failureHead(id)}${JSON.stringify(shownOf(error))}}`;
}

/** The same. Long data, such as what a contract reverted with, is written in parts. */
export function failureAnswer(id: RequestId, error: HindcastError): Text {
  const { rpcData: data } = error;
  if (typeof data !== "string" || data.length <= WHOLE_LENGTH.alone) return [failureText(id, error)];
  return enclosed(failureHead(id), objectText(membersText(shownOf(error), {})), "}");
}

function failureHead(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${requestIdText(id)},"error":`;
}

function shownOf({ rpcCode: code, rpcMessage: message, rpcData: data }: HindcastError): ErrorJson {
  return data === undefined ? { code, message } : { code, message, data };
}
