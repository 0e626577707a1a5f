/** What a node is made from, with the defaults that a development chain has. */

import type { PredeployName } from "../../chainspec/genesis/predeploys/predeploys.ts";
import type { HindcastError } from "../../errors/hindcast-error.ts";
import type { EngineLimits, EngineName } from "../../evm/engine.ts";
import type { MiningMode } from "../../miner/miner.ts";
import type { ResponseShape } from "../../rpc/encode/shape.ts";
import type { SimulationLimits } from "../../services/simulate/call/simulation.ts";
import type { TraceClient } from "../../services/simulate/trace/client.ts";
import type { TransactionOrder } from "../../txpool/price-order.ts";
import type { TxPoolLimits } from "../../txpool/tx-pool.ts";
import type { ForkOptions } from "./fork-options.ts";

/** An account by its key. */
export interface AccountOptions {
  /** 32 bytes as DATA */
  readonly privateKey: string;
  /** wei; default the option `balance` */
  readonly balance?: bigint;
}

/** Options of {@link createNode}. Everything may be left out. */
export interface NodeOptions {
  /** Folder that keeps the chain; without it the chain lives in memory. */
  readonly dataDir?: string;
  /**
   * geth's genesis.json, as text or parsed: the chain starts from it instead of a development genesis. Such a node does
   * not mine by itself unless `mining` says so. Numbers above 2^53 keep their digits in the text; in parsed JSON they
   * have to be strings.
   */
  readonly genesis?: unknown;
  /**
   * Goes on from a block of another chain instead of a genesis. Its hardforks follow that chain, or `genesis` if that is
   * given too; a `hardfork` rules what is mined. Accounts and storage are read from the other chain as they are needed.
   */
  readonly fork?: ForkOptions;
  /** Hardfork of a development chain; default osaka. */
  readonly hardfork?: string;
  /** Chain id of a development chain; default 31337. */
  readonly chainId?: bigint | number;
  /** How many accounts to derive, default 10; or accounts by their keys, instead of the mnemonic's. */
  readonly accounts?: number | readonly AccountOptions[];
  /** wei given to each account of a development chain that has no balance of its own; default 10,000 ETH. */
  readonly balance?: bigint;
  /** BIP-39 words; default the mnemonic that Anvil and Hardhat use. */
  readonly mnemonic?: string;
  /** Account i is at this path with i appended; default m/44'/60'/0'/0/. */
  readonly derivationPath?: string;
  /** Gas limit of a development chain's blocks; default 30,000,000. */
  readonly gasLimit?: bigint | number;
  /** Base fee of a development chain's first block in wei per gas; default 1 gwei. */
  readonly baseFeePerGas?: bigint;
  /** Suggested gas price before London in wei; default 2 gwei. */
  readonly gasPrice?: bigint;
  /** Suggested tip in wei per gas; default 1 gwei. */
  readonly priorityFeePerGas?: bigint;
  /** Recipient of fees and rewards, 20 bytes as DATA; default the zero address. */
  readonly coinbase?: string;
  /** When blocks are made; default `auto` on a development chain, `manual` with `genesis`. */
  readonly mining?: MiningMode;
  /** Timestamp of a development chain's first block in seconds; default now. Time goes on from there. */
  readonly timestamp?: bigint | number;
  /** Seconds now, for histories that are the same on every machine; default the wall clock. */
  readonly clock?: () => bigint | number;
  /**
   * Contracts with mainnet's code at their well-known addresses: `multicall3`, `create2`, `entrypoint` (ERC-4337's, of
   * version 0.7) and `permit2`. On a fork only where the other chain has none there.
   */
  readonly predeploy?: readonly PredeployName[];
  /** Predeploy the CREATE2 deployer on a development chain; default true. */
  readonly create2Deployer?: boolean;
  /** Blocks by which `safe` trails a mining chain's head, `finalized` twice that; default 32. */
  readonly slotsInAnEpoch?: bigint | number;
  /** Shape of the in-process provider's answers; default `standard`. */
  readonly responseShape?: ResponseShape;
  /**
   * Whose quirks `trace_*` shows, to test an indexer against the client it will meet; default `hindcast`, our own choice
   * where clients differ.
   */
  readonly traceClient?: TraceClient;
  /**
   * What runs code: Hindcast's own core in WebAssembly (`wasm`, the default), or EthereumJS' EVM (`ethereumjs`), which is
   * many times slower and serves to check the other.
   */
  readonly engine?: EngineName;
  /**
   * What `web3_clientVersion` answers; default `anvil/hindcast/v`, the version and the engine. Hardhat's network helpers
   * take only names that they know, such as `anvil`, at its beginning.
   */
  readonly clientVersion?: string;
  /** Which transactions a block takes first: best price (`fees`, the default) or earliest arrival (`fifo`). */
  readonly transactionOrder?: TransactionOrder;
  /**
   * Sending a transaction that is mined and fails answers with the error that its call would have, as Hardhat does;
   * default false: with its hash.
   */
  readonly throwOnTransactionFailures?: boolean;
  /**
   * A block may have its parent's timestamp; default false, as consensus has it. Other nodes do not import such a chain.
   */
  readonly allowBlocksWithSameTimestamp?: boolean;
  /** Every address may send transactions without a key; default false. */
  readonly autoImpersonate?: boolean;
  /** Messages of failed calls go on with their Solidity stack trace, in lines of their own; default false. */
  readonly solidityStack?: boolean;
  /** Bytes of code that a contract may have, and half of what init code may have; default as the hardfork has it. */
  readonly codeSizeLimit?: number;
  /**
   * EIP-7825's cap of 16,777,216 gas a transaction, from Osaka on, also for what is sent to the node; default false, as in
   * Anvil. Imported blocks obey it in any case.
   */
  readonly transactionGasCap?: boolean;
  /** Most transactions of a block that is filled from the pool; default: as many as its gas limit allows. */
  readonly maxTransactions?: number;
  /** The pool takes only what its sender can pay for; default true. Without it such a transaction waits until it can. */
  readonly poolBalanceChecks?: boolean;
  /** Bounds of the transaction pool; default 50,000 transactions, 10,000 of one sender, 512 blobs. */
  readonly poolLimits?: Partial<TxPoolLimits>;
  /**
   * Bounds of calls and traces, of how many blocks one request may have mined (default 100,000), of what executions take
   * of the process: memory of one in bytes (default 256 MiB), how many may stand at a time (default 256) and how many may
   * wait (default 1,024); and of state files: bytes unpacked (default 512 MiB) and values (default 2,000,000).
   */
  readonly limits?: Partial<SimulationLimits & EngineLimits>;
  /** Most requests in one JSON-RPC batch; default 1,000. */
  readonly maxBatchLength?: number;
  /** Hears of every JSON-RPC request that was answered; with an empty name of one that could not be read. */
  readonly onRequest?: (method: string, error: HindcastError | undefined) => void;
  /** Hears of a request that has run for five seconds, and again every five seconds; of those that are answered alone. */
  readonly onSlowRequest?: (method: string, elapsedMs: number) => void;
  /** Hears of each block that is made for a request of several, before they are written: how many there are, of how many. */
  readonly onMiningProgress?: (blocks: number, total: number) => void;
  /** Hears of clients that a server of this node lets not in, by Host or Origin: a sentence with the flag that helps. */
  readonly onRefused?: (reason: string) => void;
  /**
   * Hears of what no caller is told, or not enough of: failures of interval mining, listeners that throw, answers that
   * break half way; default: ignored.
   */
  readonly onError?: (error: unknown) => void;
}

/** Options of {@link HindcastNode.listen}. */
export interface ListenOptions {
  /** Default 8545; 0 takes a free one. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Host names accepted in the Host header beside local ones; `*` accepts any. */
  readonly allowedHosts?: readonly string[];
  /** Browser origins accepted beside localhost; `*` accepts any. */
  readonly allowedOrigins?: readonly string[];
  /** Whether pages on localhost are let in; default true. */
  readonly allowsLocalOrigins?: boolean;
  /** Largest request body in bytes. */
  readonly maxBodyBytes?: number;
  /** Whether a browser that opens the address sees the explorer; default true. Without, it sees the list of methods. */
  readonly explorer?: boolean;
}

/** Options of {@link HindcastNode.listenIpc}. */
export interface ListenIpcOptions {
  /** Path of the socket file; a named pipe on Windows. A file that a killed node left there is replaced. */
  readonly path: string;
  /** Largest request in bytes; default 10 MiB. */
  readonly maxRequestBytes?: number;
}
