/** Counts the values of a long request before it is parsed, so that one with too many takes no memory beside its text. */
import { type JsonLimits, REQUEST_JSON, tooDeep, tooManyValues } from "../../primitives/json/json-limits.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { inTurns, type Steps } from "../../primitives/platform/turns.ts";
import type { RequestId } from "./request-id.ts";
import { tooManyParams } from "./value-bound.ts";

/** Longest text that is parsed without being counted: its values take a few megabytes. */
const SHORT_LENGTH = 256 * 1024;
/** Characters at both ends of a text among which a client writes the members beside the params. */
const END_LENGTH = 1_000;
/** Characters that are scanned in a step, which takes less than a millisecond. */
const STEP_LENGTH = 64 * 1024;
/** Values of a request beside its params: itself, the list of them, `jsonrpc`, `id` and `method`. */
const ENVELOPE_VALUES = 5;
/** Values of members that no client sends, which may stand beside the params until these are counted alone. */
const SPARE_VALUES = 100;

/** The most values in the params of a method; undefined if there is no such method. */
export type MostOf = (method: string) => MaybePromise<number | undefined>;

/** Before all brackets, so that it is a member of the request itself. */
const METHOD = /^\s*\{[^[\]{}]*?"method"\s*:\s*"(\w{1,100})"/;
const ID_BEFORE = /^\s*\{[^[\]{}]*?"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,200}")\s*[,}]/;
const ID_BEHIND = /[\]}][^[\]{}]*?"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,200}")\s*(?:,[^[\]{}]*)?\}\s*$/;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST_START, LIST_END, OBJECT_START, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const SPACE = 0x20;

/**
 * Refuses a long text with more values than requests have, or than the method takes that it names before its params.
 *
 * @throws {LimitError} `JSON_TOO_DEEP`, `JSON_TOO_MANY_VALUES`
 */
export function scanRequest(text: string, mostOf: MostOf): MaybePromise<void> {
  return text.length <= SHORT_LENGTH ? undefined : scanLong(text, mostOf);
}

async function scanLong(text: string, mostOf: MostOf): Promise<void> {
  const method = METHOD.exec(text.slice(0, END_LENGTH))?.[1];
  const most = method === undefined ? undefined : await mostOf(method);
  const values = await inTurns(countValues(text, REQUEST_JSON));
  const isWhole = values <= REQUEST_JSON.values;
  if (method !== undefined && most !== undefined && (!isWhole || values > most + ENVELOPE_VALUES + SPARE_VALUES)) {
    const atLeast = Math.max(REQUEST_JSON.values, most + 1);
    throw tooManyParams(method, { given: isWhole ? values - ENVELOPE_VALUES : atLeast, most });
  }
  if (!isWhole) throw tooManyValues(REQUEST_JSON);
}

/** The id of a long request, if it stands before or behind everything that is nested; null otherwise. */
export function idOfLong(text: string): RequestId {
  if (text.length <= SHORT_LENGTH) return null;
  const found = ID_BEFORE.exec(text.slice(0, END_LENGTH)) ?? ID_BEHIND.exec(text.slice(-END_LENGTH));
  return found?.[1] === undefined ? null : (JSON.parse(found[1]) as string | number);
}

/** The values of a text that may be JSON, or more than the limit. @throws {LimitError} `JSON_TOO_DEEP` */
function* countValues(text: string, limits: JsonLimits): Steps<number> {
  let [values, depth, isEmpty, next] = [1, 0, false, STEP_LENGTH];
  for (let index = 0; index < text.length; index++) {
    if (index >= next) {
      next = index + STEP_LENGTH;
      yield;
    }
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfText(text, index + 1);
        break;
      case COMMA:
        if (++values > limits.values) return values;
        continue;
      case LIST_START:
      case OBJECT_START:
        if (++depth > limits.depth) throw tooDeep(limits);
        if (isEmpty) values++;
        isEmpty = true;
        continue;
      case LIST_END:
      case OBJECT_END:
        depth--;
        isEmpty = false;
        continue;
      default:
        if (!isEmpty || text.charCodeAt(index) <= SPACE) continue;
    }
    if (isEmpty) values++;
    isEmpty = false;
  }
  return values;
}

/** Index of the quotation mark that ends a text. */
function endOfText(text: string, start: number): number {
  for (let from = start; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return text.length;
    let backslashes = 0;
    while (quote - backslashes > start && text.charCodeAt(quote - backslashes - 1) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
}
