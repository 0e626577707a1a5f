/** A validator for the part of JSON Schema (draft 7) that our document and its meta-schema use. */

type Schema = boolean | Readonly<Record<string, unknown>>;

/** Finds what a reference names. */
export type Resolve = (reference: string) => Schema;

interface Place {
  readonly path: string;
  readonly resolve: Resolve;
}

type Check = (
  argument: never,
  value: unknown,
  place: Place,
  schema: Readonly<Record<string, unknown>>,
) => string | undefined;

/** The first thing that is wrong, with its path; undefined if the value fits. Unknown keywords are an error. */
export function misfit(schema: Schema, value: unknown, resolve: Resolve, path = "$"): string | undefined {
  if (schema === true) return undefined;
  if (schema === false) return `${path}: nothing is allowed here`;
  const place = { path, resolve };
  // Beside a reference nothing counts (draft 7).
  if (typeof schema.$ref === "string") return misfit(resolve(schema.$ref), value, resolve, path);
  for (const [keyword, argument] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword)) continue;
    const check = CHECKS[keyword];
    if (check === undefined) return `${path}: the keyword ${keyword} is unknown`;
    const problem = check(argument as never, value, place, schema);
    if (problem !== undefined) return problem.startsWith("$") ? problem : `${path}: ${problem}`;
  }
  return undefined;
}

/** Resolves references of the form `#/a/b` in a document. */
export function localReferences(document: unknown): Resolve {
  const known = new Map<string, Schema>();
  return (reference) => {
    const found = known.get(reference) ?? at(document, reference);
    known.set(reference, found);
    return found;
  };
}

function at(document: unknown, reference: string): Schema {
  let found = document;
  for (const part of reference.replace(/^#/, "").split("/").slice(1)) {
    found = (found as Record<string, unknown> | undefined)?.[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  if (found === undefined) throw new Error(`There is no ${reference}.`);
  return found as Schema;
}

const ANNOTATIONS: ReadonlySet<string> = new Set(
  "$schema $id $comment title description default examples definitions format readOnly".split(" "),
);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);
const show = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 80);

function first<Item>(items: Iterable<Item>, check: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = check(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const bound =
  (fits: (value: number, limit: number) => boolean): Check =>
  (limit: number, value) =>
    typeof value !== "number" || fits(value, limit) ? undefined : `${value} is beyond ${limit}`;

const length =
  (of: (value: unknown) => number | undefined, fits: (value: number, limit: number) => boolean): Check =>
  (limit: number, value) => {
    const size = of(value);
    return size === undefined || fits(size, limit) ? undefined : `${size} is no allowed size`;
  };

const atLeast = (value: number, limit: number): boolean => value >= limit;
const atMost = (value: number, limit: number): boolean => value <= limit;
const ofText = (value: unknown) => (typeof value === "string" ? value.length : undefined);
const ofList = (value: unknown) => (Array.isArray(value) ? value.length : undefined);

const fitting = (schemas: readonly Schema[], value: unknown, { path, resolve }: Place): (string | undefined)[] =>
  schemas.map((schema) => misfit(schema, value, resolve, path));

const CHECKS: Readonly<Record<string, Check>> = {
  type: (types: string | readonly string[], value) => {
    const isOne = [types]
      .flat()
      .some((type) => (type === "integer" ? Number.isInteger(value) : typeOf(value) === type));
    return isOne ? undefined : `expected ${[types].flat().join(" or ")}, got ${show(value)}`;
  },
  const: (expected: unknown, value) => (same(expected, value) ? undefined : `expected ${show(expected)}`),
  enum: (values: readonly unknown[], value) =>
    values.some((each) => same(each, value)) ? undefined : `${show(value)} is none of ${show(values)}`,
  pattern: (pattern: string, value) =>
    typeof value !== "string" || new RegExp(pattern, "u").test(value) ? undefined : `${show(value)} is not ${pattern}`,
  minimum: bound(atLeast),
  maximum: bound(atMost),
  exclusiveMinimum: bound((value, limit) => value > limit),
  exclusiveMaximum: bound((value, limit) => value < limit),
  minLength: length(ofText, atLeast),
  maxLength: length(ofText, atMost),
  minItems: length(ofList, atLeast),
  maxItems: length(ofList, atMost),
  uniqueItems: (wanted: boolean, value) =>
    wanted && Array.isArray(value) && new Set(value.map((each) => JSON.stringify(each))).size < value.length
      ? "items are not unique"
      : undefined,
  required: (names: readonly string[], value) =>
    first(names, (name) =>
      isObject(value) && !Object.hasOwn(value, name) ? `the member ${name} is missing` : undefined,
    ),
  properties: (schemas: Record<string, Schema>, value, { path, resolve }) =>
    isObject(value)
      ? first(Object.entries(schemas), ([name, schema]) =>
          Object.hasOwn(value, name) ? misfit(schema, value[name], resolve, `${path}.${name}`) : undefined,
        )
      : undefined,
  patternProperties: (schemas: Record<string, Schema>, value, { path, resolve }) =>
    isObject(value)
      ? first(Object.entries(schemas), ([pattern, schema]) =>
          first(
            Object.keys(value).filter((name) => new RegExp(pattern, "u").test(name)),
            (name) => misfit(schema, value[name], resolve, `${path}.${name}`),
          ),
        )
      : undefined,
  additionalProperties: (schema: Schema, value, { path, resolve }, { properties = {}, patternProperties = {} }) => {
    if (!isObject(value)) return undefined;
    const patterns = Object.keys(patternProperties as object).map((pattern) => new RegExp(pattern, "u"));
    const others = Object.keys(value).filter(
      (name) => !Object.hasOwn(properties as object, name) && !patterns.some((pattern) => pattern.test(name)),
    );
    return first(others, (name) => misfit(schema, value[name], resolve, `${path}.${name}`));
  },
  propertyNames: (schema: Schema, value, { path, resolve }) =>
    isObject(value) ? first(Object.keys(value), (name) => misfit(schema, name, resolve, `${path}.${name}`)) : undefined,
  items: (schema: Schema | readonly Schema[], value, { path, resolve }) =>
    Array.isArray(value)
      ? first(value.entries(), ([index, item]) => {
          const own = Array.isArray(schema) ? ((schema as readonly Schema[])[index] ?? true) : (schema as Schema);
          return misfit(own, item, resolve, `${path}[${index}]`);
        })
      : undefined,
  additionalItems: (schema: Schema, value, { path, resolve }, { items }) =>
    Array.isArray(value) && Array.isArray(items)
      ? first(value.slice(items.length), (item) => misfit(schema, item, resolve, `${path}[…]`))
      : undefined,
  allOf: (schemas: readonly Schema[], value, place) =>
    fitting(schemas, value, place).find((each) => each !== undefined),
  anyOf: (schemas: readonly Schema[], value, place) => {
    const problems = fitting(schemas, value, place);
    return problems.includes(undefined) ? undefined : `no alternative fits: ${problems.join(" | ")}`;
  },
  oneOf: (schemas: readonly Schema[], value, place) => {
    const problems = fitting(schemas, value, place);
    const count = problems.filter((each) => each === undefined).length;
    return count === 1 ? undefined : `${count} alternatives fit: ${problems.join(" | ")}`;
  },
  not: (schema: Schema, value, { path, resolve }) =>
    misfit(schema, value, resolve, path) === undefined ? "fits what it must not fit" : undefined,
};
