/** What values have to be that a program hands in, for callers whom no compiler has told. */
import { InvalidParamsError } from "../errors/hindcast-error.ts";
import { showValue } from "./show-value.ts";

/**
 * Looks at a value and throws where it is not what it should be.
 *
 * @param path - how to name the value, such as `options.timeoutMs`
 * @throws {InvalidParamsError} `INVALID_PARAMS` with the path of what is wrong, what it should be and what it is
 */
export type Shape = (value: unknown, path: string) => void;

/** A shape for each member of an object. */
export type ShapesOf<T> = { readonly [Name in keyof T]-?: Shape };

/** @param expected - the end of a sentence that begins with "expected" */
export function shape(expected: string, holds: (value: unknown) => boolean): Shape {
  return (value, path) => {
    if (!holds(value)) throw unexpected(path, expected, value);
  };
}

export const anything: Shape = () => undefined;
export const flag: Shape = shape("true or false", (value) => typeof value === "boolean");
export const text: Shape = shape("a string", (value) => typeof value === "string");
export const filledText: Shape = shape(
  "a string that is not empty",
  (value) => typeof value === "string" && value !== "",
);
export const listener: Shape = shape("a function", (value) => typeof value === "function");
export const count: Shape = shape(
  "a whole number from 0",
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
export const milliseconds: Shape = shape(
  "milliseconds as a number from 0",
  (value) => typeof value === "number" && value >= 0,
);
/** Any object that can tell of its end: test environments bring signals of their own. */
export const signal: Shape = shape("an AbortSignal", (value) => isObject(value) && typeof value.aborted === "boolean");

/**
 * A bigint from zero that fits into some bits.
 *
 * @param meaning - what it is, in words
 */
export function unsigned(bits: number, meaning = "a bigint"): Shape {
  const end = 2n ** BigInt(bits);
  return shape(`${meaning} below 2^${bits}`, (value) => typeof value === "bigint" && value >= 0n && value < end);
}

/** @param length - in bytes; default: any */
export function bytes(length?: number): Shape {
  const expected = length === undefined ? "bytes in a Uint8Array" : `${length} bytes in a Uint8Array`;
  return shape(expected, (value) => value instanceof Uint8Array && (length === undefined || value.length === length));
}

export function oneOf(...names: readonly string[]): Shape {
  return shape(`one of ${names.map((name) => JSON.stringify(name)).join(", ")}`, (value) =>
    names.includes(value as string),
  );
}

/** What may be left out. */
export function optional(inner: Shape): Shape {
  return (value, path) => {
    if (value !== undefined) inner(value, path);
  };
}

export function listOf(entry: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) throw unexpected(path, "an array", value);
    for (const [index, item] of value.entries()) entry(item, `${path}[${index}]`);
  };
}

/** An object with these members and no others: what is misspelled would be passed over. */
export function membersOf<T>(shapes: ShapesOf<T>): Shape {
  const names = Object.keys(shapes) as (string & keyof T)[];
  return (value, path) => {
    if (!isObject(value)) throw unexpected(path, "an object", value);
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(shapes, name));
    if (unknown !== undefined) throw unknownMember(path, unknown, names);
    for (const name of names) shapes[name](value[name], `${path}.${name}`);
  };
}

/** The same, each member of which may be left out. */
export function someOf<T>(shapes: ShapesOf<T>): Shape {
  const optionals = Object.entries<Shape>(shapes).map(([name, inner]) => [name, optional(inner)]);
  return membersOf<T>(Object.fromEntries(optionals) as ShapesOf<T>);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

/** The error of a value that is not what it should be. */
export function unexpected(path: string, expected: string, value: unknown): InvalidParamsError {
  const got = value instanceof Uint8Array ? `${value.length} bytes` : showValue(value);
  return new InvalidParamsError({ code: "INVALID_PARAMS", what: `${path}: expected ${expected}, got ${got}.` });
}

function unknownMember(path: string, name: string, known: readonly string[]): InvalidParamsError {
  return new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: `${path}: unknown member ${showValue(name)}.`,
    fix: `Use some of: ${known.join(", ")}.`,
  });
}
