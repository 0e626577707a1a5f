/** Bounds the work of a request by the values in its params, each of which is checked, and many of which are executed. */
import { LimitError } from "../../errors/hindcast-error.ts";
import { REQUEST_JSON } from "../../primitives/json/json-limits.ts";

/** Values that nothing is counted beyond: no text that is parsed has more, and an object in this process may be endless. */
const MOST_COUNTED = REQUEST_JSON.values;

/**
 * Counts the lists, objects, texts, numbers and literals of params. Bytes are one value.
 *
 * @param most - of one request
 * @throws {LimitError} `JSON_TOO_MANY_VALUES`, with `{ limit, given, flag }` as data
 */
export function checkValueCount(method: string, params: readonly unknown[], most: number): void {
  const given = countValues(params);
  if (given > most) throw tooManyParams(method, { given, most });
}

/** The most values in the params of a method, which may have a bound of its own. */
export function mostValues(
  { maxValues = 0 }: { readonly maxValues?: number },
  { maxRequestValues }: { readonly maxRequestValues: number },
): number {
  return Math.max(maxRequestValues, maxValues);
}

const FLAG = "--max-request-values";
const RAISE = { fix: `Send them in several requests, or raise the limit with ${FLAG}.` };
/** The flag goes no further. Only artifacts may have as many by themselves. */
const AS_TEXT = { fix: "Send them in several requests, or an artifact as DATA of its text, gzipped or not." };

/** Code `JSON_TOO_MANY_VALUES`. @param given - the number of values in the params, or the last that was counted */
export function tooManyParams(method: string, { given, most }: Readonly<Record<"given" | "most", number>>): LimitError {
  const number = given < MOST_COUNTED ? given : `at least ${given}`;
  return new LimitError({
    code: "JSON_TOO_MANY_VALUES",
    what: `The params of ${method} have ${number} values, at most ${most} are allowed.`,
    ...(most < REQUEST_JSON.values ? RAISE : AS_TEXT),
    data: { limit: most, given, flag: most < REQUEST_JSON.values ? FLAG : null },
  });
}

function countValues(params: readonly unknown[]): number {
  let count = 0;
  const waiting: unknown[] = [...params];
  while (waiting.length > 0 && count < MOST_COUNTED) {
    const value = waiting.pop();
    count++;
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) continue;
    if (Array.isArray(value)) for (const item of value) waiting.push(item);
    else for (const name of Object.keys(value)) waiting.push((value as Record<string, unknown>)[name]);
  }
  return count;
}
