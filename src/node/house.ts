/**
 * Builds every room once and wires them: the only place that knows them all, whence its length, of which a sixth is
 * imports.
 */
import { Chain } from "../chain/chain.ts";
import { type BuiltGenesis, buildGenesis } from "../chain/genesis-block.ts";
import type { ChainSpec } from "../chainspec/chain-spec.ts";
import { ConsoleLogs } from "../explain/console/console-logs.ts";
import { Listeners } from "../explain/listeners.ts";
import { DEV_DERIVATION_PATH, DEV_MNEMONIC, deriveAccounts, Keyring } from "../keyring/keyring.ts";
import { BlockViews } from "../miner/block-views.ts";
import { Clock } from "../miner/clock.ts";
import { Miner, type MiningMode } from "../miner/miner.ts";
import { MiningSchedule } from "../miner/mining-mode.ts";
import { syncPool } from "../miner/sync-pool.ts";
import { EMPTY_BYTES } from "../primitives/bytes.ts";
import { EMPTY_TRIE_ROOT, ZERO_ADDRESS } from "../primitives/hash.ts";
import { decodeData } from "../primitives/hex.ts";
import type { RpcContext } from "../rpc/context.ts";
import { Description } from "../rpc/description.ts";
import { methods } from "../rpc/registry.ts";
import { Subscriptions } from "../rpc/subscriptions.ts";
import { ControlService } from "../services/control/control.ts";
import { BlockQueries } from "../services/query/block-queries.ts";
import { ChainEvents } from "../services/query/chain-events.ts";
import { ConfigQueries } from "../services/query/config-queries.ts";
import { FeeHistoryQueries } from "../services/query/fee-history.ts";
import { DEFAULT_FEES, FeeQueries } from "../services/query/fee-queries.ts";
import { FilterService } from "../services/query/filters.ts";
import { LogQueries } from "../services/query/log-queries.ts";
import { OtterscanQueries } from "../services/query/otterscan.ts";
import { PoolQueries } from "../services/query/pool-queries.ts";
import { ProofQueries } from "../services/query/proof-queries.ts";
import { StateQueries } from "../services/query/state-queries.ts";
import { AccessListService } from "../services/simulate/access-list.ts";
import { BlockTraces } from "../services/simulate/block-traces.ts";
import { CallService, type CallTrace } from "../services/simulate/call.ts";
import { DebugService } from "../services/simulate/debug.ts";
import { OtterscanTraces } from "../services/simulate/otterscan-traces.ts";
import { PayloadService } from "../services/simulate/payload.ts";
import { SimulateService } from "../services/simulate/simulate-v1.ts";
import { DEFAULT_SIMULATION_LIMITS, type SimulationLimits } from "../services/simulate/simulation.ts";
import { TraceService } from "../services/simulate/trace.ts";
import { AccountsService } from "../services/submit/accounts.ts";
import { MessageSigner } from "../services/submit/message-signer.ts";
import { SubmitService } from "../services/submit/submit.ts";
import { StateDatabase } from "../state/state-database.ts";
import { ChainStore } from "../store/chain-store.ts";
import { TxPool } from "../txpool/tx-pool.ts";
import { describeChain, withStoredTimestamp } from "./chain-description.ts";
import { checkOptions, secondsOf } from "./check-options.ts";
import { contractProbe } from "./contract-probe.ts";
import type { NodeOptions } from "./options.ts";
import { CLIENT_VERSION, VERSION } from "./version.ts";

const ignore = (): void => undefined;

/** The genesis state is built on nothing. */
const EMPTY_SOURCE = { getTrieNode: () => undefined, getCode: () => undefined };

/** All rooms of one node. */
export interface House {
  readonly store: ChainStore;
  readonly chain: Chain;
  readonly pool: TxPool;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly miner: Miner;
  readonly schedule: MiningSchedule;
  readonly context: RpcContext;
  /** What contracts print. */
  readonly console: ConsoleLogs;
  /** What calls do that nobody keeps. */
  readonly callTraces: Listeners<CallTrace>;
  readonly blockTraces: BlockTraces;
  close(): Promise<void>;
}

/**
 * Opens store and chain and puts the services on top.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION`, `INVALID_GENESIS`
 * @throws {StoreError} for a folder that is locked, foreign or corrupt
 */
export async function buildHouse(options: NodeOptions): Promise<House> {
  checkOptions(options);
  const keyring = new Keyring(
    deriveAccounts(
      options.mnemonic ?? DEV_MNEMONIC,
      options.accounts ?? 10,
      options.derivationPath ?? DEV_DERIVATION_PATH,
    ),
  );
  keyring.setAutoImpersonate(options.autoImpersonate === true);
  const { spec, clockOffset } = describeChain(await withStoredTimestamp(options), keyring);
  const genesis = await buildGenesis(spec, new StateDatabase(EMPTY_SOURCE).working(EMPTY_TRIE_ROOT));
  const store = await ChainStore.open({
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
    identity: {
      genesisHash: genesis.block.hash,
      chainId: spec.chainId,
      genesisTimestamp: genesis.block.header.timestamp,
    },
  });
  const offset = store.getHead() === undefined ? clockOffset : store.getTimeOffset();
  return buildOver(store, { options, keyring, spec, genesis, clock: clockOf(options, offset) });
}

/**
 * A house that begins with the chain, edits, time, settings and impersonations of another, and lives in memory over its
 * store, which must stay open. What waits in the pool does not come along.
 */
export function branchHouse(options: NodeOptions, from: House): Promise<House> {
  return from.chain.exclusively(async () => {
    const { chain } = from;
    const store = await from.store.branch();
    const clock = clockOf(options, from.clock.offset);
    clock.restore(from.clock.state);
    const genesis = {
      block: chain.genesis,
      commit: { stateRoot: chain.genesis.header.stateRoot, trieNodes: [], codes: [] },
    };
    const keyring = from.keyring.branch();
    const house = await buildOver(store, { options, keyring, spec: chain.spec, genesis, clock });
    house.miner.configure(from.miner.settings);
    house.schedule.set(from.schedule.mode);
    return house;
  });
}

function clockOf({ clock }: NodeOptions, offset: bigint): Clock {
  return new Clock({ ...(clock === undefined ? {} : { now: () => secondsOf(clock) }), offset });
}

interface Ground {
  readonly options: NodeOptions;
  readonly keyring: Keyring;
  readonly spec: ChainSpec;
  readonly genesis: BuiltGenesis;
  readonly clock: Clock;
}

/** Chain and services over an open store; the store is closed if they cannot be built. */
async function buildOver(store: ChainStore, { options, keyring, spec, genesis, clock }: Ground): Promise<House> {
  try {
    const states = new StateDatabase(store, { isPermanent: !store.isInMemory });
    const slots = options.slotsInAnEpoch === undefined ? {} : { slotsInAnEpoch: BigInt(options.slotsInAnEpoch) };
    const chain = await Chain.open({
      spec,
      store,
      states,
      genesis,
      timeOffset: () => clock.offset,
      onError: options.onError ?? ignore,
      ...slots,
    });
    return furnish(options, { store, chain, keyring, clock });
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Rooms {
  readonly store: ChainStore;
  readonly chain: Chain;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

function furnish(options: NodeOptions, { store, chain, keyring, clock }: Rooms): House {
  const pool = new TxPool({
    limits: options.poolLimits,
    order: options.transactionOrder,
    isLocal: (sender) => keyring.getAccount(sender) !== undefined || keyring.isImpersonated(sender),
  });
  const onError = options.onError ?? ignore;
  const console = new ConsoleLogs(onError);
  const callTraces = new Listeners<CallTrace>(onError);
  const blockTraces = new BlockTraces();
  const miner = new Miner({
    chain,
    pool,
    clock,
    settings: {
      coinbase: options.coinbase === undefined ? ZERO_ADDRESS : decodeData(options.coinbase),
      gasLimit: undefined,
      nextBaseFeePerGas: undefined,
      nextPrevRandao: undefined,
      extraData: EMPTY_BYTES,
      minGasPrice: undefined,
    },
    isImpersonated: (tx) => tx.isImpersonated,
    onPrinted: ({ tx, calls }) => console.report(calls, tx.hash),
    traces: blockTraces,
  });
  const schedule = new MiningSchedule(miner, options.mining ?? defaultMining(options), onError);
  const unsubscribe = chain.onHeadChange((change) => {
    for (const block of change.removed) blockTraces.forget(block);
    return syncPool(chain, pool, change);
  });
  const limits: SimulationLimits = { ...DEFAULT_SIMULATION_LIMITS, ...options.limits };
  const context = serviceContext(options, {
    chain,
    pool,
    keyring,
    miner,
    schedule,
    clock,
    limits,
    console,
    callTraces,
    blockTraces,
  });
  return {
    store,
    chain,
    pool,
    keyring,
    clock,
    miner,
    schedule,
    context,
    console,
    callTraces,
    blockTraces,
    close: async () => {
      schedule.stop();
      await chain.drained();
      unsubscribe();
      context.filters.close();
      context.subscriptions.close();
      await store.close();
    },
  };
}

interface ServiceParts {
  readonly chain: Chain;
  readonly pool: TxPool;
  readonly keyring: Keyring;
  readonly miner: Miner;
  readonly schedule: MiningSchedule;
  readonly clock: Clock;
  readonly limits: SimulationLimits;
  readonly console: ConsoleLogs;
  readonly callTraces: Listeners<CallTrace>;
  readonly blockTraces: BlockTraces;
}

function serviceContext(options: NodeOptions, parts: ServiceParts): RpcContext {
  const { chain, pool, keyring, miner, clock, limits, console, callTraces, blockTraces } = parts;
  const views = new BlockViews(chain, miner);
  const fees = new FeeQueries(chain, miner, clock, {
    priorityFeePerGas: options.priorityFeePerGas ?? DEFAULT_FEES.priorityFeePerGas,
    legacyGasPrice: options.gasPrice ?? DEFAULT_FEES.legacyGasPrice,
  });
  const accessLists = new AccessListService(chain.spec, views, limits);
  const calls = new CallService(chain.spec, views, limits, {
    printed: (printed) => console.report(printed),
    get wantsTraces() {
      return !callTraces.isEmpty;
    },
    traced: (trace) => callTraces.tell(trace),
  });
  const logs = new LogQueries(chain, views);
  const blocks = new BlockQueries(chain, views, pool);
  const otterscanTraces = new OtterscanTraces(chain, limits);
  return {
    chainId: chain.spec.chainId,
    description: new Description({ methods, version: VERSION }),
    clientVersion: CLIENT_VERSION,
    blocks,
    state: new StateQueries(views, pool),
    proofs: new ProofQueries(chain.states, views),
    logs,
    filters: new FilterService({ chain, pool, logs }),
    subscriptions: new Subscriptions(new ChainEvents(chain, views, pool)),
    fees,
    feeHistory: new FeeHistoryQueries(chain, views, () => fees.nextBaseFee()),
    config: new ConfigQueries(chain),
    pool: new PoolQueries(pool, keyring),
    calls,
    accessLists,
    simulations: new SimulateService(chain.spec, views, limits),
    payloads: new PayloadService(parts),
    traces: new TraceService({ chain, views, limits, client: options.traceClient ?? "hindcast", blockTraces }),
    debug: new DebugService({ chain, views, limits }),
    otterscan: new OtterscanQueries({ chain, views, blocks, finder: otterscanTraces }),
    otterscanTraces,
    accounts: new AccountsService(keyring),
    messages: new MessageSigner(keyring),
    submit: new SubmitService({
      ...parts,
      defaults: {
        estimateGas: (call) => calls.estimateGas({ call, id: { tag: "pending" } }),
        gasPrice: () => fees.gasPrice(),
        priorityFee: () => fees.priorityFee(),
        nextBaseFee: () => fees.nextBaseFee(),
        blobBaseFee: () => fees.blobBaseFee(),
      },
    }),
    control: new ControlService({
      ...parts,
      isOnDisk: options.dataDir !== undefined,
      // Its calls are the node's own business.
      probe: contractProbe(new CallService(chain.spec, views, limits), accessLists),
    }),
  };
}

/** A chain that came from elsewhere is not mined on unless somebody says so. */
function defaultMining(options: NodeOptions): MiningMode {
  return options.genesis === undefined ? "auto" : "manual";
}
