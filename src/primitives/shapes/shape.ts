/**
 * What values have to be that a program hands in, for callers whom no compiler has told: zod's schemas, in our words.
 *
 * All of them are functions: a schema takes longer to make than most programs take to ask for it.
 */
import { z } from "zod";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { once } from "../once.ts";
import { nearestName } from "./nearest-name.ts";
import { describeIssue, PARSING } from "./schema-issue.ts";

/** Uncompiled: zod would write a function for each object's schema when it is first asked, and most are asked once. */
const READING = { ...PARSING, jitless: true };

/** A schema for each member of an object. */
export type ShapesOf<T> = { readonly [Name in keyof T]-?: z.ZodType };

/**
 * Looks at a value, which is to be used as it was given: zod's copy is dropped.
 *
 * @param path - how to name the value, such as `options.timeoutMs`
 * @throws {InvalidParamsError} `INVALID_PARAMS` with the path of what is wrong, what it should be and what it is
 */
export function requireShape(shape: z.ZodType, value: unknown, path: string): void {
  const issue = issueOf(shape, value);
  if (issue === undefined) return;
  throw new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: `${describeIssue(issue, path, value)}.`,
    ...(issue.code === "unrecognized_keys" ? { fix: issue.message } : {}),
  });
}

/** The first issue of a value; undefined where the schema takes it. */
export function issueOf(shape: z.ZodType, value: unknown): z.core.$ZodIssue | undefined {
  return readShape(shape, value).issue;
}

/** The value that a schema makes of another, or the first issue. */
export function readShape<T>(
  shape: z.ZodType<T>,
  value: unknown,
): { readonly data: T; readonly issue?: undefined } | { readonly issue: z.core.$ZodIssue } {
  const { data, error } = shape.safeParse(value, READING);
  const issues = error?.issues ?? [];
  // A misspelled member goes first: it may be what another one is missing for.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  return issue === undefined ? { data: data as T } : { issue };
}

/** @param expected - the end of a sentence that begins with "expected" */
export function shape(expected: string, holds: (value: unknown) => boolean): z.ZodType {
  return z.custom(holds, `expected ${expected}`);
}

export const filledText = once(() =>
  shape("a string that is not empty", (value) => typeof value === "string" && value !== ""),
);

export const listener = once(() => shape("a function", (value) => typeof value === "function"));

export const count = once(() =>
  shape("a whole number from 0", (value) => Number.isSafeInteger(value) && Number(value) >= 0),
);

export const milliseconds = once(() =>
  shape("milliseconds as a number from 0", (value) => typeof value === "number" && value >= 0),
);

/** How long at most, Infinity included, and what ends it before: any object that can tell of its end. */
export const bounds = once(() => ({
  timeoutMs: milliseconds(),
  signal: shape("an AbortSignal", (value) => typeof (value as AbortSignal | null)?.aborted === "boolean"),
}));

/**
 * A bigint from zero that fits into some bits.
 *
 * @param meaning - what it is, in words
 */
export function unsigned(bits: number, meaning = "a bigint"): z.ZodType {
  const end = 2n ** BigInt(bits);
  return shape(`${meaning} below 2^${bits}`, (value) => typeof value === "bigint" && value >= 0n && value < end);
}

/** @param length - in bytes; default: any */
export function bytes(length?: number): z.ZodType {
  const expected = length === undefined ? "bytes in a Uint8Array" : `${length} bytes in a Uint8Array`;
  return shape(expected, (value) => value instanceof Uint8Array && (length === undefined || value.length === length));
}

export function listOf(entry: z.ZodType): z.ZodType {
  return z.array(entry, "expected an array");
}

/** An object with these members and no others: what is misspelled would be passed over. */
export function membersOf<T>(shapes: ShapesOf<T>): z.ZodType {
  return shape("an object", isObject).pipe(strictObject(shapes));
}

/** The same, each member of which may be left out. */
export function someOf<T>(shapes: ShapesOf<T>): z.ZodType {
  const expected = `an object with some of ${Object.keys(shapes).join(", ")}`;
  return shape(expected, isObject).pipe(strictObject(shapes).partial());
}

/** zod's, which would also take bytes for an object; its error names the member that was meant, or all that there are. */
export function strictObject<Shapes extends Readonly<Record<string, z.ZodType>>>(shapes: Shapes) {
  return z.strictObject(shapes, {
    error: (issue) => (issue.code === "unrecognized_keys" ? nameHint(issue.keys[0] ?? "", shapes) : undefined),
  });
}

/** The member that a misspelled name probably meant, or all of them. */
export function nameHint(name: string, members: object): string {
  const names = Object.keys(members);
  const near = nearestName(name, names);
  return near === undefined ? `Use some of: ${names.join(", ")}.` : `Did you mean ${near}?`;
}

/** Whether a value is an object that is neither a list nor holds its values otherwise, as a Map or a Promise does. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === "[object Object]";
}
