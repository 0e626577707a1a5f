/** Options of a node, and the defaults of a development chain. */

import type { HardforkStarts } from "../../chainspec/genesis/later-hardforks.ts";
import type { PredeployName } from "../../chainspec/genesis/predeploys/predeploys.ts";
import type { HindcastError } from "../../errors/hindcast-error.ts";
import type { EngineLimits, EngineName } from "../../evm/engine.ts";
import type { MiningMode } from "../../miner/miner.ts";
import type { ResponseShape } from "../../rpc/encode/shape.ts";
import type { SimulationLimits } from "../../services/simulate/call/simulation.ts";
import type { TraceClient } from "../../services/simulate/trace/client.ts";
import type { TransactionOrder } from "../../txpool/price-order.ts";
import type { TxPoolLimits } from "../../txpool/tx-pool.ts";
import type { Dialect } from "./dialect.ts";
import type { ForkOptions } from "./fork-options.ts";

/** An account by its key. */
export interface AccountOptions {
  /** 32 bytes as DATA */
  readonly privateKey: string;
  /** wei; default the option `balance` */
  readonly balance?: bigint;
}

/** An address and its balance at the start. */
export interface FundedAccountOptions {
  /** 20 bytes as DATA */
  readonly address: string;
  /** wei; default the option `balance` */
  readonly balance?: bigint;
}

/** Servers of verified sources, and how long a request waits for them. */
export interface SourcesOptions {
  /** One or several, asked in this order. */
  readonly urls: string | readonly string[];
  /**
   * Milliseconds that a request waits for look-ups; default 2,000. What comes later is there for the next request.
   */
  readonly timeoutMs?: number;
}

/** A chain that other nodes may follow. */
export interface ShareOptions {
  /** Of at least 16 characters; the nodes that follow have to give it. */
  readonly token: string;
}

/** The node that is followed. */
export interface FollowOptions {
  /** http, https, ws or wss. */
  readonly url: string;
  /** The token of its option `share`; default: the password of the URL. */
  readonly token?: string;
}

/** A chain whose log is in PostgreSQL. The package `pg` has to be installed. */
export interface SharedOptions {
  /** postgres or postgresql, with the credentials of a user that may create the schema `hindcast`; a reader's may only read. */
  readonly url: string;
  /**
   * `writer` waits until no other node writes; `reader` follows; `standby`, the default, writes if no other node does, and
   * otherwise follows and takes over when the writer has ended.
   */
  readonly role?: "writer" | "reader" | "standby";
  /** Name of the chain in the database; default `hindcast`. */
  readonly chain?: string;
  /** Takes jobs of `hindcast jobs`. For readers; the package `pg-boss` has to be installed, in version 10. Default false. */
  readonly work?: boolean;
  /** The URL by which readers reach this node; default: where it listens first. */
  readonly address?: string;
  /** Milliseconds after which another node may take over from a writer, or do the jobs of a node, that gives no sign; default 10,000. */
  readonly leaseMs?: number;
  /** Bytes of changes after which the writer writes a base, and the log behind the base before is trimmed; default 256 MiB. */
  readonly baseAfterBytes?: number;
  /** Called once, when another node has taken over from this one. This one then refuses all requests: close it. */
  readonly onFenced?: (error: Error) => void;
}

/** Options of {@link createNode}. Everything may be left out. */
export interface NodeOptions {
  /** Folder of the chain; without it the chain is in memory. */
  readonly dataDir?: string;
  /**
   * geth's genesis.json, as text or parsed, instead of a development genesis. Such a node mines on request only,
   * unless `mining` is given. Numbers above 2^53 keep their digits in text; in parsed JSON they must be strings.
   */
  readonly genesis?: unknown;
  /**
   * Forks another chain at a block, instead of a genesis. Hardforks follow that chain, or `genesis` if it is given
   * too; `hardfork` sets that of new blocks. Accounts and storage are read from the other chain on demand.
   */
  readonly fork?: ForkOptions;
  /**
   * Lets other nodes follow this one: each has a copy of the chain and answers from it. Not for forks. Memory is no longer
   * freed by reverts, since the copies may need what was removed.
   */
  readonly share?: ShareOptions;
  /**
   * Follows another node that shares its chain: this one answers all queries, calls and traces from a copy, and forwards
   * what changes the chain. What the chain is comes from there.
   */
  readonly follow?: string | FollowOptions;
  /**
   * Has the chain in PostgreSQL: one node writes it, and any number follow. Not for forks. The folder, or memory, of each
   * node is a copy.
   */
  readonly shared?: SharedOptions;
  /** Hardfork of a development chain; default osaka. */
  readonly hardfork?: string;
  /**
   * Later hardforks of a development chain, and where they begin: `{ london: 100 }` at block 100. From Shanghai on at a
   * time: `{ amsterdam: 1791294816 }` at that timestamp. A number below 1,000,000,000 counts seconds from the first block:
   * `{ amsterdam: 1000 }`.
   */
  readonly hardforkAt?: HardforkStarts;
  /** Chain id of a development chain; default 31337. */
  readonly chainId?: bigint | number;
  /** Network id that net_version answers; default: the one of the forked chain's node, otherwise the chain id. */
  readonly networkId?: bigint | number;
  /** Number of accounts to derive, default 10; or accounts by their keys, instead of the mnemonic's. */
  readonly accounts?: number | readonly AccountOptions[];
  /** wei given to each account of a development chain that has no balance of its own; default 10,000 ETH. */
  readonly balance?: bigint;
  /** Addresses without a key in the node that have a balance from the start; such accounts are impersonated to send. */
  readonly fundedAccounts?: readonly FundedAccountOptions[];
  /** BIP-39 words; default: the mnemonic of Anvil and Hardhat. */
  readonly mnemonic?: string;
  /** Path of account i, without the i at its end; default m/44'/60'/0'/0/. */
  readonly derivationPath?: string;
  /** Gas limit of a development chain's blocks; default 30,000,000, and 200,000,000 if the chain reaches Amsterdam. */
  readonly gasLimit?: bigint | number;
  /** Base fee of a development chain's first block in wei per gas; default 1 gwei. */
  readonly baseFeePerGas?: bigint;
  /** Suggested gas price before London in wei; default 2 gwei. */
  readonly gasPrice?: bigint;
  /** Suggested tip in wei per gas; default 1 gwei. */
  readonly priorityFeePerGas?: bigint;
  /** Recipient of fees and rewards, 20 bytes as DATA; default the zero address. */
  readonly coinbase?: string;
  /** Mining mode; default `auto` on a development chain, `manual` with `genesis`. */
  readonly mining?: MiningMode;
  /** Timestamp of a development chain's first block in seconds; default now. Later time counts from there. */
  readonly timestamp?: bigint | number;
  /** Number of a development chain's first block, below 2^53; default zero. */
  readonly genesisNumber?: bigint | number;
  /** Returns the current time in seconds, for reproducible histories; default: the system clock. */
  readonly clock?: () => bigint | number;
  /**
   * Contracts with mainnet's code at their well-known addresses: `multicall3`, `create2`, `entrypoint` (ERC-4337's, of
   * version 0.7) and `permit2`. On a fork, only addresses without code on the other chain get one.
   */
  readonly predeploy?: readonly PredeployName[];
  /** Predeploy the CREATE2 deployer on a development chain; default true. */
  readonly create2Deployer?: boolean;
  /** Distance of `safe` from the head in blocks; `finalized` has twice that. Default 32. */
  readonly slotsInAnEpoch?: bigint | number;
  /** Shape of the in-process provider's answers; default `standard`. */
  readonly responseShape?: ResponseShape;
  /**
   * The client that `trace_*` follows, to test an indexer against that client's traces; default `hindcast`, which
   * combines their choices.
   */
  readonly traceClient?: TraceClient;
  /**
   * Development node whose behaviour is followed, where the nodes differ: `anvil`, `hardhat` or `ganache`; default `hindcast`. It
   * never changes state, gas, hashes or `trace_*`.
   */
  readonly dialect?: Dialect;
  /**
   * EVM engine: Hindcast's own in WebAssembly (`wasm`, the default), or EthereumJS' (`ethereumjs`), which is much
   * slower and serves to check the first.
   */
  readonly engine?: EngineName;
  /**
   * Answer of `web3_clientVersion`; default `anvil/hindcast/v`, the version and the engine. Hardhat's network helpers
   * accept only nodes whose name begins with a known one, such as `anvil`.
   */
  readonly clientVersion?: string;
  /** Order of transactions in a block: best price first (`fees`, the default) or earliest arrival first (`fifo`). */
  readonly transactionOrder?: TransactionOrder;
  /**
   * Whether a transaction that fails when it is mined is answered with the error of the call, as Hardhat does; default
   * false: it is answered with its hash.
   */
  readonly throwOnTransactionFailures?: boolean;
  /**
   * A block may have its parent's timestamp; default false, as the consensus rules require. Other nodes do not import such a chain.
   */
  readonly allowBlocksWithSameTimestamp?: boolean;
  /** Every address may send transactions without a key; default false. */
  readonly autoImpersonate?: boolean;
  /**
   * Folders of Hardhat (`artifacts`) or Foundry (`out`), one or several: names and sources of contracts. Each is read on
   * first use, and may be written later.
   */
  readonly artifacts?: string | readonly string[];
  /**
   * Servers of verified sources with Sourcify's API, version 2, such as `https://sourcify.dev/server`: contracts that no
   * artifact describes are looked up there, by chain id and address. Default: none.
   */
  readonly sources?: string | readonly string[] | SourcesOptions;
  /** Appends the Solidity stack trace to messages of failed calls, in separate lines; default false. */
  readonly solidityStack?: boolean;
  /** Most bytes of a contract's code, and half of the limit of init code; default: the hardfork's. */
  readonly codeSizeLimit?: number;
  /**
   * EIP-7825's cap of 16,777,216 gas per transaction, from Osaka on, also for transactions sent to the node; default
   * false, as in Anvil. It always applies to imported blocks.
   */
  readonly transactionGasCap?: boolean;
  /** Most transactions of a block that is filled from the pool; default: limited only by gas. */
  readonly maxTransactions?: number;
  /**
   * The pool accepts only transactions that their sender can pay for; default true. If false, such a transaction waits
   * until its sender can.
   */
  readonly poolBalanceChecks?: boolean;
  /** Limits of the transaction pool; default 50,000 transactions, 10,000 of one sender, 512 blobs. */
  readonly poolLimits?: Partial<TxPoolLimits>;
  /**
   * Limits of calls and traces; of the blocks that one request may mine (default 100,000); of executions: bytes of
   * memory for one (default 256 MiB; 2 GiB for imported blocks), how many may be open (default 256) and wait (default 1,024); and of state files:
   * bytes unpacked (default 512 MiB) and values (default 2,000,000).
   */
  readonly limits?: Partial<SimulationLimits & EngineLimits>;
  /**
   * Memory for caches of state, blocks, receipts, traces and recordings of steps, in bytes and estimated; default
   * 384 MiB. What is not cached is read or executed again.
   */
  readonly maxCacheBytes?: number;
  /** Most requests in one JSON-RPC batch; default 1,000. */
  readonly maxBatchLength?: number;
  /** Most values in the params of one JSON-RPC request: lists, objects, texts, numbers and literals; default 10,000. */
  readonly maxRequestValues?: number;
  /** Called after each answered JSON-RPC request; the method's name is empty if the request could not be read. */
  readonly onRequest?: (method: string, error: HindcastError | undefined) => void;
  /**
   * Called when a request has run for five seconds, and every five seconds after that. Not for calls of the node's own
   * methods.
   */
  readonly onSlowRequest?: (method: string, elapsedMs: number) => void;
  /**
   * Called for each block that is made for a request of several, before they are written: with the blocks so far and
   * the total.
   */
  readonly onMiningProgress?: (blocks: number, total: number) => void;
  /**
   * Called with a sentence for the person who runs the node: a server refuses a client by Host or Origin; a transaction
   * waits for an earlier nonce although automine is on; an interval of mining is so long that milliseconds may be meant;
   * the journal of a data folder ended with an incomplete record.
   */
  readonly onNotice?: (notice: string) => void;
  /**
   * Called with errors that no caller gets: from interval mining, from listeners, from answers that break off; default: ignored.
   */
  readonly onError?: (error: unknown) => void;
}

/** Options of {@link HindcastNode.listen}. */
export interface ListenOptions {
  /** Default 8545; 0 takes a free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Host names accepted in the Host header in addition to local ones; `*` accepts any. */
  readonly allowedHosts?: readonly string[];
  /** Browser origins accepted in addition to localhost; `*` accepts any. */
  readonly allowedOrigins?: readonly string[];
  /** Accepts browser pages on localhost; default true. */
  readonly allowsLocalOrigins?: boolean;
  /** Largest request body in bytes. */
  readonly maxBodyBytes?: number;
  /**
   * Whether a browser that opens the address sees the explorer; default true. Without, it sees the list of methods. With
   * "read-only" the explorer has no controls that change the chain. The methods themselves stay open to all clients.
   */
  readonly explorer?: boolean | "read-only";
  /**
   * Whether `GET /sourcify/…` gives the sources of contracts that the node knows, as a server of Sourcify does; default true.
   */
  readonly sourcify?: boolean;
}

/** Options of {@link HindcastNode.listenIpc}. */
export interface ListenIpcOptions {
  /** Path of the socket file; a named pipe on Windows. The file of a killed node is replaced. */
  readonly path: string;
  /** Largest request in bytes; default 10 MiB. */
  readonly maxRequestBytes?: number;
}
