/** rpc.*, rpc_*: descriptions of the methods that the node has. */
import { method } from "../method.ts";
import { openRpcDocumentSchema } from "../openrpc/document-shape.ts";
import { mapOf, named, TEXT } from "../openrpc/json-schema.ts";

const rpcModulesSchema = named("RpcModules", () => mapOf(TEXT));

export const discover = method({
  name: "rpc.discover",
  summary: "All methods with their params, results, errors and examples, as an OpenRPC document.",
  params: [],
  result: openRpcDocumentSchema,
  run: ({ description }) => description.document(),
  encode: (document) => document,
});

export const modules = method({
  name: "rpc_modules",
  summary: "Namespaces of this node's methods, with their versions.",
  params: [],
  result: rpcModulesSchema,
  example: { params: [] },
  run: ({ description }) => description.namespaces(),
  encode: (namespaces) => Object.fromEntries(namespaces.map((namespace) => [namespace, "1.0"])),
});
