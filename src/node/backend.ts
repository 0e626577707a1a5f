/** Opens everything that a node consists of and connects it: store, chain, pool, miner, and the services of `services.ts`. */

import { type ChainBase, ChainWriter } from "../chain/chain-writer.ts";
import type { HeadChange } from "../chain/write/head-change.ts";
import type { Engine } from "../evm/engine.ts";
import { Executor } from "../executor/executor.ts";
import { AbiRegistry } from "../explain/abi/registry.ts";
import { ConsoleLogs } from "../explain/console/console-logs.ts";
import { Listeners } from "../explain/listeners.ts";
import { Keyring } from "../keyring/keyring.ts";
import { Clock } from "../miner/clock.ts";
import { Miner, type MiningMode } from "../miner/miner.ts";
import { MiningSchedule } from "../miner/mining-mode.ts";
import { syncPool } from "../miner/sync-pool.ts";
import { EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import { decodeData } from "../primitives/bytes/hex.ts";
import { ZERO_ADDRESS } from "../primitives/hash/hash.ts";
import { given } from "../primitives/validation/given.ts";
import { listener as listenerShape, requireShape } from "../primitives/validation/shape.ts";
import { commonMethods } from "../rpc/common-methods.ts";
import type { RpcContext } from "../rpc/context.ts";
import { MethodTable } from "../rpc/method-table.ts";
import type { CallTrace } from "../services/simulate/call/call.ts";
import { BlockTraces } from "../services/simulate/trace/block-traces.ts";
import type { VerifiedContracts } from "../sources/verified-contracts.ts";
import { StateDatabase } from "../state/state-database.ts";
import { ownStateId } from "../state/state-id.ts";
import { ChainStore } from "../store/chain-store.ts";
import { TxPool } from "../txpool/tx-pool.ts";
import { genesisSettings } from "./chain-description.ts";
import { openEngine, openScripts } from "./engines.ts";
import { NodeBases } from "./fork/chain-bases.ts";
import { openAccounts } from "./options/accounts.ts";
import { cacheSizes } from "./options/cache-sizes.ts";
import { checkOptions, secondsOf } from "./options/check-options.ts";
import type { NodeOptions } from "./options/options.ts";
import { buildServices, type ServiceParts, tellNotice } from "./services.ts";
import type { NodeSharing } from "./sharing/node-sharing.ts";
import type { OpenedSharing } from "./sharing/opened-sharing.ts";
import { openSources } from "./sources.ts";

const ignore = (): void => undefined;

/** All parts of a node except its provider and servers. */
export interface Backend extends Omit<ServiceParts, "bases" | "scripts"> {
  readonly store: ChainStore;
  readonly context: RpcContext;
  /** With those that come from a node that this one follows. */
  readonly options: NodeOptions;
  /** Opens what the chain is based on: a genesis, or a block of another chain. */
  readonly bases: NodeBases;
  /** Calls a listener after head changes without waiting for it. Returns a function that stops it. */
  onHeadChange(listener: (change: HeadChange) => unknown): () => void;
  close(): Promise<void>;
}

/**
 * Opens store and chain, and builds the services.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION`, `INVALID_GENESIS`
 * @throws {StoreError} for a folder that is locked, corrupt or of another chain
 */
export async function openBackend(given: NodeOptions): Promise<Backend> {
  checkOptions(given);
  const opened = await openShared(given);
  const { options, sharing } = opened;
  const keyring = new Keyring(await openAccounts(options));
  keyring.setAutoImpersonate(options.autoImpersonate === true);
  const bases = new NodeBases(options, keyring);
  let sources: VerifiedContracts | undefined;
  try {
    const base = opened.base ?? (await bases.open());
    const { spec, genesis, history, clockOffset } = base;
    const identity = opened.identity ?? {
      genesisHash: genesis.block.hash,
      chainId: spec.chainId,
      genesisTimestamp: genesis.block.header.timestamp,
      settings: genesisSettings(options, keyring),
    };
    opened.describe?.(base, identity);
    const store = await ChainStore.open({ dataDir: options.dataDir, identity, through: sharing?.through });
    for (const notice of store.notices) tellNotice(options, notice);
    const clock = clockOf(options, store.getHead() === undefined ? clockOffset : store.getTimeOffset());
    const chainBase = { spec, genesis, history };
    const abi = new AbiRegistry();
    sources = await openSources(options, () => bases.fork?.chainId ?? spec.chainId);
    if (sources !== undefined) abi.useFolder(sources);
    for (const folder of [options.artifacts ?? []].flat()) abi.useArtifacts(folder);
    const backend = await buildOn(chainBase, { options, store, keyring, bases, clock, abi, sharing });
    await mineForkedTransactions(backend);
    sharing?.start(backend.writer, () => {
      clock.reset(store.getTimeOffset());
      backend.schedule.set(given.mining ?? defaultMining(given));
    });
    return {
      ...backend,
      close: async () => {
        sources?.close();
        await sharing?.stop();
        await backend.close();
        await sharing?.close();
      },
    };
  } catch (error) {
    sources?.close();
    await sharing?.stop();
    await sharing?.close();
    await bases.close();
    throw error;
  }
}

/**
 * A backend in memory over the store of another one, which must stay open. It begins with the other's chain, edits,
 * time, settings and impersonations, but without its waiting transactions.
 */
export function branchBackend(options: NodeOptions, from: Backend): Promise<Backend> {
  return from.writer.exclusively(async () => {
    const { chain, abi } = from;
    const store = await from.store.branch();
    const clock = clockOf(options, from.clock.offset);
    clock.restore(from.clock.state);
    const keyring = from.keyring.branch();
    const bases = new NodeBases(options, keyring, from.bases);
    const genesis = {
      block: chain.genesis,
      commit: { stateRoot: ownStateId(chain.firstStateId), trieNodes: [], codes: [] },
    };
    const chainBase = { spec: chain.spec.copy(), genesis, history: chain.history };
    // A branch is its own chain.
    const sharing = undefined;
    const backend = await buildOn(chainBase, { options, store, keyring, bases, clock, abi, sharing });
    backend.miner.configure(from.miner.settings);
    backend.schedule.set(from.schedule.mode);
    return backend;
  });
}

/** On a fork at a transaction: mines the transactions of its block up to it, with that block's header values. */
async function mineForkedTransactions({ chain, miner }: Backend): Promise<void> {
  const first = chain.history?.firstTransactions;
  if (first === undefined || chain.head.header.number > chain.genesis.header.number) return;
  const { header, transactions } = first;
  const { coinbase, gasLimit } = miner.settings;
  const { baseFeePerGas: nextBaseFeePerGas, mixHash: nextPrevRandao } = header;
  miner.configure({ coinbase: header.coinbase, gasLimit: header.gasLimit, nextBaseFeePerGas, nextPrevRandao });
  await miner.mine({ timestamp: header.timestamp, transactions });
  miner.configure({ coinbase, gasLimit });
}

function clockOf({ clock, allowBlocksWithSameTimestamp }: NodeOptions, offset: bigint): Clock {
  const step = allowBlocksWithSameTimestamp === true ? 0n : 1n;
  return new Clock({ ...(clock === undefined ? {} : { now: () => secondsOf(clock) }), offset, step });
}

/** Parts that exist before the chain. */
interface Foundation {
  readonly options: NodeOptions;
  readonly store: ChainStore;
  readonly keyring: Keyring;
  readonly bases: NodeBases;
  readonly clock: Clock;
  readonly abi: AbiRegistry;
  readonly sharing: NodeSharing | undefined;
}

async function openShared(options: NodeOptions): Promise<OpenedSharing> {
  if ((options.share ?? options.follow ?? options.shared) === undefined) return { options };
  return (await import("./sharing/open-sharing.ts")).openSharing(options);
}

/** Opens the chain of a store and builds the other parts; closes the store if that fails. */
async function buildOn({ spec, genesis, history }: ChainBase, foundation: Foundation): Promise<Backend> {
  const { options, store, clock } = foundation;
  try {
    const engine = await openEngine(options.engine, given(options.limits ?? {}));
    const sizes = cacheSizes(options.maxCacheBytes);
    const states = new StateDatabase(store, {
      trieCacheBytes: sizes.trieNodes,
      codeCacheBytes: sizes.codes,
      isPermanent: store.isPermanent,
      remote: history,
    });
    const slots = options.slotsInAnEpoch === undefined ? {} : { slotsInAnEpoch: BigInt(options.slotsInAnEpoch) };
    const writer = await ChainWriter.open({
      executor: new Executor(spec, engine, options.limits?.recordingMemory),
      store,
      states,
      genesis,
      timeOffset: () => clock.offset,
      onError: options.onError ?? ignore,
      history,
      cacheSizes: sizes,
      ...slots,
    });
    return connect(foundation, engine, writer);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Builds pool, miner and services of a chain, and connects their listeners. */
function connect({ options, ...foundation }: Foundation, engine: Engine, writer: ChainWriter): Backend {
  const { chain } = writer;
  const { store, keyring, clock, bases, sharing } = foundation;
  const pool = new TxPool({
    limits: given(options.poolLimits ?? {}),
    order: options.transactionOrder,
    checksFunds: options.poolBalanceChecks !== false,
    isLocal: (sender) => keyring.getAccount(sender) !== undefined || keyring.isImpersonated(sender),
  });
  const onError = options.onError ?? ignore;
  const console = new ConsoleLogs(onError);
  const callTraces = new Listeners<CallTrace>(onError);
  const blockTraces = new BlockTraces(cacheSizes(options.maxCacheBytes).traces);
  const miner = new Miner({
    chain,
    writer,
    pool,
    clock,
    settings: {
      coinbase: options.coinbase === undefined ? ZERO_ADDRESS : decodeData(options.coinbase),
      // A genesis has a gas limit; on a fork the option sets that of new blocks.
      gasLimit: options.fork === undefined || options.gasLimit === undefined ? undefined : BigInt(options.gasLimit),
      nextBaseFeePerGas: options.fork === undefined ? undefined : options.baseFeePerGas,
      nextPrevRandao: undefined,
      extraData: EMPTY_BYTES,
      minGasPrice: undefined,
    },
    isImpersonated: (tx) => tx.isImpersonated,
    onPrinted: ({ tx, calls }) => console.report(calls, tx.hash),
    onError,
    traces: blockTraces,
    maxTransactions: options.maxTransactions,
    onProgress: options.onMiningProgress,
  });
  const schedule = new MiningSchedule(miner, options.mining ?? defaultMining(options), onError);
  const unsubscribe = chain.headListeners.add((change) => {
    for (const block of change.removed) blockTraces.forget(block);
    // Transactions that leave a reader's chain wait in the writer's pool.
    return sharing?.follower === undefined ? syncPool(chain, pool, change) : undefined;
  });
  const scripts = openScripts(engine, given(options.limits ?? {}));
  const methods = new MethodTable({
    common: commonMethods,
    loadControl: async () => (await import("../rpc/control-methods.ts")).controlMethods,
    load: async () => (await import("../rpc/registry.ts")).methods,
  });
  const parts = { ...foundation, chain, writer, pool, miner, schedule, console, callTraces, blockTraces, methods };
  const context = buildServices(options, { ...parts, scripts });
  return {
    ...parts,
    options,
    context,
    onHeadChange: (listener) => {
      requireShape(listenerShape(), listener, "listener");
      return chain.headListeners.add((change) => {
        const started = listener(change);
        // Not awaited: if the listener mines, awaiting it here would be a deadlock.
        if (started instanceof Promise) started.catch(onError);
      });
    },
    close: async () => {
      schedule.stop();
      await writer.drained();
      unsubscribe();
      context.filters.close();
      context.subscriptions.close();
      await scripts.close();
      await engine.close();
      await store.close();
      await bases.close();
    },
  };
}

/** A chain from a genesis is by default mined on request only. */
function defaultMining(options: NodeOptions): MiningMode {
  return options.genesis === undefined || options.fork !== undefined ? "auto" : "manual";
}
