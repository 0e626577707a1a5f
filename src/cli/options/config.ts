/** `hindcast/config`: types of the configuration file, and a helper to check it. */

/** A whole number; as bigint or text if it may exceed 2^53. */
type Integer = number | bigint | string;

/**
 * Members of `hindcast.config.ts`, `.js`, `.mjs` or `.json`: the long flags of the command line in camel case, with the
 * same units. Flags and environment variables take precedence. Relative paths start at the working folder.
 */
export interface HindcastConfig {
  /** 0 takes a free port. */
  readonly port?: number;
  readonly host?: string;
  readonly allowOrigin?: string | readonly string[];
  readonly allowHost?: string | readonly string[];
  readonly noCors?: boolean;
  /** A path, or true for the default one. */
  readonly ipc?: string | boolean;
  readonly maxBodyBytes?: number;
  readonly noRequestSizeLimit?: boolean;
  readonly maxCacheBytes?: number;
  readonly maxBatchLength?: number;
  readonly maxRequestValues?: number;
  readonly traceClient?: "hindcast" | "openethereum" | "reth" | "erigon";
  readonly dialect?: "hindcast" | "anvil" | "hardhat" | "ganache";
  readonly engine?: "wasm" | "ethereumjs";
  readonly clientVersion?: string;
  readonly noExplorer?: boolean;
  readonly noSourcify?: boolean;
  readonly explorerReadOnly?: boolean;
  readonly open?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly color?: "auto" | "always" | "never";
  /** 0 to 5, as in Foundry: 3 prints the call trees of failures, 4 all call trees. */
  readonly verbosity?: number | boolean;
  readonly printTraces?: boolean;
  readonly disableConsoleLog?: boolean;
  /** Folders of Hardhat (`artifacts`) or Foundry (`out`). */
  readonly artifacts?: string | readonly string[];
  /** Servers of verified sources with Sourcify's API, version 2. */
  readonly sources?: string | readonly string[];
  /** Path of an lcov tracefile, written when the node stops. */
  readonly coverage?: string;

  readonly accounts?: number;
  /** Private keys instead of the mnemonic's, each with `=` and its ETH if it has a balance of its own. */
  readonly account?: string | readonly string[];
  /** ETH per account */
  readonly balance?: number | string;
  /** Addresses, each with `:` and its ETH if its balance is another one. */
  readonly fundAccounts?: string | readonly string[];
  readonly mnemonic?: string;
  /** Number of words, or true for 12. */
  readonly mnemonicRandom?: number | boolean;
  readonly mnemonicSeedUnsafe?: Integer;
  readonly derivationPath?: string;
  readonly chainId?: Integer;
  readonly networkId?: Integer;
  readonly hardfork?: string;
  /** Such as "amsterdam:1000". */
  readonly hardforkAt?: string | readonly string[];
  readonly gasLimit?: Integer;
  readonly disableBlockGasLimit?: boolean;
  /** bytes */
  readonly codeSizeLimit?: number;
  readonly disableCodeSizeLimit?: boolean;
  readonly enableTxGasLimit?: boolean;
  /** wei per gas */
  readonly gasPrice?: Integer;
  /** wei per gas */
  readonly blockBaseFeePerGas?: Integer;
  readonly disableMinPriorityFee?: boolean;
  /** seconds */
  readonly timestamp?: Integer;
  /** Number of the first block. */
  readonly number?: Integer;
  /** Of multicall3, create2, entrypoint and permit2. */
  readonly predeploy?: string | readonly string[];
  readonly disableDefaultCreate2Deployer?: boolean;
  readonly autoImpersonate?: boolean;
  readonly solidityStack?: boolean;

  /** http(s) and ws(s) URLs, or paths of socket files. */
  readonly forkUrl?: string | readonly string[];
  /** A negative number counts back from the newest block. */
  readonly forkBlockNumber?: Integer;
  readonly forkBlockHash?: string;
  readonly forkTransactionHash?: string;
  readonly forkChainId?: Integer;
  /** Such as "Authorization: Bearer …". */
  readonly forkHeader?: string | readonly string[];
  readonly forkVerify?: boolean;
  readonly offline?: boolean;
  /** milliseconds */
  readonly timeout?: number;
  readonly retries?: number;
  /** milliseconds */
  readonly forkRetryBackoff?: number;
  readonly computeUnitsPerSecond?: number;
  readonly traceUpstream?: boolean;
  readonly noStorageCaching?: boolean;
  readonly cachePath?: string;

  readonly share?: boolean;
  /** http(s) or ws(s). */
  readonly follow?: string;
  /** At least 16 characters. */
  readonly shareToken?: string;
  /** postgres or postgresql. */
  readonly shared?: string;
  readonly role?: "writer" | "reader" | "standby";
  readonly chain?: string;
  /** http(s). */
  readonly sharedAddress?: string;
  /** milliseconds */
  readonly sharedLease?: number;
  readonly work?: boolean;

  readonly automine?: boolean;
  /** seconds */
  readonly blockTime?: number | string;
  readonly mixedMining?: boolean;
  readonly noMining?: boolean;
  readonly order?: "fees" | "fifo";
  readonly slotsInAnEpoch?: number;
  readonly coinbase?: string;
  readonly maxTransactions?: number;
  readonly throwOnTransactionFailures?: boolean;
  readonly allowBlocksWithSameTimestamp?: boolean;
  readonly disablePoolBalanceChecks?: boolean;

  readonly callGasLimit?: Integer;
  /** milliseconds */
  readonly callTimeout?: number;
  /** milliseconds */
  readonly traceTimeout?: number;
  readonly traceFilterBlocks?: number;
  readonly minedBlocks?: number;
  /** milliseconds */
  readonly waitTimeout?: number;
  /** bytes */
  readonly stateFileBytes?: number;
  readonly stateFileValues?: number;
  /** bytes */
  readonly recordingMemory?: number;
  /** bytes */
  readonly executionMemory?: number;
  /** bytes */
  readonly importMemory?: number;
  readonly concurrentExecutions?: number;
  readonly queuedExecutions?: number;

  readonly genesis?: string;
  readonly import?: string;
  readonly export?: string;
  readonly dataDir?: string;
  readonly state?: string;
  readonly loadState?: string;
  readonly dumpState?: string;
  /** seconds */
  readonly stateInterval?: number | string;
  readonly configOut?: string;
}

/** Returns its argument; the compiler checks the type. */
export function defineConfig(config: HindcastConfig): HindcastConfig {
  return config;
}
