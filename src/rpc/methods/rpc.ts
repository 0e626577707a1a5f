/** rpc.*, rpc_*: what the node can be asked. */
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
  summary: "Namespaces that this node has methods of, with their versions.",
  params: [],
  result: ref("RpcModules"),
  run: ({ description }) => description.namespaces(),
  encode: (namespaces) => Object.fromEntries(namespaces.map((namespace) => [namespace, "1.0"])),
});
