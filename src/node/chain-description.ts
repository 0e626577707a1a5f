/** The chain that the options describe: genesis, rules, and the offset of its time from the clock. */
import { ChainSpec } from "../chainspec/chain-spec.ts";
import { DEV_BALANCE, DEV_CHAIN_ID, devGenesis } from "../chainspec/genesis/dev-genesis.ts";
import { type Genesis, parseGenesis } from "../chainspec/genesis/genesis.ts";
import { predeployAccounts } from "../chainspec/genesis/predeploys/predeploys.ts";
import { NEWEST_STABLE_HARDFORK, parseHardfork } from "../chainspec/hardforks/hardforks.ts";
import type { Keyring } from "../keyring/keyring.ts";
import { encodeData } from "../primitives/bytes/hex.ts";
import { readDataFolder } from "../store/backends/data-folder.ts";
import { fundedAddresses } from "./options/accounts.ts";
import { secondsOf } from "./options/check-options.ts";
import type { NodeOptions } from "./options/options.ts";

/** Rules and clock of a chain, fixed before its store is opened. */
export interface ChainDescription {
  readonly spec: ChainSpec;
  /** Seconds from the clock to the chain's first timestamp. */
  readonly clockOffset: bigint;
}

/**
 * Describes the chain of some options.
 *
 * @param keyring - its accounts are funded on a development chain
 * @throws {InvalidParamsError} `INVALID_OPTION`, `INVALID_GENESIS`
 */
export async function describeChain(options: NodeOptions, keyring: Keyring): Promise<ChainDescription> {
  if (options.genesis !== undefined) {
    return { spec: new ChainSpec(parseGenesis(options.genesis), options), clockOffset: 0n };
  }
  // Read once: a second that ends between two readings would be an offset.
  const present = now(options);
  const timestamp = options.timestamp === undefined ? present : BigInt(options.timestamp);
  const { create2Deployer = true, predeploy = [] } = options;
  const named = predeploy.filter((name) => name !== "create2" || !create2Deployer);
  const genesis: Genesis = devGenesis({
    hardfork: parseHardfork(options.hardfork ?? NEWEST_STABLE_HARDFORK),
    ...(options.hardforkAt === undefined ? {} : { hardforkAt: options.hardforkAt }),
    chainId: BigInt(options.chainId ?? DEV_CHAIN_ID),
    accounts: fundedAddresses(options, keyring),
    ...(options.gasLimit === undefined ? {} : { gasLimit: BigInt(options.gasLimit) }),
    timestamp,
    number: BigInt(options.genesisNumber ?? 0n),
    ...(options.baseFeePerGas === undefined ? {} : { baseFeePerGas: options.baseFeePerGas }),
    create2Deployer,
    predeployed: await predeployAccounts(named),
  });
  return { spec: new ChainSpec(genesis, options), clockOffset: timestamp - present };
}

/**
 * Offset in seconds from the clock to a chain whose present time is `timestamp`, unless the options name another time.
 */
export function offsetFrom(options: NodeOptions, timestamp: bigint): bigint {
  return (options.timestamp === undefined ? timestamp : BigInt(options.timestamp)) - now(options);
}

function now({ clock }: NodeOptions): bigint {
  return clock === undefined ? BigInt(Math.floor(Date.now() / 1000)) : secondsOf(clock);
}

/** Sets the timestamp of a stored development chain, because its genesis depends on the options and on that time. */
export async function withStoredTimestamp(options: NodeOptions): Promise<NodeOptions> {
  if (options.dataDir === undefined || options.genesis !== undefined || options.timestamp !== undefined) return options;
  const timestamp = (await readDataFolder(options.dataDir))?.genesisTimestamp;
  return timestamp === undefined ? options : { ...options, timestamp };
}

/** The settings that determine a development chain's genesis, as text, by option; undefined for any other chain. */
export function genesisSettings(options: NodeOptions, keyring: Keyring): Record<string, string> | undefined {
  if (options.genesis !== undefined || options.fork !== undefined) return undefined;
  const own = fundedAddresses({ ...options, fundedAccounts: [] }, keyring);
  const [first] = own;
  const balances = new Set(own.map(({ balance }) => balance));
  return {
    hardfork: parseHardfork(options.hardfork ?? NEWEST_STABLE_HARDFORK),
    ...hardforkSetting(options),
    chainId: String(options.chainId ?? DEV_CHAIN_ID),
    accounts: first === undefined ? "0" : `${own.length} from ${encodeData(first.address)} on`,
    balance: [...balances].join(" and "),
    ...fundedSetting(options),
    gasLimit: String(options.gasLimit ?? "by default"),
    baseFeePerGas: String(options.baseFeePerGas ?? "by default"),
    genesisNumber: String(options.genesisNumber ?? 0n),
    create2Deployer: String(options.create2Deployer ?? true),
    predeploy: [...(options.predeploy ?? [])].sort().join(" ") || "nothing",
  };
}

/** Nothing without accounts that are funded by their address, as in older data folders. */
function fundedSetting({ fundedAccounts = [], balance = DEV_BALANCE }: NodeOptions): Record<string, string> {
  if (fundedAccounts.length === 0) return {};
  const texts = fundedAccounts.map((account) => `${account.address.toLowerCase()}:${account.balance ?? balance}`);
  return { fundedAccounts: texts.join(" ") };
}

/** The later hardforks in one spelling and order; nothing for a chain without any, as in older data folders. */
function hardforkSetting({ hardforkAt = {} }: NodeOptions): Record<string, string> {
  const starts = Object.entries(hardforkAt).map(([name, start]) => `${parseHardfork(name)}:${start}`);
  return starts.length === 0 ? {} : { hardforkAt: starts.sort().join(" ") };
}
