/** The forms of JSON Schema (draft 7) that describe answers of the node. */

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A reference to a named schema of the same document. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

const DEFINITION = Symbol("definition");

/**
 * A schema that documents refer to by its name, and that the types of answers name so.
 *
 * @param define - makes it; called when a document is written, so that a node which serves other requests does not
 */
export function named(name: string, define: () => JsonSchema): JsonSchema {
  // Not enumerable: the reference is copied and compared as what JSON shows.
  return Object.defineProperty(ref(name), DEFINITION, { value: define });
}

/**
 * The named schemas in some schemas, and those in them, by name in alphabetical order.
 *
 * @throws {TypeError} if two have one name
 */
export function namedIn(schemas: Iterable<JsonSchema>): Readonly<Record<string, JsonSchema>> {
  const found = new Map<string, { readonly define: () => JsonSchema; readonly schema: JsonSchema }>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { $ref, [DEFINITION]: define } = value as { $ref?: string; [DEFINITION]?: () => JsonSchema };
    if (define === undefined) {
      for (const member of Object.values(value)) visit(member);
      return;
    }
    const name = String($ref?.split("/").at(-1));
    const known = found.get(name);
    if (known !== undefined && known.define !== define) throw new TypeError(`Two schemas have the name ${name}.`);
    if (known !== undefined) return;
    const schema = define();
    found.set(name, { define, schema });
    visit(schema);
  };
  for (const schema of schemas) visit(schema);
  const sorted = [...found].sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, { schema }]) => [name, schema]));
}

/** JSON's null. */
export const NULL: JsonSchema = { type: "null" };
/** JSON's true or false. */
export const BOOLEAN: JsonSchema = { type: "boolean" };
/** A string for people. Strings with a format have schemas of their own. */
export const TEXT: JsonSchema = { type: "string" };
/** A JSON integer, in answers whose shape comes from other clients. */
export const INTEGER: JsonSchema = { type: "integer" };
/** Any value: the result of a tracer that the caller wrote. */
export const ANYTHING: JsonSchema = {};

/** A value that may be null. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, NULL] };
}

/** A value that fits one of several schemas. */
export function anyOf(...schemas: readonly JsonSchema[]): JsonSchema {
  return { anyOf: schemas };
}

/** An array of any length. */
export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** An object used as a map: any names, values of one schema. */
export function mapOf(values: JsonSchema, names?: string): JsonSchema {
  const named = names === undefined ? {} : { propertyNames: { pattern: names } };
  return { type: "object", ...named, additionalProperties: values };
}

/** An object with these members and no others. */
export function object(
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  const properties = { ...required, ...optional };
  return { type: "object", required: Object.keys(required), properties, additionalProperties: false };
}

/** A string of hexadecimal digits; `digits` is their pattern. */
export function hexString(title: string, digits: string): JsonSchema {
  return { title, type: "string", pattern: `^0x${digits}$` };
}
