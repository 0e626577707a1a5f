/** Public exports of the package. This file contains no logic. */
export type { BlockId, BlockTag } from "./chain/blocks/block-id.ts";
export type { ExportOptions } from "./chain/files/export-chain.ts";
export type { ImportOptions, ImportSummary } from "./chain/files/import-chain.ts";
export type { HeadChange } from "./chain/write/head-change.ts";
export type { Block, Withdrawal } from "./chainspec/header/block.ts";
export type { Header } from "./chainspec/header/header.ts";
export type { CallRequest } from "./chainspec/transaction/call-request.ts";
export type { Receipt } from "./chainspec/transaction/receipt.ts";
export type { Transaction } from "./chainspec/transaction/transaction.ts";
export type { ErrorCode } from "./errors/catalogue.ts";
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
} from "./errors/hindcast-error.ts";
export type { EngineName } from "./evm/engine.ts";
export type { ExecutionLimits } from "./executor/clock.ts";
export type { AbiValue } from "./explain/abi/coder.ts";
export type { AbiOwner } from "./explain/abi/registry.ts";
export { AbiRegistry } from "./explain/abi/registry.ts";
export type { ConsoleLog } from "./explain/console/console-logs.ts";
export type { GasProfile } from "./explain/profile/gas-profile.ts";
export type { RenderableTrace, RenderOptions } from "./explain/render/render-trace.ts";
export { renderTrace } from "./explain/render/render-trace.ts";
export type { DevAccount } from "./keyring/keyring.ts";
export type { MiningMode } from "./miner/miner.ts";
export type { MineOptions } from "./miner/mining-run.ts";
export type { ReplayInsertion, ReplayRequest } from "./node/arguments/replay.ts";
export { createNode } from "./node/create-node.ts";
export type { HindcastNode } from "./node/hindcast-node.ts";
export type {
  AccountOptions,
  FundedAccountOptions,
  ListenIpcOptions,
  ListenOptions,
  NodeOptions,
  SourcesOptions,
} from "./node/options/options.ts";
export { traceTransactionOnState } from "./node/trace-on-state.ts";
export type { Bytes } from "./primitives/bytes/bytes.ts";
export type { Hex } from "./primitives/bytes/hex.ts";
export type { Log } from "./primitives/rlp/log-list.ts";
export { bytesToHex, hexToBytes } from "./primitives/validation/loose.ts";
export { encodeGethTrace } from "./rpc/encode/traces/geth-trace.ts";
export type { GethTraceJson } from "./rpc/geth-trace-json.ts";
export type { Eip1193Provider, MethodName, ParamsOf, ResultOf } from "./rpc/provider.ts";
export { ProviderRpcError } from "./rpc/provider.ts";
export type { Methods, RpcSchema } from "./rpc/wire-types.generated.ts";
export type { RunningIpcServer } from "./server/sockets/start-ipc-server.ts";
export type { RunningServer } from "./server/start-server.ts";
export type { ReorgOptions } from "./services/control/history.ts";
export type { SideBlockOptions } from "./services/control/mining.ts";
export type { Snapshot } from "./services/control/snapshots.ts";
export type { LoadStateOptions } from "./services/control/state-file/state-files.ts";
export type { TimeControl } from "./services/control/time.ts";
export type { CallTrace } from "./services/simulate/call/call.ts";
export type { GasEstimate } from "./services/simulate/call/estimate.ts";
export type { SimulationLimits } from "./services/simulate/call/simulation.ts";
export type { ComparisonRequest, HardforkComparison } from "./services/simulate/compare/compare-hardforks.ts";
export type { HardforkReport, ReportOptions } from "./services/simulate/compare/project-report.ts";
export type { TraceBounds, TraceOf } from "./services/simulate/debug/options.ts";
export type { BlockOfTransaction, TraceOnStateRequest } from "./services/simulate/debug/trace-on-state.ts";
export type { GethTrace, GethTracer } from "./services/simulate/debug/tracers.ts";
export type { RecordedTransaction } from "./services/simulate/replay/replay.ts";
export type { TracedCall } from "./services/simulate/trace/calls.ts";
export type { TraceFilter } from "./services/simulate/trace/filter.ts";
export type { TraceResults, TraceType } from "./services/simulate/trace/results.ts";
export type { ComparedTransaction } from "./services/simulate/what-if/comparison.ts";
export type { HistoryComparison, ReplayBounds, ReplayedBlock } from "./services/simulate/what-if/what-if.ts";
export type { FlatTrace, LocalizedTrace } from "./tracer/formats/flat.ts";
export type { StateDiff } from "./tracer/formats/state-diff.ts";
export type { StructLog } from "./tracer/formats/struct-log.ts";
export type { VmTrace } from "./tracer/formats/vm-trace.ts";
export type { Recording } from "./tracer/recording.ts";
