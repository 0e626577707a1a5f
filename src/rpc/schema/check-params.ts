/** Checks the positional params of a request. Errors name the path and the expected shape. */
import type { z } from "zod";
import { type ErrorValues, InvalidParamsError } from "../../errors/hindcast-error.ts";
import { quickReader, REFUSED } from "../../primitives/validation/quick-reader.ts";
import {
  adviceOf,
  describeIssue,
  PARSING,
  PARSING_TO_FIRST_ISSUE,
  placeOf,
} from "../../primitives/validation/schema-issue.ts";
import { showValue } from "../../primitives/validation/show-value.ts";
import { inForm } from "./loose-values.ts";

/** One positional parameter of a method. */
export interface Param<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly schema: Schema;
  /** Present if the parameter may be missing or null: the value it then has. */
  readonly fallback?: { readonly value: z.output<Schema> | undefined };
  /** Whether it is a word that is stored. Some nodes take it in its full length only. */
  readonly isStoredWord?: boolean;
}

/** Forms of params in which development nodes differ. */
export interface ParamForms {
  /** Whether values may have another form than QUANTITY and DATA; default false. */
  readonly isLoose?: boolean | undefined;
  /** Bytes of values that are stored as a word; default: up to 32. */
  readonly wordLength?: "up to 32" | "32" | undefined;
  /** The transactions of a block where the request does not say whether they are whole; default: refused. */
  readonly fullTransactions?: "refused" | "hashes" | undefined;
}

/** How params are read. */
interface Reading extends ParamForms {
  /** Position of the first of them in the request; default 0. */
  readonly first?: number;
}

/**
 * The parsed values, in order.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS` such as `params[0].gasPrice: expected a QUANTITY such as "0x3b9aca00",
 * got "0x03b9aca00"`
 */
export function checkParams(
  params: readonly Param[],
  received: readonly unknown[],
  { first = 0, isLoose, wordLength, fullTransactions }: Reading = {},
): unknown[] {
  if (received.length > params.length) {
    const what = `params: expected at most ${first + params.length} values, got ${first + received.length}`;
    throw invalid(what, `The parameters are: ${describeParams(params)}.`);
  }
  return params.map(({ name, schema, fallback, isStoredWord }, index) => {
    const position = first + index;
    const value = received[index];
    if (fallback !== undefined && (value === undefined || value === null)) return fallback.value;
    if (value === undefined && name === "fullTransactions" && fullTransactions === "hashes") return false;
    if (value === undefined) {
      const what = `params[${position}]: missing value for required argument ${position} (${name})`;
      throw invalid(what, `The parameters are: ${describeParams(params)}.`);
    }
    const read = checkValue(schema, value, `params[${position}]`, isLoose);
    if (wordLength === "32" && isStoredWord === true) checkWordLength(value, `params[${position}]`);
    return read;
  });
}

/**
 * The parsed value.
 *
 * @param path - name of the value in errors, such as `params[1]`
 * @param isLoose - whether values may have another form than QUANTITY and DATA
 * @throws {InvalidParamsError} `INVALID_PARAMS`
 */
export function checkValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: string,
  isLoose = false,
): z.output<Schema> {
  const read = quickReader(schema)(value);
  if (read !== REFUSED) return read as z.output<Schema>;
  // Zod's own message describes the error.
  const parsed = schema.safeParse(value, isLoose ? PARSING : PARSING_TO_FIRST_ISSUE);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as [z.core.$ZodIssue];
  const rewritten = isLoose ? inForm(value, parsed.error.issues) : undefined;
  if (rewritten !== undefined) return checkValue(schema, rewritten.value, path, isLoose);
  throw invalidValue(issue, path, value);
}

function invalidValue(issue: z.core.$ZodIssue, path: string, value: unknown): InvalidParamsError {
  const received = placeOf(issue, value).received;
  const values = typeof received === "string" || typeof received === "number" ? { received } : {};
  const facts = issue.code === "custom" ? (issue.params as ErrorValues | undefined) : undefined;
  return invalid(describeIssue(issue, path, value), adviceOf(issue, value), {
    expected: issue.message,
    ...values,
    ...facts,
  });
}

function checkWordLength(value: unknown, path: string): void {
  if (typeof value === "string" && value.length === 66) return;
  const bytes = typeof value === "string" ? (value.length - 2) / 2 : undefined;
  const what = `${path}: expected exactly 32 bytes, got ${showValue(value)}`;
  throw invalid(what, undefined, { received: String(value), bytes });
}

function describeParams(params: readonly Param[]): string {
  if (params.length === 0) return "none";
  return params.map(({ name, fallback }) => (fallback === undefined ? name : `${name} (optional)`)).join(", ");
}

function invalid(what: string, fix?: string, values: ErrorValues = {}): InvalidParamsError {
  const details = { code: "INVALID_PARAMS", what: `${what}.`, values } as const;
  return new InvalidParamsError(fix === undefined ? details : { ...details, fix });
}
