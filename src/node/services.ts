/**
 * Builds the services, which RPC methods and programs use.
 *
 * It has over 300 lines, because it makes all services and hands each what it needs.
 */

import { BlockViews } from "../chain/block-views.ts";
import type { Chain } from "../chain/chain.ts";
import type { ChainWriter } from "../chain/chain-writer.ts";
import type { AbiRegistry } from "../explain/abi/registry.ts";
import type { ConsoleLogs } from "../explain/console/console-logs.ts";
import { Coverage } from "../explain/coverage/coverage.ts";
import type { Listeners } from "../explain/listeners.ts";
import type { Keyring } from "../keyring/keyring.ts";
import type { Clock } from "../miner/clock.ts";
import type { Miner } from "../miner/miner.ts";
import type { MiningSchedule } from "../miner/mining-mode.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { once } from "../primitives/once.ts";
import type { RequestLimits, RpcContext } from "../rpc/context.ts";
import { Description } from "../rpc/description.ts";
import type { MethodTable } from "../rpc/method-table.ts";
import { Subscriptions } from "../rpc/subscriptions.ts";
import { type ControlHabits, ControlService } from "../services/control/control.ts";
import type { ChainBases } from "../services/control/fork.ts";
import { BlobQueries } from "../services/query/blob-queries.ts";
import { BlockList } from "../services/query/block-list.ts";
import { BlockQueries } from "../services/query/block-queries.ts";
import { ChainEvents } from "../services/query/chain-events.ts";
import { ConfigQueries } from "../services/query/config-queries.ts";
import { DatabaseQueries } from "../services/query/database-queries.ts";
import { FeeHistoryQueries } from "../services/query/fee-history.ts";
import { DEFAULT_FEES, FeeQueries } from "../services/query/fee-queries.ts";
import { FilterService } from "../services/query/filters.ts";
import { LogQueries } from "../services/query/log-queries.ts";
import { OtterscanQueries } from "../services/query/otterscan.ts";
import { PoolQueries } from "../services/query/pool-queries.ts";
import { ProofQueries } from "../services/query/proof-queries.ts";
import { StateQueries } from "../services/query/state-queries.ts";
import { BundleService } from "../services/simulate/bundle/call-bundle.ts";
import { AccessListService } from "../services/simulate/call/access-list.ts";
import { type CallObserver, CallService, type CallTrace } from "../services/simulate/call/call.ts";
import { FailureExplainer } from "../services/simulate/call/failure-explainer.ts";
import { PayloadService } from "../services/simulate/call/payload.ts";
import { ChainTraceService } from "../services/simulate/debug/chain-traces.ts";
import { DebugService } from "../services/simulate/debug/debug.ts";
import { StateInspector } from "../services/simulate/debug/state.ts";
import { WitnessService } from "../services/simulate/debug/witness.ts";
import { SimulateService } from "../services/simulate/simulate-v1/simulate-v1.ts";
import type { BlockTraces } from "../services/simulate/trace/block-traces.ts";
import { OpcodeGasService } from "../services/simulate/trace/opcode-gas.ts";
import { OtterscanTraces } from "../services/simulate/trace/otterscan-traces.ts";
import { TraceService } from "../services/simulate/trace/trace.ts";
import { AccountsService } from "../services/submit/accounts.ts";
import { CallBatches } from "../services/submit/call-batches.ts";
import { MessageSigner } from "../services/submit/message-signer.ts";
import { SubmitService } from "../services/submit/submit.ts";
import type { Scripts } from "../tracer/script/scripts.ts";
import type { TxPool } from "../txpool/tx-pool.ts";
import { contractProbe } from "./contract-probe.ts";
import { behaviourOf, type DialectBehaviour } from "./options/dialect.ts";
import { limitsOf } from "./options/limits.ts";
import type { NodeOptions } from "./options/options.ts";
import type { NodeSharing } from "./sharing/node-sharing.ts";
import { clientVersion, VERSION } from "./version.ts";

/** The parts on which services are built. */
export interface ServiceParts {
  readonly chain: Chain;
  readonly writer: ChainWriter;
  readonly pool: TxPool;
  readonly keyring: Keyring;
  readonly bases: ChainBases;
  readonly miner: Miner;
  readonly schedule: MiningSchedule;
  readonly clock: Clock;
  /** ABIs and sources that explain executions. */
  readonly abi: AbiRegistry;
  /** Reports `console.log` lines of contracts. */
  readonly console: ConsoleLogs;
  /** Reports traces of simulated calls. */
  readonly callTraces: Listeners<CallTrace>;
  readonly blockTraces: BlockTraces;
  readonly scripts: Scripts;
  readonly methods: MethodTable;
  readonly sharing: NodeSharing | undefined;
}

/** The same, with parts that several services share. */
interface SharedParts extends ServiceParts {
  readonly options: NodeOptions;
  readonly habits: DialectBehaviour;
  readonly limits: RequestLimits;
  readonly views: BlockViews;
  readonly explainer: FailureExplainer;
  readonly fees: FeeQueries;
}

type Simulators =
  | "calls"
  | "accessLists"
  | "simulations"
  | "bundles"
  | "payloads"
  | "traces"
  | "opcodeGas"
  | "debug"
  | "stateInspector"
  | "chainTraces"
  | "witnesses"
  | "analysis"
  | "coverage"
  | "otterscanTraces";
type Writers = "accounts" | "messages" | "submit" | "batches" | "control";

/** All services of a node. */
export function buildServices(options: NodeOptions, parts: ServiceParts): RpcContext {
  const { chain, miner, clock } = parts;
  const habits = behaviourOf(options.dialect);
  const shared: SharedParts = {
    ...parts,
    options,
    habits,
    limits: limitsOf(options),
    views: new BlockViews(chain, miner),
    explainer: new FailureExplainer(parts.abi, {
      hasStackInMessage: options.solidityStack,
      haltData: habits.haltData,
    }),
    fees: new FeeQueries(chain, miner, clock, {
      priorityFeePerGas: options.priorityFeePerGas ?? DEFAULT_FEES.priorityFeePerGas,
      legacyGasPrice: options.gasPrice ?? DEFAULT_FEES.legacyGasPrice,
    }),
  };
  const simulators = buildSimulators(shared);
  return {
    get chainId() {
      return chain.spec.chainId;
    },
    get networkId() {
      const { chainId } = chain.spec;
      const { fork } = parts.bases;
      const forked = fork?.chainId === chainId ? fork.networkId : undefined;
      return BigInt(options.networkId ?? forked ?? chainId);
    },
    description: new Description({ methods: parts.methods, version: VERSION }),
    dialect: options.dialect ?? "hindcast",
    limits: shared.limits,
    clientVersion: options.clientVersion ?? clientVersion(habits.clientName, chain.executor.engineName),
    forms: {
      done: habits.doneAnswer,
      time: habits.timeAnswer,
      mined: habits.minedAnswer,
      poolSenders: habits.poolSenders,
    },
    ...buildQueries(shared, simulators.otterscanTraces),
    ...simulators,
    ...buildWriters(shared, simulators),
    sharing: parts.sharing,
  };
}

function buildSimulators(parts: SharedParts): Pick<RpcContext, Simulators> {
  const { options, habits, chain, views, limits, abi, blockTraces, scripts, explainer, keyring } = parts;
  const { executor } = chain;
  const fees = { call: habits.callFees, estimate: habits.estimateFees };
  const isFirst = habits.defaultSender === "first account";
  const calling = {
    sender: (): Bytes | undefined => (isFirst ? keyring.accounts[0]?.address : undefined),
    blobCalls: habits.blobCalls,
    emptyCalls: habits.emptyCalls,
  };
  const calls = new CallService({
    executor,
    views,
    limits,
    explainer,
    fees,
    habits: calling,
    observer: observerOf(parts),
  });
  const debug = new DebugService({ chain, views, limits, scripts });
  const stateInspector = new StateInspector({ chain, views, limits });
  return {
    calls,
    accessLists: new AccessListService({ executor, views, limits, fees: fees.call, habits: calling }),
    simulations: new SimulateService(executor, views, limits),
    bundles: new BundleService({ chain, views, limits }),
    payloads: new PayloadService(parts),
    traces: new TraceService({ chain, views, limits, client: options.traceClient ?? "hindcast", blockTraces }),
    opcodeGas: new OpcodeGasService({ chain, views, limits }),
    debug,
    stateInspector,
    chainTraces: new ChainTraceService(views, debug),
    witnesses: new WitnessService(chain, views),
    analysis: once(async () => {
      const { buildAnalysis } = await import("./analysis.ts");
      return buildAnalysis({ ...parts, calls, debug, stateInspector });
    }),
    coverage: new Coverage(abi.builds, (sink) => {
      executor.coverage = sink;
    }),
    otterscanTraces: new OtterscanTraces(chain, limits),
  };
}

function observerOf({ console, callTraces }: SharedParts): CallObserver {
  return {
    get wantsPrinted() {
      return !console.isEmpty;
    },
    printed: (printed) => console.report(printed),
    get wantsTraces() {
      return !callTraces.isEmpty;
    },
    traced: (trace) => callTraces.tell(trace),
  };
}

function buildQueries(
  { chain, writer, pool, keyring, views, fees, habits }: SharedParts,
  otterscanTraces: OtterscanTraces,
): Omit<
  RpcContext,
  | Simulators
  | Writers
  | "sharing"
  | "chainId"
  | "networkId"
  | "description"
  | "clientVersion"
  | "dialect"
  | "limits"
  | "forms"
> {
  const logs = new LogQueries(chain, views, habits.logsBeyondHead);
  const blocks = new BlockQueries(chain, views, pool, writer);
  return {
    blocks,
    blockList: new BlockList(chain),
    state: new StateQueries(views, pool),
    proofs: new ProofQueries(chain.states, views),
    database: new DatabaseQueries(chain.states),
    blobs: new BlobQueries(pool),
    logs,
    filters: new FilterService({ chain, pool, logs }),
    subscriptions: new Subscriptions(new ChainEvents(chain, views, pool), {
      notifications: habits.notifications,
      unknownSubscriptions: habits.unknownSubscriptions,
    }),
    fees,
    feeHistory: new FeeHistoryQueries(chain, views, () => fees.nextBaseFee(), habits.feeHistoryLength),
    config: new ConfigQueries(chain),
    pool: new PoolQueries(pool, keyring),
    otterscan: new OtterscanQueries({ chain, views, blocks, finder: otterscanTraces }),
  };
}

function buildWriters(
  parts: SharedParts,
  { calls, accessLists, debug }: Pick<RpcContext, "calls" | "accessLists" | "debug">,
): Pick<RpcContext, Writers> {
  const { options, habits, chain, keyring, views, limits, fees, explainer } = parts;
  const defaultGas = habits.defaultGas;
  const throwsOnFailures = options.throwOnTransactionFailures ?? habits.failedTransactions === "error";
  const onNotice = (notice: string): void => {
    if (control.isLogging) tellNotice(options, notice);
  };
  const submit = new SubmitService({
    ...parts,
    onNotice,
    failureOf: throwsOnFailures
      ? async (txHash) => {
          const { minedFailure } = await import("../services/simulate/explain/explain.ts");
          return minedFailure({ chain, debug, explainer }, txHash);
        }
      : undefined,
    habits: {
      cheapTransactions: habits.cheapTransactions,
      nonceGaps: habits.nonceGaps,
      emptyCreations: habits.emptyCreations,
      failingEstimates: typeof defaultGas === "bigint" || defaultGas === "estimated" ? "refused" : "sent",
    },
    defaults: {
      estimateGas: async (call, after) => {
        if (typeof defaultGas === "bigint") return defaultGas;
        return after === undefined
          ? calls.estimateGas({ call, id: { tag: "pending" } })
          : calls.estimateGasAfter(after, call);
      },
      gasPrice: () => fees.gasPrice(),
      priorityFee: () => fees.priorityFee(),
      nextBaseFee: () => fees.nextBaseFee(),
      blobBaseFee: () => fees.blobBaseFee(),
    },
  });
  const control: ControlService = new ControlService({
    ...parts,
    onNotice,
    isOnDisk: options.dataDir !== undefined,
    isShared: parts.sharing !== undefined,
    habits: controlHabits(habits),
    // Without listeners, because these calls are internal.
    probe: contractProbe(new CallService({ executor: chain.executor, views, limits }), accessLists),
  });
  return {
    accounts: new AccountsService(keyring, { addedAccounts: habits.addedAccounts }),
    messages: new MessageSigner(keyring),
    submit,
    batches: new CallBatches({ ...parts, submit }),
    control,
  };
}

/** An error in the user's callback does not affect the answer. */
export function tellNotice({ onNotice, onError }: NodeOptions, notice: string): void {
  try {
    onNotice?.(notice);
  } catch (thrown) {
    onError?.(thrown);
  }
}

function controlHabits(habits: DialectBehaviour): ControlHabits {
  return {
    poolAfterRevert: habits.poolAfterRevert,
    firstSnapshot: habits.firstSnapshot,
    minedInterval: habits.minedInterval,
    intervalUnit: habits.intervalUnit,
    setTimeUnit: habits.setTimeUnit,
    minedAtHead: habits.minedAtHead,
    automineIsMining: habits.automineIsMining,
    nonceEdits: habits.nonceEdits,
  };
}
