/**
 * The members of the network in Hardhat's configuration: those that the plugin takes, and those that are refused. Hardhat
 * would leave the latter out without a word, because it takes the network for one over HTTP.
 */
import type { HindcastNode } from "../../node/hindcast-node.ts";
import type { NodeOptions } from "../../node/options/options.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";

/** A value that Hardhat reads when it is used, such as a configuration variable. */
interface Variable {
  get(): Promise<string>;
  getHexString(): Promise<string>;
}

/** Accounts that are derived from a mnemonic. */
interface DerivedAccounts {
  readonly mnemonic: Variable;
  readonly count: number;
  readonly path: string;
}

/** The network of a connection as Hardhat has read it. */
export interface NetworkConfig {
  readonly chainId?: number;
  readonly accounts?: "remote" | readonly Variable[] | DerivedAccounts;
  readonly from?: string;
  readonly gas?: "auto" | bigint;
  readonly gasPrice?: "auto" | bigint;
}

/** An error as `validateUserConfig` of a plugin returns it. */
export interface ConfigError {
  readonly path: readonly string[];
  readonly message: string;
}

/** Members of Hardhat's own networks, and the option of the plugin that does the same, if there is one. */
const REFUSED: Readonly<Record<string, string | undefined>> = {
  allowBlocksWithSameTimestamp: "allowBlocksWithSameTimestamp",
  allowUnlimitedContractSize: "codeSizeLimit",
  blockGasLimit: "gasLimit",
  coinbase: "coinbase",
  forking: "fork",
  gasEstimationMode: undefined,
  gasMultiplier: undefined,
  hardfork: "hardfork",
  initialBaseFeePerGas: "baseFeePerGas",
  initialDate: "timestamp",
  loggingEnabled: "onRequest",
  minGasPrice: "gasPrice",
  mining: "mining",
  networkId: "networkId",
  throwOnCallFailures: undefined,
  throwOnTransactionFailures: "throwOnTransactionFailures",
  transactionGasCap: "transactionGasCap",
};

/** Members of networks over HTTP, which say how requests are sent. */
const OF_HTTP = ["httpHeaders", "timeout"] as const;

/** The errors of a network that a user has configured. */
export function networkErrors(network: unknown, name: string): readonly ConfigError[] {
  if (typeof network !== "object" || network === null) return [];
  const members = network as Readonly<Record<string, unknown>>;
  const errors = Object.keys(REFUSED)
    .filter((member) => members[member] !== undefined)
    .map((member) => ({ path: ["networks", name, member], message: refusal(REFUSED[member]) }));
  for (const member of OF_HTTP.filter((each) => members[each] !== undefined)) {
    const message = "The plugin hindcast runs this network in the same process and sends no request. Leave it out.";
    errors.push({ path: ["networks", name, member], message });
  }
  if (members.type === undefined || members.type === "http")
    return [...errors, ...accountErrors(members.accounts, name)];
  const message = 'The plugin hindcast runs this network, so its type is "http". Leave it out.';
  return [...errors, { path: ["networks", name, "type"], message }];
}

function refusal(option: string | undefined): string {
  const subject = "The network of the plugin hindcast does not have this member";
  return option === undefined
    ? `${subject}. Leave it out.`
    : `${subject}. Give the plugin the option ${option} instead.`;
}

function accountErrors(accounts: unknown, name: string): readonly ConfigError[] {
  if (typeof accounts !== "object" || accounts === null) return [];
  const { initialIndex, passphrase } = accounts as Readonly<Record<string, unknown>>;
  const path = ["networks", name, "accounts"];
  return [
    ...(initialIndex === undefined || initialIndex === 0 ? [] : ["initialIndex"]),
    ...(passphrase === undefined || passphrase === "" ? [] : ["passphrase"]),
  ].map((member) => ({
    path: [...path, member],
    message:
      "The plugin hindcast derives accounts from the first one on, without a passphrase. Give their private keys.",
  }));
}

/** The node's options that a network has. They come before those of the plugin, because a connection may override them. */
export async function optionsOf({ chainId, accounts }: NetworkConfig): Promise<NodeOptions> {
  return { ...(chainId === undefined ? {} : { chainId }), ...(await accountsOf(accounts)) };
}

/**
 * The network of a connection as other plugins read it: as one whose chain ends with the connection. Otherwise Ignition
 * would keep its deployments for the next run, and the signers of hardhat-ethers could not sign authorizations.
 */
export function inProcess(network: NetworkConfig, { accounts }: Pick<HindcastNode, "accounts">): object {
  return {
    ...network,
    type: "edr-simulated",
    accounts: accounts.map(({ privateKey }) => ({ privateKey: { get: async () => encodeData(privateKey) } })),
  };
}

async function accountsOf(accounts: NetworkConfig["accounts"]): Promise<NodeOptions> {
  if (accounts === undefined || accounts === "remote") return {};
  if (!("mnemonic" in accounts)) {
    const keys = await Promise.all(accounts.map((key) => key.getHexString()));
    return { accounts: keys.map((privateKey) => ({ privateKey })) };
  }
  const { mnemonic, count, path } = accounts;
  return { mnemonic: await mnemonic.get(), accounts: count, derivationPath: path };
}
