/** Error messages for zod issues: the expected shape and the value. A message in the schema itself takes precedence. */
import type { z } from "zod";
import { nameHint, nearestName } from "./nearest-name.ts";
import { showValue } from "./show-value.ts";

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

/** The default message of an issue, for zod's option `error`. */
export function wordingOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${NAMES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `expected ${issue.values.length === 1 ? "" : "one of "}${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "unrecognized_keys":
      return nameHint(issue.keys[0] ?? "", Object.keys((issue.inst as unknown as z.ZodObject).shape));
    case "too_big":
      return `expected ${size(issue.origin)} of at most ${issue.maximum}`;
    case "too_small":
      return `expected ${size(issue.origin)} of at least ${issue.minimum}`;
    case "invalid_union":
      return alternatives(issue.errors);
    default:
      return "expected another value";
  }
}

/** The shapes that the schemas of a union expect of the value itself. */
function alternatives(issues: readonly (readonly z.core.$ZodIssue[])[]): string {
  const shapes = issues.flatMap((each) => each.filter(({ path }) => path.length === 0).map(({ message }) => message));
  const words = [...new Set(shapes)].map((message) => message.replace(/^expected /, ""));
  return words.length === 0 ? "expected another value" : `expected ${words.join(", or ")}`;
}

function size(origin: string): string {
  if (origin === "array") return "a list";
  return origin === "string" ? "a string" : "a number";
}

/**
 * The advice of an issue, in a sentence: the name that is most similar to a wrong one, if there is one.
 *
 * @param value - the whole value
 */
export function adviceOf(issue: z.core.$ZodIssue, value: unknown): string | undefined {
  if (issue.code === "unrecognized_keys") return issue.message;
  const given = issue.path.reduce(memberOf, value);
  if (issue.code !== "invalid_value" || typeof given !== "string") return undefined;
  const near = nearestName(given, issue.values.map(String));
  return near === undefined ? undefined : `Did you mean ${JSON.stringify(near)}?`;
}

/** Includes `async`, because zod would otherwise copy the options on every call to add it. */
export const PARSING = { error: wordingOf, async: false };

/** The same up to the first reason for a refusal: thousands of items may each have one. */
export const PARSING_TO_FIRST_ISSUE = { ...PARSING, abortEarly: true };

/**
 * The path of an issue in a value, such as `.logs[1]`, and the value there, as shown in errors.
 *
 * @param value - the whole value
 */
export function placeOf(
  { path }: z.core.$ZodIssue,
  value: unknown,
): { readonly path: string; readonly received: unknown; readonly shown: string } {
  const received = path.reduce(memberOf, value);
  return {
    received,
    path: path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join(""),
    shown:
      received instanceof Uint8Array
        ? `${received.length} byte${received.length === 1 ? "" : "s"}`
        : showValue(received),
  };
}

/**
 * Describes the path of an invalid value, the expected shape and the value, without a full stop.
 *
 * @param root - name of the whole value, such as `params[1]`
 * @param value - the whole value
 */
export function describeIssue(issue: z.core.$ZodIssue, root: string, value: unknown): string {
  const { path, shown } = placeOf(issue, value);
  if (issue.code === "unrecognized_keys")
    return `${root}${path}: unknown member ${issue.keys.map(showValue).join(", ")}`;
  return `${root}${path}: ${issue.message}, got ${shown}`;
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  const members = value instanceof Set ? [...value] : value;
  return (members as Record<PropertyKey, unknown> | undefined)?.[key];
}
