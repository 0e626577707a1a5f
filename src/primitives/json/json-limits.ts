/** Limits for JSON texts from outside, and the errors of texts that exceed them. */
import { LimitError } from "../../errors/hindcast-error.ts";

/** Bounds of one text, against texts that are made to exhaust memory. */
export interface JsonLimits {
  /** Name of the text in errors, such as `The state file`. */
  readonly name: string;
  /** Deepest nesting of arrays and objects. */
  readonly depth: number;
  /** Total number of values: arrays, objects, strings, numbers, and literals. */
  readonly values: number;
  /** Most characters of a string or a number. */
  readonly length: number;
  /** The flag that raises the number of values, if there is one. */
  readonly flag?: string;
}

const MEBIBYTE = 1024 * 1024;

/** For requests, whose total size the server limits. */
export const REQUEST_JSON: JsonLimits = {
  name: "The request",
  depth: 256,
  values: 500_000,
  length: Number.POSITIVE_INFINITY,
};

/** For state files, whose accounts may have many slots: a slot is two strings. */
export const STATE_JSON: JsonLimits = { name: "The state file", depth: 32, values: 8_000_000, length: 64 * MEBIBYTE };

/** For genesis files, ABIs and compiler output. */
export const FILE_JSON: JsonLimits = { name: "The file", depth: 256, values: 8_000_000, length: 64 * MEBIBYTE };

/** For the ABI of one contract. The largest have some 500 functions, events and errors, which are 15,000 values. */
export const ABI_JSON: JsonLimits = { name: "The ABI", depth: 64, values: 100_000, length: 64 * MEBIBYTE };

/** Code `JSON_TOO_DEEP`. */
export function tooDeep({ name, depth }: JsonLimits): LimitError {
  return new LimitError({
    code: "JSON_TOO_DEEP",
    what: `${name} has lists and objects nested more than ${depth} deep.`,
    fix: "Nest them less deeply.",
    data: { limit: depth, flag: null },
  });
}

/** Code `JSON_TOO_MANY_VALUES`. */
export function tooManyValues({ name, values, flag }: JsonLimits): LimitError {
  return new LimitError({
    code: "JSON_TOO_MANY_VALUES",
    what: `${name} has more than ${values} values.`,
    fix: flag === undefined ? "Send fewer at a time." : `Send fewer at a time, or raise the limit with ${flag}.`,
    data: { limit: values, flag: flag ?? null },
  });
}

/** Code `JSON_VALUE_TOO_LONG`. */
export function tooLongValue({ name, length }: JsonLimits): LimitError {
  return new LimitError({
    code: "JSON_VALUE_TOO_LONG",
    what: `${name} has a text or a number of more than ${length} characters.`,
    fix: "Shorten it.",
    data: { limit: length, flag: null },
  });
}
