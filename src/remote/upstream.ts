/**
 * Read-only access to the chain of another node.
 *
 * Takes URLs or an EIP-1193 provider. Gives answers as JSON ({@link Upstream}), and state and history at one pinned
 * block ({@link RemoteChain}, {@link PinnedState}). It knows nothing of state views, the store and our own JSON-RPC
 * methods.
 */

import type { EvmAccount, StateReader } from "../evm/state-port.ts";
import type { AbortState } from "../primitives/abort-state.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { Hex } from "../primitives/bytes/hex.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";

/** One read-only call. */
export interface UpstreamCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Options of one call. */
export interface RequestOptions {
  /** Aborts the wait. A call that nobody waits for any more is not sent, or is abandoned. */
  readonly signal?: AbortState | undefined;
  /** Milliseconds that a node that does not know the block gets to learn of it. */
  readonly lagMs?: number | undefined;
  /** Called with the label of the node that answered. */
  readonly onAnsweredBy?: ((label: string) => void) | undefined;
}

/** Options of {@link RemoteChain.history}. */
export interface HistoryOptions extends RequestOptions {
  /**
   * With `verify`: the reason why the answer is false or cannot be checked, or undefined. An answer without a problem is
   * proven; others are not cached.
   */
  readonly check?: ((answer: unknown) => string | undefined) | undefined;
  /** False if the answer must not be cached; default true. */
  readonly isCached?: boolean | undefined;
  /** Answers null if the node does not serve the method, which is cached too; default false. */
  readonly mayBeMissing?: boolean | undefined;
}

/** Statistics of requests. */
export interface UpstreamStats {
  /** Number of calls sent, including those in batches and repetitions. */
  readonly requests: number;
  /** Number of HTTP requests, messages, or provider calls. */
  readonly roundTrips: number;
  /** Number of repeated calls. */
  readonly retries: number;
  /** Number of times that the node asked for a slower pace. */
  readonly rateLimited: number;
}

/** An upstream node, or several of the same chain. */
export interface Upstream {
  /** Name without secrets: the host of the first URL, or "provider". */
  readonly label: string;
  readonly stats: UpstreamStats;
  /**
   * The answer of one call as JSON. Calls of the same turn of the event loop are sent together.
   *
   * @throws {RemoteError} `REMOTE_UNREACHABLE`, `REMOTE_RATE_LIMITED`, `REMOTE_BLOCK_UNKNOWN`, `REMOTE_STATE_PRUNED`,
   * `REMOTE_METHOD_MISSING`, `REMOTE_BAD_ANSWER`, or `REMOTE_REFUSED` for any other error of the node, which is its
   * `data`
   * @throws {unknown} the signal's reason when it aborts
   */
  request(method: string, params: readonly unknown[], options?: RequestOptions): Promise<unknown>;
  /** Aborts calls in flight and closes connections. */
  close(): Promise<void>;
}

/** A block of the upstream node. */
export interface RemoteBlockId {
  readonly number: bigint;
  /** 32 bytes */
  readonly hash: Bytes;
  /** 32 bytes; required to verify accounts and slots. */
  readonly stateRoot?: Bytes | undefined;
  /** seconds; used to name the age of the block in errors */
  readonly timestamp?: bigint | undefined;
}

/** An account of a remote state. */
export interface RemoteAccount extends EvmAccount {
  /** 32 bytes; root of its storage trie, if known from a proof */
  readonly storageRoot?: Bytes | undefined;
}

/** An account and some of its slots, 20 and 32 bytes each. */
export interface StateKeys {
  readonly address: Bytes;
  readonly slots: readonly Bytes[];
}

/**
 * The state after a block of the upstream node. It never changes, so values are cached in memory and on disk.
 *
 * Reads of the same turn of the event loop are sent together; equal reads share a request. Cached values are
 * returned synchronously. An account with zero nonce, zero balance and no code is absent. A failed read is repeated by
 * the next one.
 */
export interface PinnedState extends StateReader {
  readonly block: RemoteBlockId;
  /** The account; undefined if it is absent. Its code is fetched with it. */
  getAccount(address: Bytes): MaybePromise<RemoteAccount | undefined>;
  /** True if the account is known to have a nonzero slot; false if the node cannot prove it. */
  hasStorage(address: Bytes): MaybePromise<boolean>;
  /** True if a read of the account, or of its slot, would be synchronous. */
  isKnown(address: Bytes, slot?: Bytes): boolean;
  /**
   * Fetches accounts and slots that are not cached, all at once.
   *
   * Errors are ignored, because a later read of the value reports them.
   */
  prefetch(keys: Iterable<StateKeys>, options?: RequestOptions): Promise<void>;
  /** Holds requests for accounts and slots back, so that further ones join them, until the returned function is called. */
  hold(): () => void;
  /** State root of the block with `verify`, which proves every value by it; undefined without, or if it is not known. */
  readonly provenRoot: Bytes | undefined;
  /** RLP of a trie node from a verified proof; undefined for others, and always without `verify`. */
  getTrieNode(hash: Bytes): Bytes | undefined;
}

/** The block at which a fork begins. */
export interface PinnedBlock extends RemoteBlockId {
  /** seconds */
  readonly timestamp: bigint;
  readonly stateRoot: Bytes;
  /** The block with whole transactions, as the node gave it (eth_getBlockByHash). */
  readonly json: Readonly<Record<string, unknown>>;
  /** True if the node reported it as final. */
  readonly isFinal: boolean;
  /**
   * For a fork at a transaction: the transactions of the next block up to that one, as JSON. They are to be executed on
   * the pinned block, with the header of {@link nextBlock}. Empty otherwise.
   */
  readonly transactions: readonly Readonly<Record<string, unknown>>[];
  /** The block of {@link transactions}; undefined if there are none. */
  readonly nextBlock: Readonly<Record<string, unknown>> | undefined;
}

/** Statistics of the cache. */
export interface RemoteCacheStats {
  /** Accounts, slots, codes and answers found in the cache. */
  readonly hits: number;
  /** Those requested from the node. */
  readonly misses: number;
}

/** A forked chain up to its pinned block. */
export interface RemoteChain {
  readonly upstream: Upstream;
  readonly chainId: bigint;
  readonly pin: PinnedBlock;
  readonly cacheStats: RemoteCacheStats;
  /** The state after the pinned block. */
  readonly state: PinnedState;
  /** The state after a block at or below the pinned one. */
  stateAt(block: RemoteBlockId): PinnedState;
  /**
   * Answer of a call about immutable data at or below the pinned block: blocks, transactions and receipts by hash or
   * number, and logs of a range. It is cached unless it is null.
   *
   * @param params - without tags such as "latest"
   * @throws {RemoteError} as {@link Upstream.request}; `REMOTE_LIE` if a check fails; `REMOTE_OFFLINE` if it is not in the
   * cache and `offline` is set
   */
  history(method: string, params: readonly unknown[], options?: HistoryOptions): Promise<unknown>;
  /** Caches an answer that was put together from others. */
  keep(method: string, params: readonly unknown[], answer: unknown): void;
  close(): Promise<void>;
}

/** Requests since the upstream node was last idle. */
export interface FetchProgress {
  /** Host of the upstream node, without secrets. */
  readonly label: string;
  /** Requests that are answered, and those that are not. */
  readonly answered: number;
  readonly waiting: number;
  readonly elapsedMs: number;
}

/** An EIP-1193 provider in this process. */
export interface RemoteProvider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** Options of a client of upstream nodes. */
export interface UpstreamOptions {
  /** http(s) and ws(s) URLs, and paths of socket files. The first is used, the others if it fails. */
  readonly urls?: readonly string[] | undefined;
  /** In place of URLs. */
  readonly provider?: RemoteProvider | undefined;
  /** HTTP headers of each request and WebSocket upgrade. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Time limit of one attempt in milliseconds; default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Number of times that a failed call is repeated; default 5. */
  readonly retries?: number | undefined;
  /** Milliseconds before the first repetition, doubled for each further one; default 500. */
  readonly retryBackoffMs?: number | undefined;
  /** Rate limit of the provider; default: detected. */
  readonly computeUnitsPerSecond?: number | undefined;
  /** Milliseconds that a lagging node gets to learn of a block; default 6,000, or 0 without retries. */
  readonly lagMs?: number | undefined;
}

/** Options of a forked chain: its block, cache and verification. */
export interface RemoteOptions extends UpstreamOptions {
  /** Block number, `latest` (the default), or a negative number that counts back from it. */
  readonly blockNumber?: bigint | "latest" | undefined;
  readonly blockHash?: Hex | undefined;
  /** Forks at the state after this transaction: see {@link PinnedBlock.transactions}. */
  readonly transactionHash?: Hex | undefined;
  /** Expected chain id. If the block is cached too, the node need not be asked. */
  readonly chainId?: bigint | undefined;
  /** Folder and size of the cache; false for none. */
  readonly cache?: boolean | RemoteCacheOptions | undefined;
  /** Called every five seconds with the requests that have not been answered since. */
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  /** Accounts that are read first, 20 bytes each: they are fetched while the chain is opened. */
  readonly firstAccounts?: readonly Bytes[] | undefined;
  /** Verifies headers, accounts, slots and codes by the block's hash. */
  readonly verify?: boolean | undefined;
  /** With `verify`: checks blocks with whole transactions by the roots in their header, as {@link HistoryOptions.check}. */
  readonly checkBody?: ((block: unknown, chainId: bigint) => string | undefined) | undefined;
  /** Sends no requests: everything must be in the cache. */
  readonly offline?: boolean | undefined;
}

/** Folder and size of the cache. */
export interface RemoteCacheOptions {
  /** Default: `hindcast/fork` in the user's cache folder. */
  readonly folder?: string | undefined;
  /** Default: 2 GiB. */
  readonly maxBytes?: number | undefined;
}
