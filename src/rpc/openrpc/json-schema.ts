/** The forms of JSON Schema (draft 7) that describe answers of the node. */

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A reference to a schema in `components.ts`. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
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
