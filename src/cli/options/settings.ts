/**
 * Merges flags, environment and configuration file into settings. Pure.
 *
 * Values that were not given stay undefined, so that the library's defaults apply.
 */
import { constants } from "node:buffer";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAXIMUM_GAS_LIMIT } from "../../chainspec/header/gas-limit.ts";
import type { EngineName } from "../../evm/engine.ts";
import type { MiningMode } from "../../miner/miner.ts";
import type { Dialect } from "../../node/options/dialect.ts";
import type { ForkOptions } from "../../node/options/fork-options.ts";
import type { FollowOptions, NodeOptions, SharedOptions, ShareOptions } from "../../node/options/options.ts";
import type { TraceClient } from "../../services/simulate/trace/client.ts";
import type { TransactionOrder } from "../../txpool/price-order.ts";
import type { GivenValues } from "../flags/flags.ts";
import { DEFAULT_HOST, DEFAULT_PORT } from "../flags/server.ts";
import { overrule, refuseContradictions } from "./contradictions.ts";
import { forkOf } from "./fork-settings.ts";
import { limitsOf } from "./limit-settings.ts";

/** Undefined members mean the library's default. */
export interface CliSettings {
  readonly host: string;
  readonly port: number;
  readonly ipcPath?: string;
  readonly accounts?: NonNullable<NodeOptions["accounts"]>;
  /** wei */
  readonly balance?: bigint;
  readonly fundedAccounts?: NonNullable<NodeOptions["fundedAccounts"]>;
  readonly mnemonic?: string;
  /** Number of words of a mnemonic that is new at each start. */
  readonly randomWords?: number;
  /** Number from which the mnemonic is derived. */
  readonly mnemonicSeed?: bigint;
  readonly derivationPath?: string;
  readonly chainId?: bigint;
  readonly networkId?: bigint;
  readonly hardfork?: string;
  readonly hardforkAt?: NonNullable<NodeOptions["hardforkAt"]>;
  readonly mining?: MiningMode;
  readonly gasLimit?: bigint;
  /** bytes */
  readonly codeSizeLimit?: number;
  readonly transactionGasCap?: boolean;
  /** wei per gas */
  readonly gasPrice?: bigint;
  /** wei per gas */
  readonly baseFeePerGas?: bigint;
  /** wei per gas */
  readonly priorityFeePerGas?: bigint;
  /** seconds */
  readonly timestamp?: bigint;
  readonly genesisNumber?: bigint;
  readonly autoImpersonate?: boolean;
  readonly solidityStack?: boolean;
  readonly predeploy?: NonNullable<NodeOptions["predeploy"]>;
  readonly create2Deployer?: boolean;
  readonly transactionOrder?: TransactionOrder;
  readonly slotsInAnEpoch?: number;
  readonly coinbase?: string;
  readonly maxTransactions?: number;
  readonly throwOnTransactionFailures?: boolean;
  readonly allowBlocksWithSameTimestamp?: boolean;
  readonly poolBalanceChecks?: boolean;
  readonly traceClient?: TraceClient;
  readonly dialect?: Dialect;
  readonly engine?: EngineName;
  readonly clientVersion?: string;
  readonly fork?: ForkOptions;
  readonly share?: ShareOptions;
  readonly follow?: string | FollowOptions;
  readonly shared?: SharedOptions;
  readonly limits?: NonNullable<NodeOptions["limits"]>;
  readonly genesisPath?: string;
  readonly importPath?: string;
  readonly exportPath?: string;
  readonly dataDir?: string;
  readonly loadStatePath?: string;
  /** The file to load may be missing, as at the first start with `--state`. */
  readonly stateMayBeMissing: boolean;
  readonly dumpStatePath?: string;
  readonly stateIntervalMs?: number;
  readonly configOutPath?: string;
  readonly allowedOrigins: readonly string[];
  readonly allowsLocalOrigins: boolean;
  readonly allowedHosts: readonly string[];
  /** Browsers see the explorer; with "read-only" it has no controls that change the chain. */
  readonly explorer: boolean | "read-only";
  /** Serves the sources of known contracts. */
  readonly servesSources: boolean;
  /** A browser is opened with it. */
  readonly opensBrowser: boolean;
  readonly maxBodyBytes?: number;
  readonly maxCacheBytes?: number;
  readonly maxBatchLength?: number;
  readonly maxRequestValues?: number;
  /** Prints only errors. */
  readonly quiet: boolean;
  /** Prints JSON lines. */
  readonly json: boolean;
  readonly color: "auto" | "always" | "never";
  /** The mined transactions and calls whose call tree is printed. */
  readonly trees: "none" | "failed" | "all";
  /** Prints the `console.log` output of contracts. */
  readonly consoleLog: boolean;
  /** Folders of Hardhat or Foundry with ABIs and sources. */
  readonly artifacts: readonly string[];
  /** Servers of verified sources. */
  readonly sources?: readonly string[];
  /** The lcov tracefile that is written when the node stops. */
  readonly coveragePath?: string;
}

/** Bytes: more than any gas limit pays for, at 200 gas each. */
const NO_CODE_SIZE_LIMIT = 2 ** 30;
const DEFAULT_RANDOM_WORDS = 12;

/**
 * Merges values from several sources, the strongest first.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` for contradictions
 */
export function toSettings(...sources: readonly GivenValues[]): CliSettings {
  const values = sources.reduceRight<GivenValues>((weaker, stronger) => overrule(stronger, weaker), {});
  refuseContradictions(values);
  const loadStatePath = values.loadState ?? values.state;
  const dumpStatePath = values.dumpState ?? values.state;
  return {
    host: values.host ?? DEFAULT_HOST,
    port: values.port ?? DEFAULT_PORT,
    allowedOrigins: values.allowOrigin ?? [],
    allowsLocalOrigins: values.noCors !== true,
    allowedHosts: values.allowHost ?? [],
    explorer: values.explorerReadOnly === true ? "read-only" : values.noExplorer !== true,
    servesSources: values.noSourcify !== true,
    opensBrowser: values.open === true,
    quiet: values.quiet === true,
    json: values.json === true,
    color: values.color ?? "auto",
    trees: treesOf(values),
    consoleLog: values.disableConsoleLog !== true,
    artifacts: values.artifacts ?? [],
    stateMayBeMissing: values.state !== undefined,
    ...given("ipcPath", ipcPathOf(values)),
    ...given("accounts", values.account ?? values.accounts),
    ...given("coveragePath", values.coverage),
    ...given("balance", values.balance),
    ...given("fundedAccounts", values.fundAccounts),
    ...given("mnemonic", values.mnemonic),
    ...given("randomWords", randomWordsOf(values)),
    ...given("mnemonicSeed", values.mnemonicSeedUnsafe),
    ...given("derivationPath", values.derivationPath),
    ...given("chainId", values.chainId),
    ...given("networkId", values.networkId),
    ...given("hardfork", values.hardfork),
    ...given("hardforkAt", values.hardforkAt && Object.fromEntries(values.hardforkAt)),
    ...given("mining", miningOf(values)),
    ...given("gasLimit", values.disableBlockGasLimit === true ? MAXIMUM_GAS_LIMIT : values.gasLimit),
    ...given("codeSizeLimit", values.disableCodeSizeLimit === true ? NO_CODE_SIZE_LIMIT : values.codeSizeLimit),
    ...given("transactionGasCap", values.enableTxGasLimit),
    ...given("gasPrice", values.gasPrice),
    ...given("baseFeePerGas", values.blockBaseFeePerGas),
    ...given("priorityFeePerGas", values.disableMinPriorityFee === true ? 0n : undefined),
    ...given("timestamp", values.timestamp),
    ...given("genesisNumber", values.number),
    ...given("autoImpersonate", values.autoImpersonate),
    ...given("sources", values.sources),
    ...given("solidityStack", values.solidityStack),
    ...given("predeploy", values.predeploy),
    ...given("create2Deployer", values.disableDefaultCreate2Deployer === true ? false : undefined),
    ...given("transactionOrder", values.order),
    ...given("slotsInAnEpoch", values.slotsInAnEpoch),
    ...given("coinbase", values.coinbase),
    ...given("maxTransactions", values.maxTransactions),
    ...given("throwOnTransactionFailures", values.throwOnTransactionFailures),
    ...given("allowBlocksWithSameTimestamp", values.allowBlocksWithSameTimestamp),
    ...given("poolBalanceChecks", values.disablePoolBalanceChecks === true ? false : undefined),
    ...given("traceClient", values.traceClient),
    ...given("dialect", values.dialect),
    ...given("engine", values.engine),
    ...given("clientVersion", values.clientVersion),
    ...given("fork", forkOf(values)),
    ...given("share", values.share === true ? { token: values.shareToken ?? "" } : undefined),
    ...given("follow", followOf(values)),
    ...given("shared", sharedOf(values)),
    ...given("limits", limitsOf(values)),
    ...given("genesisPath", values.genesis),
    ...given("importPath", values.import),
    ...given("exportPath", values.export),
    ...given("dataDir", values.dataDir),
    ...given("loadStatePath", loadStatePath),
    ...given("dumpStatePath", dumpStatePath),
    ...given("stateIntervalMs", values.stateInterval),
    ...given("configOutPath", values.configOut),
    ...given("maxBodyBytes", values.noRequestSizeLimit === true ? constants.MAX_STRING_LENGTH : values.maxBodyBytes),
    ...given("maxBatchLength", values.maxBatchLength),
    ...given("maxRequestValues", values.maxRequestValues),
    ...given("maxCacheBytes", values.maxCacheBytes),
  };
}

function sharedOf({ shared, role, chain, sharedAddress, sharedLease, work }: GivenValues): CliSettings["shared"] {
  if (shared === undefined) return undefined;
  const own = { ...given("chain", chain), ...given("address", sharedAddress), ...given("leaseMs", sharedLease) };
  if (work !== true) return { url: shared, ...given("role", role), ...own };
  return { url: shared, role: role ?? "reader", work, ...own };
}

function followOf({ follow, shareToken }: GivenValues): CliSettings["follow"] {
  return follow === undefined || shareToken === undefined ? follow : { url: follow, token: shareToken };
}

function miningOf({ blockTime, mixedMining, noMining, automine }: GivenValues): MiningMode | undefined {
  if (blockTime !== undefined) return { intervalMs: blockTime, ...(mixedMining === true ? { automine: true } : {}) };
  if (noMining === true) return "manual";
  return automine === true ? "auto" : undefined;
}

/** As in Foundry: from level 3 the call trees of failures, from 4 all. */
function treesOf({ printTraces, verbosity = 0 }: GivenValues): CliSettings["trees"] {
  const level = Number(verbosity);
  if (printTraces === true || level >= 4) return "all";
  return level === 3 ? "failed" : "none";
}

function ipcPathOf({ ipc }: GivenValues): string | undefined {
  if (ipc === undefined || ipc === false) return undefined;
  if (typeof ipc === "string") return ipc;
  return process.platform === "win32" ? "\\\\.\\pipe\\hindcast" : join(tmpdir(), "hindcast.ipc");
}

function randomWordsOf({ mnemonicRandom }: GivenValues): number | undefined {
  if (mnemonicRandom === undefined || mnemonicRandom === false) return undefined;
  return mnemonicRandom === true ? DEFAULT_RANDOM_WORDS : mnemonicRandom;
}

/** `{ [name]: value }`, or `{}` for undefined, because exactOptionalPropertyTypes forbids undefined members. */
function given<Key extends string, T>(name: Key, value: T | undefined): { readonly [key in Key]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [key in Key]: T });
}
