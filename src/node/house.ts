/** Builds every room once and wires them; the services on top are built in `services.ts`. */
import { Chain } from "../chain/chain.ts";
import { type BuiltGenesis, buildGenesis } from "../chain/read/genesis-block.ts";
import type { HeadChange } from "../chain/write/head-change.ts";
import type { ChainSpec } from "../chainspec/chain-spec.ts";
import type { Engine } from "../evm/engine.ts";
import { Executor } from "../executor/executor.ts";
import { ConsoleLogs } from "../explain/console/console-logs.ts";
import { Listeners } from "../explain/listeners.ts";
import { DEV_ACCOUNTS, DEV_DERIVATION_PATH, DEV_MNEMONIC, deriveAccounts, Keyring } from "../keyring/keyring.ts";
import { Clock } from "../miner/clock.ts";
import { Miner, type MiningMode } from "../miner/miner.ts";
import { MiningSchedule } from "../miner/mining-mode.ts";
import { syncPool } from "../miner/sync-pool.ts";
import { EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import { decodeData } from "../primitives/bytes/hex.ts";
import { EMPTY_TRIE_ROOT, ZERO_ADDRESS } from "../primitives/hash/hash.ts";
import { given } from "../primitives/shapes/given.ts";
import { listener as listenerShape, requireShape } from "../primitives/shapes/shape.ts";
import type { RpcContext } from "../rpc/context.ts";
import type { CallTrace } from "../services/simulate/call/call.ts";
import { BlockTraces } from "../services/simulate/trace/block-traces.ts";
import { StateDatabase } from "../state/state-database.ts";
import { ChainStore } from "../store/chain-store.ts";
import { TxPool } from "../txpool/tx-pool.ts";
import { describeChain, withStoredTimestamp } from "./chain-description.ts";
import { openEngine } from "./engines.ts";
import { checkOptions, secondsOf } from "./options/check-options.ts";
import type { NodeOptions } from "./options/options.ts";
import { openScripts } from "./scripts.ts";
import { buildServices } from "./services.ts";

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
  /** Tells a listener of the user's of head changes, and waits for nothing that it starts. Returns the stop function. */
  onHeadChange(listener: (change: HeadChange) => unknown): () => void;
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
      options.accounts ?? DEV_ACCOUNTS,
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

/** What a chain is opened with, beside its store. */
interface ChainFoundation {
  readonly options: NodeOptions;
  readonly keyring: Keyring;
  readonly spec: ChainSpec;
  readonly genesis: BuiltGenesis;
  readonly clock: Clock;
}

/** Chain and services over an open store; the store is closed if they cannot be built. */
async function buildOver(
  store: ChainStore,
  { options, keyring, spec, genesis, clock }: ChainFoundation,
): Promise<House> {
  try {
    const engine = await openEngine(options.engine, given(options.limits ?? {}));
    const states = new StateDatabase(store, { isPermanent: !store.isInMemory });
    const slots = options.slotsInAnEpoch === undefined ? {} : { slotsInAnEpoch: BigInt(options.slotsInAnEpoch) };
    const chain = await Chain.open({
      executor: new Executor(spec, engine),
      store,
      states,
      genesis,
      timeOffset: () => clock.offset,
      onError: options.onError ?? ignore,
      ...slots,
    });
    return furnish(options, { store, engine, chain, keyring, clock });
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Rooms {
  readonly store: ChainStore;
  readonly engine: Engine;
  readonly chain: Chain;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

function furnish(options: NodeOptions, { store, engine, chain, keyring, clock }: Rooms): House {
  const pool = new TxPool({
    limits: given(options.poolLimits ?? {}),
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
  const scripts = openScripts(engine.name, given(options.limits ?? {}));
  const parts = { chain, pool, keyring, miner, schedule, clock, console, callTraces, blockTraces };
  const context = buildServices(options, { ...parts, scripts });
  return {
    ...parts,
    store,
    context,
    onHeadChange: (listener) => {
      requireShape(listenerShape(), listener, "listener");
      return chain.onHeadChange((change) => {
        const started = listener(change);
        // A writer that waited for one that mines would wait for good.
        if (started instanceof Promise) started.catch(onError);
      });
    },
    close: async () => {
      schedule.stop();
      await chain.drained();
      unsubscribe();
      context.filters.close();
      context.subscriptions.close();
      await scripts.close();
      await engine.close();
      await store.close();
    },
  };
}

/** A chain that came from elsewhere is not mined on unless somebody says so. */
function defaultMining(options: NodeOptions): MiningMode {
  return options.genesis === undefined ? "auto" : "manual";
}
