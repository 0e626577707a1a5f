/** What a JSON text of somebody else's may take, and the errors for one that takes more. */
import { LimitError } from "../../errors/hindcast-error.ts";

export interface JsonLimits {
  /** What is read, as an error names it, such as `The state file`. */
  readonly name: string;
  /** Lists and objects in one another. */
  readonly depth: number;
  /** Values altogether: lists, objects, texts, numbers, and the rest. */
  readonly values: number;
  /** Characters of a text or a number. */
  readonly length: number;
}

const MEBIBYTE = 1024 * 1024;

/** A request may be as long as its server takes; what is in it stays within these. */
export const REQUEST_JSON: JsonLimits = {
  name: "The request",
  depth: 256,
  values: 500_000,
  length: Number.POSITIVE_INFINITY,
};

/** State files, whose accounts have many slots: a slot is two texts. */
export const STATE_JSON: JsonLimits = { name: "The state file", depth: 32, values: 8_000_000, length: 64 * MEBIBYTE };

/** A genesis, ABIs and what compilers write. */
export const FILE_JSON: JsonLimits = { name: "The file", depth: 256, values: 8_000_000, length: 64 * MEBIBYTE };

export function tooDeep({ name, depth }: JsonLimits): LimitError {
  return new LimitError({
    code: "JSON_TOO_DEEP",
    what: `${name} has lists and objects nested more than ${depth} deep.`,
    fix: "Nest them less deep.",
  });
}

export function tooManyValues({ name, values }: JsonLimits): LimitError {
  return new LimitError({
    code: "JSON_TOO_MANY_VALUES",
    what: `${name} has more than ${values} values.`,
    fix: "Send fewer at a time.",
  });
}

export function tooLongValue({ name, length }: JsonLimits): LimitError {
  return new LimitError({
    code: "JSON_VALUE_TOO_LONG",
    what: `${name} has a text or a number of more than ${length} characters.`,
    fix: "Shorten it.",
  });
}
