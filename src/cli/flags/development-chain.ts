/** Options for accounts, rules and first block of a development chain. */

import { PREDEPLOY_NAMES, type PredeployName } from "../../chainspec/genesis/predeploys/predeploys.ts";
import { HARDFORKS } from "../../chainspec/hardforks/hardforks.ts";
import { MAXIMUM_GAS_LIMIT, MINIMUM_GAS_LIMIT } from "../../chainspec/header/gas-limit.ts";
import { MAX_ACCOUNTS } from "../../keyring/dev-accounts.ts";
import type { AccountOptions, FundedAccountOptions } from "../../node/options/options.ts";
import { MAX_UINT64 } from "../../primitives/bytes/limits.ts";
import { once } from "../../primitives/once.ts";
import type { FlagsOf } from "./flag.ts";
import {
  accountKeys,
  ether,
  fundedAddresses,
  type HardforkStart,
  hardfork,
  hardforkStarts,
  integer,
  oneOf,
  someOf,
  timestamp,
  wholeNumber,
  words,
} from "./option-values.ts";

const mnemonicWords = once(() => oneOf(["12", "15", "18", "21", "24"])().transform(Number));

/** Values by option; the type `Config` makes all of them optional. */
export interface ChainValues {
  readonly accounts: number;
  readonly account: readonly AccountOptions[];
  /** wei */
  readonly balance: bigint;
  readonly fundAccounts: readonly FundedAccountOptions[];
  readonly mnemonic: string;
  readonly mnemonicRandom: number | boolean;
  readonly mnemonicSeedUnsafe: bigint;
  readonly derivationPath: string;
  readonly chainId: bigint;
  readonly networkId: bigint;
  readonly hardfork: string;
  readonly hardforkAt: readonly HardforkStart[];
  readonly gasLimit: bigint;
  readonly disableBlockGasLimit: boolean;
  readonly codeSizeLimit: number;
  readonly disableCodeSizeLimit: boolean;
  readonly enableTxGasLimit: boolean;
  /** wei per gas */
  readonly gasPrice: bigint;
  /** wei per gas */
  readonly blockBaseFeePerGas: bigint;
  readonly disableMinPriorityFee: boolean;
  /** seconds */
  readonly timestamp: bigint;
  readonly number: bigint;
  readonly autoImpersonate: boolean;
  readonly predeploy: readonly PredeployName[];
  readonly disableDefaultCreate2Deployer: boolean;
}

/** In the order in which the help lists them, as in every group. */
export const CHAIN_FLAGS: FlagsOf<ChainValues> = {
  accounts: {
    flags: "-a, --accounts <number>",
    help: "funded accounts (default: 10)",
    shape: wholeNumber(0, MAX_ACCOUNTS),
  },
  account: {
    flags: "--account <key=eth>",
    help: "private key of an account, perhaps with its balance (default: the mnemonic's)",
    shape: accountKeys,
    isText: true,
    isList: true,
  },
  balance: {
    flags: "--balance <eth>",
    help: "balance of each account (default: 10000)",
    shape: ether,
  },
  fundAccounts: {
    flags: "--fund-accounts <address:eth...>",
    help: "addresses that have a balance too, as in Anvil (default: none)",
    shape: fundedAddresses,
    isText: true,
    isList: true,
  },
  mnemonic: {
    flags: "-m, --mnemonic <words>",
    help: `mnemonic of the accounts' keys (default: "test … test junk")`,
    shape: words,
    isText: true,
  },
  mnemonicRandom: {
    flags: "--mnemonic-random [words]",
    help: "a new mnemonic of 12 to 24 words at each start (default: off)",
    shape: mnemonicWords,
  },
  mnemonicSeedUnsafe: {
    flags: "--mnemonic-seed-unsafe <number>",
    help: "mnemonic derived from a number, as in Anvil (default: off)",
    shape: integer(0n, MAX_UINT64),
  },
  derivationPath: {
    flags: "--derivation-path <path>",
    help: "path of the keys, without the index (default: m/44'/60'/0'/0/)",
    shape: words,
    isText: true,
  },
  chainId: {
    flags: "--chain-id <id>",
    help: "chain id (default: 31337)",
    shape: integer(1n),
  },
  networkId: {
    flags: "--network-id <id>",
    help: "id that net_version answers (default: the chain id; on a fork, that chain's)",
    shape: integer(1n),
  },
  hardfork: {
    flags: "--hardfork <name>",
    help: `one of ${["frontier", ...HARDFORKS.slice(1)].join(", ")} (default: osaka)`,
    shape: hardfork,
    isText: true,
  },
  hardforkAt: {
    flags: "--hardfork-at <name:start>",
    help: "a later hardfork, and the block or time at which it starts (default: none)",
    shape: hardforkStarts,
    isText: true,
    isList: true,
  },
  gasLimit: {
    flags: "--gas-limit <gas>",
    help: "block gas limit (default: 30000000; 200000000 for amsterdam)",
    shape: integer(MINIMUM_GAS_LIMIT, MAXIMUM_GAS_LIMIT),
  },
  disableBlockGasLimit: {
    flags: "--disable-block-gas-limit",
    help: "set the block gas limit to its maximum, 2^63-1 (default: off)",
  },
  codeSizeLimit: {
    flags: "--code-size-limit <bytes>",
    help: "longest code; init code may have twice that (default: the hardfork's, 24576)",
    shape: wholeNumber(1, 2 ** 30),
  },
  disableCodeSizeLimit: {
    flags: "--disable-code-size-limit",
    help: "no limit on the length of code (default: off)",
  },
  enableTxGasLimit: {
    flags: "--enable-tx-gas-limit",
    help: "at most 16777216 gas a transaction from Osaka on (EIP-7825); imported blocks always have this limit (default: off)",
    aliases: ["--tx-gas-limit"],
  },
  gasPrice: {
    flags: "--gas-price <wei>",
    help: "gas price suggested before London (default: 2000000000)",
    shape: integer(),
  },
  blockBaseFeePerGas: {
    flags: "--block-base-fee-per-gas <wei>",
    help: "base fee of the first block; also --base-fee (default: 1000000000)",
    shape: integer(),
    aliases: ["--base-fee"],
  },
  disableMinPriorityFee: {
    flags: "--disable-min-priority-fee",
    help: "suggest no tip instead of 1 gwei (default: off)",
    aliases: ["--no-priority-fee"],
  },
  timestamp: {
    flags: "--timestamp <seconds>",
    help: "time of the first block (default: now)",
    shape: timestamp,
  },
  number: {
    flags: "--number <number>",
    help: "number of the first block (default: 0)",
    shape: integer(0n, BigInt(Number.MAX_SAFE_INTEGER)),
  },
  autoImpersonate: {
    flags: "--auto-impersonate",
    help: "any address may send without a key (default: off)",
    aliases: ["--auto-unlock"],
  },
  predeploy: {
    flags: "--predeploy <names>",
    help: `contracts: ${PREDEPLOY_NAMES.join(", ")} (default: create2)`,
    shape: someOf(PREDEPLOY_NAMES),
    isText: true,
    isList: true,
  },
  disableDefaultCreate2Deployer: {
    flags: "--disable-default-create2-deployer",
    help: "do not deploy the CREATE2 deployer (default: off)",
    aliases: ["--no-create2"],
  },
};
