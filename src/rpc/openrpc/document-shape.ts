/** The shape of an OpenRPC document, limited to the members that this node uses (spec.open-rpc.org). */
import { ANYTHING, arrayOf, BOOLEAN, INTEGER, type JsonSchema, mapOf, named, object, TEXT } from "./json-schema.ts";

/** Any JSON Schema of draft 7; its members are not described further. */
export const jsonSchemaSchema = named("JsonSchema", () => ({ type: "object" }));

export const openRpcContentSchema = named("OpenRpcContent", () =>
  object({ name: TEXT, schema: jsonSchemaSchema }, { required: BOOLEAN }),
);

export const openRpcValueSchema = named("OpenRpcValue", () => object({ name: TEXT, value: ANYTHING }));

export const openRpcMethodSchema = named("OpenRpcMethod", () =>
  object(
    {
      name: TEXT,
      summary: TEXT,
      paramStructure: { const: "by-position" },
      params: arrayOf(openRpcContentSchema),
      result: openRpcContentSchema,
      errors: arrayOf(object({ code: INTEGER, message: TEXT })),
      examples: arrayOf(object({ name: TEXT, params: arrayOf(openRpcValueSchema), result: openRpcValueSchema })),
    },
    { description: TEXT },
  ),
);

export const openRpcDocumentSchema = named("OpenRpcDocument", () =>
  object({
    openrpc: TEXT,
    info: object({ title: TEXT, version: TEXT, description: TEXT }),
    methods: arrayOf(openRpcMethodSchema),
    components: object({ schemas: mapOf(jsonSchemaSchema) }),
  }),
);

/** A param or a result. */
export interface ContentDescriptor {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** A method with its params, result, errors and an example. */
export interface OpenRpcMethod {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly paramStructure: "by-position";
  readonly params: readonly ContentDescriptor[];
  readonly result: ContentDescriptor;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
  readonly examples: readonly {
    readonly name: string;
    readonly params: readonly { readonly name: string; readonly value: unknown }[];
    readonly result: { readonly name: string; readonly value: unknown };
  }[];
}

/** The answer of `rpc.discover`. */
export interface OpenRpcDocument {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly methods: readonly OpenRpcMethod[];
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}
