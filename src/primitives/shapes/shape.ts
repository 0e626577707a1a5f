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
  const issues = shape.safeParse(value, READING).error?.issues ?? [];
  // A misspelled member is reported first, because it may be the cause of a missing one.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (issue === undefined) return;
  throw new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: `${describeIssue(issue, path, value)}.`,
    ...(issue.code === "unrecognized_keys" ? { fix: issue.message } : {}),
  });
}

/** @param expected - completes a sentence that begins with "expected" */
export function shape(expected: string, holds: (value: unknown) => boolean): z.ZodType {
  return z.custom(holds, `expected ${expected}`);
}

export const filledText = (): z.ZodType =>
  shape("a string that is not empty", (value) => typeof value === "string" && value !== "");

export const listener = once(() => shape("a function", (value) => typeof value === "function"));

export const count = once(() =>
  shape("a whole number from 0", (value) => Number.isSafeInteger(value) && Number(value) >= 0),
);

/** A time limit, which may be Infinity, and an object like an AbortSignal. */
export const bounds = once(() => ({
  timeoutMs: shape("milliseconds as a number from 0", (value) => typeof value === "number" && value >= 0),
  signal: shape("an AbortSignal", (value) => isObject(value) && typeof value.aborted === "boolean"),
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

export function listOf(entry: z.ZodType): z.ZodType {
  return z.array(entry, "expected an array");
}

/** An object with these members and no others, so that misspelled members are reported. */
export function membersOf<T>(shapes: ShapesOf<T>): z.ZodType {
  return plainObject().pipe(strictObject(shapes));
}

/** As {@link membersOf}, but every member is optional. */
export function someOf<T>(shapes: ShapesOf<T>): z.ZodType {
  return plainObject().pipe(strictObject(shapes).partial());
}

/** zod's strict object, but it does not accept bytes, and its error lists the known members. */
export function strictObject<Shapes extends Readonly<Record<string, z.ZodType>>>(shapes: Shapes) {
  const fix = `Use some of: ${Object.keys(shapes).join(", ")}.`;
  return z.strictObject(shapes, { error: ({ code }) => (code === "unrecognized_keys" ? fix : undefined) });
}

const plainObject = once(() => shape("an object", isObject));

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}
