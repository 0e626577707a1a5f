/** Checks a request's positional params and names what is wrong by path and expected shape. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type OutputOf, Problem, type Schema } from "../../primitives/schema.ts";
import { showValue } from "../../primitives/show-value.ts";

/** One positional parameter of a method. */
export interface Param<S extends Schema<unknown> = Schema<unknown>> {
  readonly name: string;
  readonly schema: S;
  /** May be missing or null, and then has this value. */
  readonly fallback?: { readonly value: OutputOf<S> | undefined };
}

/**
 * The parsed values, in order.
 *
 * @param first - position of the first of them in the request
 * @throws {InvalidParamsError} `INVALID_PARAMS` such as `params[0].gasPrice: expected a QUANTITY such as "0x3b9aca00",
 * got "0x03b9aca00"`
 */
export function checkParams(params: readonly Param[], received: readonly unknown[], first = 0): unknown[] {
  if (received.length > params.length) {
    throw invalid(`params: expected at most ${first + params.length} values, got ${first + received.length}`);
  }
  return params.map(({ name, schema, fallback }, index) => {
    const position = first + index;
    const value = received[index];
    if (fallback !== undefined && (value === undefined || value === null)) return fallback.value;
    if (value === undefined)
      throw invalid(`params[${position}]: missing value for required argument ${position} (${name})`);
    return checkValue(schema, value, `params[${position}]`);
  });
}

/**
 * One parsed value.
 *
 * @param path - how to name it in an error, such as `params[1]`
 * @throws {InvalidParamsError} `INVALID_PARAMS`
 */
export function checkValue<Output>(schema: Schema<Output>, value: unknown, path: string): Output {
  const output = schema.read(value);
  if (output instanceof Problem) throw invalid(describeProblem(output, path, value));
  return output;
}

function describeProblem({ message, path, unknownMembers }: Problem, root: string, value: unknown): string {
  const place = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  if (unknownMembers !== undefined)
    return `${root}${place}: unknown member ${unknownMembers.map((name) => JSON.stringify(name)).join(", ")}`;
  let received = value;
  for (const key of path) received = (received as Record<PropertyKey, unknown> | undefined)?.[key];
  return `${root}${place}: ${message}, got ${showValue(received)}`;
}

function invalid(what: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_PARAMS", what: `${what}.` });
}
