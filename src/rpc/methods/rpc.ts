/** rpc.*, rpc_*: descriptions of the methods that the node has. */
import { method } from "../method.ts";
import { ref } from "../openrpc/json-schema.ts";

export const discover = method({
  name: "rpc.discover",
  summary: "All methods with their params, results, errors and examples, as an OpenRPC document.",
  params: [],
  result: ref("OpenRpcDocument"),
  run: ({ description }) => description.document(),
  encode: (document) => document,
});

export const modules = method({
  name: "rpc_modules",
  summary: "Namespaces of this node's methods, with their versions.",
  params: [],
  result: ref("RpcModules"),
  run: ({ description }) => description.namespaces(),
  encode: (namespaces) => Object.fromEntries(namespaces.map((namespace) => [namespace, "1.0"])),
});
