/** The shape of an OpenRPC document, limited to the members that this node uses (spec.open-rpc.org). */
import type { JsonSchema } from "./json-schema.ts";

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
