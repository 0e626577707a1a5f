/** The services and settings that methods may use. The composition root implements this port. */

import type { EngineLimits } from "../evm/engine.ts";
import type { Coverage } from "../explain/coverage/coverage.ts";
import type { ControlService } from "../services/control/control.ts";
import type { BlobQueries } from "../services/query/blob-queries.ts";
import type { BlockList } from "../services/query/block-list.ts";
import type { BlockQueries } from "../services/query/block-queries.ts";
import type { ConfigQueries } from "../services/query/config-queries.ts";
import type { DatabaseQueries } from "../services/query/database-queries.ts";
import type { FeeHistoryQueries } from "../services/query/fee-history.ts";
import type { FeeQueries } from "../services/query/fee-queries.ts";
import type { FilterService } from "../services/query/filters.ts";
import type { LogQueries } from "../services/query/log-queries.ts";
import type { OtterscanQueries } from "../services/query/otterscan.ts";
import type { PoolQueries } from "../services/query/pool-queries.ts";
import type { ProofQueries } from "../services/query/proof-queries.ts";
import type { StateQueries } from "../services/query/state-queries.ts";
import type { BundleService } from "../services/simulate/bundle/call-bundle.ts";
import type { TenderlyService } from "../services/simulate/bundle/tenderly.ts";
import type { AccessListService } from "../services/simulate/call/access-list.ts";
import type { CallService } from "../services/simulate/call/call.ts";
import type { PayloadService } from "../services/simulate/call/payload.ts";
import type { SimulationLimits } from "../services/simulate/call/simulation.ts";
import type { ComparisonService } from "../services/simulate/compare/compare-hardforks.ts";
import type { ChainTraceService } from "../services/simulate/debug/chain-traces.ts";
import type { DebugService } from "../services/simulate/debug/debug.ts";
import type { StateInspector } from "../services/simulate/debug/state.ts";
import type { WitnessService } from "../services/simulate/debug/witness.ts";
import type { AccountStorageService } from "../services/simulate/explain/account-storage.ts";
import type { ExplainService } from "../services/simulate/explain/explain.ts";
import type { GasProfileService } from "../services/simulate/explain/gas-profiles.ts";
import type { StateChangeService } from "../services/simulate/explain/state-changes.ts";
import type { Inspector } from "../services/simulate/inspect/inspector.ts";
import type { RecordingService } from "../services/simulate/inspect/recordings.ts";
import type { SimulateService } from "../services/simulate/simulate-v1/simulate-v1.ts";
import type { OpcodeGasService } from "../services/simulate/trace/opcode-gas.ts";
import type { OtterscanTraces } from "../services/simulate/trace/otterscan-traces.ts";
import type { TraceService } from "../services/simulate/trace/trace.ts";
import type { WhatIfService } from "../services/simulate/what-if/what-if.ts";
import type { AccountsService } from "../services/submit/accounts.ts";
import type { CallBatches } from "../services/submit/call-batches.ts";
import type { MessageSigner } from "../services/submit/message-signer.ts";
import type { SubmitService } from "../services/submit/submit.ts";
import type { AnswerForms } from "./encode/shape.ts";
import type { OpenRpcDocument } from "./openrpc/document-shape.ts";
import type { Sharing } from "./sharing/port.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** The node's description of its own methods, for `rpc.discover` and `rpc_modules`. */
export interface SelfDescription {
  document(): Promise<OpenRpcDocument>;
  /** Namespaces that have at least one method. */
  namespaces(): Promise<readonly string[]>;
}

/** The limits of requests that options of the node set. */
export interface RequestLimits extends SimulationLimits, EngineLimits {
  /** Most requests in one batch. */
  readonly maxBatchLength: number;
  /** Most values in the params of one request. */
  readonly maxRequestValues: number;
}

/** Services that explain executions, compare them and show them part by part. Few programs ask for them. */
export interface Analysis {
  readonly explain: ExplainService;
  readonly gasProfiles: GasProfileService;
  readonly stateChanges: StateChangeService;
  readonly comparisons: ComparisonService;
  readonly whatIf: WhatIfService;
  readonly inspector: Inspector;
  readonly accountStorage: AccountStorageService;
  readonly recordings: RecordingService;
  readonly tenderly: TenderlyService;
}

/** Built once by `node/rpc-endpoints.ts`. An entry of `rpc/methods/` calls one member of it. */
export interface RpcContext {
  readonly chainId: bigint;
  /** Id of the peer-to-peer network, which may be another than the chain id. */
  readonly networkId: bigint;
  readonly description: SelfDescription;
  /** Answer of web3_clientVersion. */
  readonly clientVersion: string;
  /** Name of the development node whose habits are followed. */
  readonly dialect: string;
  readonly limits: RequestLimits;
  readonly forms: AnswerForms;
  readonly blocks: BlockQueries;
  readonly blockList: BlockList;
  readonly state: StateQueries;
  readonly proofs: ProofQueries;
  readonly database: DatabaseQueries;
  readonly blobs: BlobQueries;
  readonly logs: LogQueries;
  readonly fees: FeeQueries;
  readonly feeHistory: FeeHistoryQueries;
  readonly config: ConfigQueries;
  readonly pool: PoolQueries;
  readonly filters: FilterService;
  readonly subscriptions: Subscriptions;
  readonly calls: CallService;
  readonly accessLists: AccessListService;
  readonly simulations: SimulateService;
  readonly bundles: BundleService;
  readonly payloads: PayloadService;
  readonly traces: TraceService;
  readonly opcodeGas: OpcodeGasService;
  readonly debug: DebugService;
  readonly stateInspector: StateInspector;
  readonly chainTraces: ChainTraceService;
  readonly witnesses: WitnessService;
  /** Loads its code on first use. */
  readonly analysis: () => Promise<Analysis>;
  readonly coverage: Coverage;
  readonly otterscan: OtterscanQueries;
  readonly otterscanTraces: OtterscanTraces;
  readonly accounts: AccountsService;
  readonly submit: SubmitService;
  readonly batches: CallBatches;
  readonly messages: MessageSigner;
  readonly control: ControlService;
  /** Undefined for a node that neither shares its chain nor follows another one. */
  readonly sharing: Sharing | undefined;
}
