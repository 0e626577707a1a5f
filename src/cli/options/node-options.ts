/** Converts settings to the library's options. Pure; files were read before. */
import { mnemonicOfSeed, randomMnemonic } from "../../keyring/derive-accounts.ts";
import type { ListenOptions, NodeOptions } from "../../node/options/options.ts";
import type { CliSettings } from "./settings.ts";

/** Members with the same name and meaning in settings and node options. */
const SHARED = [
  "accounts",
  "balance",
  "fundedAccounts",
  "mnemonic",
  "derivationPath",
  "chainId",
  "networkId",
  "hardfork",
  "hardforkAt",
  "gasLimit",
  "codeSizeLimit",
  "transactionGasCap",
  "coinbase",
  "maxTransactions",
  "throwOnTransactionFailures",
  "allowBlocksWithSameTimestamp",
  "poolBalanceChecks",
  "gasPrice",
  "baseFeePerGas",
  "priorityFeePerGas",
  "timestamp",
  "genesisNumber",
  "autoImpersonate",
  "sources",
  "solidityStack",
  "predeploy",
  "create2Deployer",
  "transactionOrder",
  "slotsInAnEpoch",
  "traceClient",
  "dialect",
  "engine",
  "clientVersion",
  "maxBatchLength",
  "maxRequestValues",
  "maxCacheBytes",
  "dataDir",
  "fork",
  "share",
  "follow",
  "shared",
  "limits",
] as const satisfies readonly (keyof CliSettings & keyof NodeOptions)[];

/** The settings with a generated mnemonic, if one is asked for. */
export function withMnemonic(settings: CliSettings): CliSettings {
  const { randomWords, mnemonicSeed } = settings;
  if (randomWords !== undefined) return { ...settings, mnemonic: randomMnemonic(randomWords) };
  return mnemonicSeed === undefined ? settings : { ...settings, mnemonic: mnemonicOfSeed(mnemonicSeed) };
}

/**
 * Options of the node.
 *
 * @param genesis - parsed JSON of the genesis file, if one was named
 */
export function toNodeOptions(settings: CliSettings, genesis: unknown): NodeOptions {
  // An imported chain must not get new blocks by itself.
  const mining = settings.mining ?? (settings.importPath === undefined ? undefined : "manual");
  return {
    ...Object.fromEntries(SHARED.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]])),
    ...(mining === undefined ? {} : { mining }),
    ...(genesis === undefined ? {} : { genesis }),
  };
}

/** Options of the server. */
export function toListenOptions(settings: CliSettings): ListenOptions {
  const { host, port, allowedHosts, allowedOrigins, allowsLocalOrigins, explorer, servesSources, maxBodyBytes } =
    settings;
  return {
    host,
    port,
    allowedHosts,
    allowedOrigins,
    allowsLocalOrigins,
    explorer,
    sourcify: servesSources,
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
  };
}
