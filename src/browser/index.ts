/** The door of the package in browsers. This file contains no logic. */
import "./jitless.ts";

export type { ErrorCode } from "../errors/catalogue.ts";
export {
  ExecutionError,
  HindcastError,
  InternalError,
  InvalidParamsError,
  InvalidRequestError,
  LimitError,
  MethodNotFoundError,
  NotFoundError,
  RemoteError,
  RevertError,
  StoreError,
  TransactionRejectedError,
  UnsupportedError,
} from "../errors/hindcast-error.ts";
export { AbiRegistry } from "../explain/abi/registry.ts";
export { renderTrace } from "../explain/render/render-trace.ts";
export type { Bytes } from "../primitives/bytes/bytes.ts";
export type { Hex } from "../primitives/bytes/hex.ts";
export { bytesToHex, hexToBytes } from "../primitives/validation/loose.ts";
export type { MessageEndpoint } from "../rpc/port/messages.ts";
export type { Eip1193Provider, MethodName, ParamsOf, ResultOf } from "../rpc/provider.ts";
export { ProviderRpcError } from "../rpc/provider.ts";
export type { Methods, RpcSchema } from "../rpc/wire-types.generated.ts";
export { type BrowserNode, createNode } from "./create-node.ts";
export type { BrowserNodeOptions } from "./options.ts";
