/**
 * Checks of arguments from programs that were not type-checked: zod schemas with our messages.
 *
 * Schemas are made on first use, because making one takes longer than most programs take to start.
 */
import { z } from "zod";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { once } from "../once.ts";
import { describeIssue, PARSING } from "./schema-issue.ts";

/** Without zod's code generation, because most schemas are used once. */
const READING = { ...PARSING, jitless: true };

/** A schema for each member of an object. */
export type ShapesOf<T> = { readonly [Name in keyof T]-?: z.ZodType };

/**
 * Checks a value, which is then used as it is; zod's copy is dropped.
 *
 * @param path - name of the value, such as `options.timeoutMs`
 * @throws {InvalidParamsError} `INVALID_PARAMS` with the path, the expected shape and the value
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

/** The first issue of a value; undefined if it matches the schema. */
export function issueOf(shape: z.ZodType, value: unknown): z.core.$ZodIssue | undefined {
  return readShape(shape, value).issue;
}

/** The value parsed by a schema, or the first issue. */
export function readShape<T>(
  shape: z.ZodType<T>,
  value: unknown,
): { readonly data: T; readonly issue?: undefined } | { readonly issue: z.core.$ZodIssue } {
  const { data, error } = shape.safeParse(value, READING);
  const issues = error?.issues ?? [];
  // A misspelled member is reported first, because it may be the cause of a missing one.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  return issue === undefined ? { data: data as T } : { issue };
}

/** @param expected - completes a sentence that begins with "expected" */
export function shape(expected: string, holds: (value: unknown) => boolean): z.ZodType {
  return z.custom(holds, `expected ${expected}`);
}

/** A string that is not empty. */
export const filledText = once(() =>
  shape("a string that is not empty", (value) => typeof value === "string" && value !== ""),
);

/** A function, whatever its parameters. */
export const listener = once(() => shape("a function", (value) => typeof value === "function"));

/** What sends messages to another thread and receives them. */
export const messagePort = once(() =>
  shape("a MessagePort", (value) => {
    const { postMessage, addEventListener } = (value ?? {}) as { postMessage?: unknown; addEventListener?: unknown };
    return typeof postMessage === "function" && typeof addEventListener === "function";
  }),
);

/** A JavaScript number without fraction, from 0 to 2^53 - 1. */
export const count = once(() =>
  shape("a whole number from 0", (value) => Number.isSafeInteger(value) && Number(value) >= 0),
);

/** A number from 0; fractions are allowed. */
export const milliseconds = once(() =>
  shape("milliseconds as a number from 0", (value) => typeof value === "number" && value >= 0),
);

/** A time limit, which may be Infinity, and an object like an AbortSignal. */
export const bounds = once(() => ({
  timeoutMs: milliseconds(),
  signal: shape("an AbortSignal", (value) => typeof (value as AbortSignal | null)?.aborted === "boolean"),
}));

/**
 * A bigint from zero that fits in a number of bits.
 *
 * @param meaning - the value in words
 */
export function unsigned(bits: number, meaning = "a bigint"): z.ZodType {
  const end = 2n ** BigInt(bits);
  return shape(`${meaning} below 2^${bits}`, (value) => typeof value === "bigint" && value >= 0n && value < end);
}

/** @param length - in bytes; default: any length */
export function bytes(length?: number): z.ZodType {
  const expected = length === undefined ? "bytes in a Uint8Array" : `${length} bytes in a Uint8Array`;
  return shape(expected, (value) => value instanceof Uint8Array && (length === undefined || value.length === length));
}

/** An array whose items all have one shape. */
export function listOf(entry: z.ZodType): z.ZodType {
  return z.array(entry, "expected an array");
}

/** An object with these members and no others, so that misspelled members are reported. */
export function membersOf<T>(shapes: ShapesOf<T>): z.ZodType {
  return shape("an object", isObject).pipe(z.strictObject(shapes));
}

/** As {@link membersOf}, but every member is optional. */
export function someOf<T>(shapes: ShapesOf<T>): z.ZodType {
  const expected = `an object with some of ${Object.keys(shapes).join(", ")}`;
  return shape(expected, isObject).pipe(z.strictObject(shapes).partial());
}

/** Ethereum's first block, and the year 2100, in milliseconds since 1970. */
const FIRST_MILLISECONDS = 1_438_269_973_000;
const LAST_MILLISECONDS = 4_102_444_800_000;

/**
 * True for a time that can only be meant in milliseconds where seconds are wanted: one that `Date.now()` gives between
 * Ethereum's first block and the year 2100. As seconds they are times of 45,000 years and more after it.
 */
export function isMilliseconds(time: number | bigint): boolean {
  return time >= FIRST_MILLISECONDS && time < LAST_MILLISECONDS;
}

/** True for an object with named members: not an array, a Map or a Promise. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === "[object Object]";
}
