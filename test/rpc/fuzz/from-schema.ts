/** Arbitrary values that fit a JSON Schema, as far as the document of the node's methods uses it. */
import fc from "fast-check";
import type { JsonSchema } from "../../../src/rpc/openrpc/json-schema.ts";

export interface SchemaContext {
  /** `components.schemas` of the document. */
  readonly named: Readonly<Record<string, JsonSchema>>;
  /** Values that mean something on the chain, to stand for what only has their form. */
  readonly hashes: readonly string[];
  readonly addresses: readonly string[];
}

type Any = fc.Arbitrary<unknown>;

const MAX_DEPTH = 6;

/** Values of a schema. */
export function fromSchema(schema: JsonSchema, context: SchemaContext, depth = 0): Any {
  if (depth > MAX_DEPTH) return fc.constant(null);
  const inner = (each: JsonSchema): Any => fromSchema(each, context, depth + 1);
  const {
    $ref,
    anyOf,
    enum: values,
    type,
    pattern,
  } = schema as {
    readonly $ref?: string;
    readonly anyOf?: readonly JsonSchema[];
    readonly enum?: readonly unknown[];
    readonly type?: string | readonly string[];
    readonly pattern?: string;
  };
  if ($ref !== undefined) return inner(context.named[$ref.slice("#/components/schemas/".length)] ?? {});
  if ("const" in schema) return fc.constant(schema.const);
  if (values !== undefined) return fc.constantFrom(...values);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(inner));
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => inner({ ...schema, type: each })));
  if (pattern !== undefined) return ofPattern(pattern, context);
  if (type === undefined) return fc.jsonValue({ maxDepth: 2 });
  return ofType(type as string, schema, inner, context);
}

function ofType(type: string, schema: JsonSchema, inner: (schema: JsonSchema) => Any, context: SchemaContext): Any {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "string":
      return fc.oneof(fc.string(), fc.constantFrom("newHeads", "logs", "callTracer", "prestateTracer", "trace", ""));
    case "integer":
    case "number": {
      const { minimum = -1e9, maximum = Number.MAX_SAFE_INTEGER } = schema as { minimum?: number; maximum?: number };
      const low = Math.ceil(minimum);
      return fc.oneof(fc.integer({ min: low, max: low + 8 }), fc.maxSafeInteger(), fc.constant(maximum));
    }
    case "array":
      return arrayOf(schema, inner);
    case "object":
      return objectOf(schema, inner, context);
    default:
      throw new Error(`The type ${type} is unknown.`);
  }
}

function arrayOf(schema: JsonSchema, inner: (schema: JsonSchema) => Any): Any {
  const { items = {} } = schema as { items?: JsonSchema | readonly JsonSchema[] };
  if (Array.isArray(items)) return fc.tuple(...items.map(inner));
  return fc.array(inner(items as JsonSchema), { maxLength: 3 });
}

function objectOf(schema: JsonSchema, inner: (schema: JsonSchema) => Any, context: SchemaContext): Any {
  const {
    properties = {},
    required = [],
    additionalProperties,
    propertyNames,
  } = schema as {
    properties?: Readonly<Record<string, JsonSchema>>;
    required?: readonly string[];
    additionalProperties?: JsonSchema | boolean;
    propertyNames?: JsonSchema;
  };
  if (typeof additionalProperties === "object") {
    const names = inner(propertyNames ?? { type: "string" }).map(String);
    return fc.dictionary(names, inner(additionalProperties), { maxKeys: 2 });
  }
  const members = Object.entries(properties).map(([name, each]): [string, Any] => {
    const value = inner(each);
    if (required.includes(name)) return [name, value];
    return [name, fc.option(value, { nil: undefined, freq: context.addresses.length > 0 ? 1 : 0 })];
  });
  // Members without a value are left out of the JSON.
  return fc.record(Object.fromEntries(members));
}

/** Strings of a pattern; of forms that name something on the chain, now and then something that is there. */
function ofPattern(pattern: string, { hashes, addresses }: SchemaContext): Any {
  const matching = fc.stringMatching(new RegExp(pattern), { size: "small" });
  if (pattern.includes("{40}")) return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...addresses) }, matching);
  if (pattern.includes("{64}")) return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...hashes) }, matching);
  if (pattern.includes("earliest")) {
    return fc.oneof(fc.constantFrom("latest", "earliest", "pending", "safe", "finalized"), smallQuantity, matching);
  }
  if (pattern.startsWith("^0x(0|")) return fc.oneof({ weight: 3, arbitrary: smallQuantity }, matching);
  return matching;
}

const smallQuantity = fc.oneof(fc.nat(12), fc.nat(100_000)).map((number) => `0x${number.toString(16)}`);
