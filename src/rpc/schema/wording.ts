/** What zod would say in its own terms, in ours: what was expected. Schemas that say it themselves go first. */
import type { z } from "zod";

const NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
};

/** The message of an issue for which its schema has none. To be given to zod as `error`. */
export function wordingOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${NAMES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `expected ${issue.values.length === 1 ? "" : "one of "}${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "unrecognized_keys":
      return `expected no member ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    case "too_big":
      return `expected ${size(issue.origin)} of at most ${issue.maximum}`;
    case "too_small":
      return `expected ${size(issue.origin)} of at least ${issue.minimum}`;
    default:
      return "expected another value";
  }
}

function size(origin: string): string {
  if (origin === "array") return "a list";
  return origin === "string" ? "a string" : "a number";
}
