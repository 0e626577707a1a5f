/// <reference lib="esnext.disposable" />
export { AbiRegistry, BrowserNode, BrowserNodeOptions, Bytes, Eip1193Provider, ErrorCode, ExecutionError, Hex, HindcastError, InternalError, InvalidParamsError, InvalidRequestError, LimitError, MessageEndpoint, MethodName, MethodNotFoundError, NotFoundError, ParamsOf, ProviderRpcError, RemoteError, ResultOf, RevertError, StoreError, TransactionRejectedError, UnsupportedError, bytesToHex, createNode, hexToBytes, renderTrace } from "./library.js";
export { Methods, RpcSchema } from "./methods.js";
