/**
 * The upstream of a fork: a chain that another node holds and that is read here, never written.
 *
 * In: URLs or an EIP-1193 provider. Out: answers as JSON ({@link Upstream}), and the state and the history at one block that
 * never changes ({@link RemoteChain}, {@link PinnedState}). This room knows no state view, no store and no JSON-RPC method of ours.
 */
import type { EvmAccount, StateReader } from "../evm/state-port.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { Hex } from "../primitives/bytes/hex.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";

/** One read-only call. */
export interface UpstreamCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a caller may say about one call. */
export interface RequestOptions {
  /** Ends the wait; a call that nobody waits for any more is not sent, or given up. */
  readonly signal?: AbortSignal | undefined;
  /** How long a node that does not know the block is given to learn of it, milliseconds, for this call. */
  readonly lagMs?: number | undefined;
}

/** What has been asked so far. */
export interface UpstreamStats {
  /** Calls that were sent, each of a batch counted, and those sent again too. */
  readonly requests: number;
  /** HTTP posts, messages, or calls of a provider. */
  readonly roundTrips: number;
  /** Calls that were sent again. */
  readonly retries: number;
  /** Times that the upstream asked for a slower pace. */
  readonly rateLimited: number;
}

/** An upstream node, or several that hold the same chain. */
export interface Upstream {
  /** Where it is, without secrets: the host of the first URL, or "provider". */
  readonly label: string;
  readonly stats: UpstreamStats;
  /**
   * Answer of one call, as JSON. Calls made in the same turn of the event loop go out together.
   *
   * @throws {RemoteError} `REMOTE_UNREACHABLE`, `REMOTE_RATE_LIMITED`, `REMOTE_BLOCK_UNKNOWN`, `REMOTE_STATE_PRUNED`,
   *   `REMOTE_METHOD_MISSING`, `REMOTE_BAD_ANSWER`, or `REMOTE_REFUSED` for any other error of the upstream, whose own is its `data`
   * @throws {unknown} the reason of the signal, once that has fired
   */
  request(method: string, params: readonly unknown[], options?: RequestOptions): Promise<unknown>;
  /** Ends connections and what is under way. */
  close(): Promise<void>;
}

/** A block of the upstream. */
export interface RemoteBlockId {
  readonly number: bigint;
  /** 32 bytes */
  readonly hash: Bytes;
  /** 32 bytes; needed where accounts and slots are verified. */
  readonly stateRoot?: Bytes | undefined;
  /** seconds; an error about a state that is no longer there says how old it is. */
  readonly timestamp?: bigint | undefined;
}

/** An account of a remote state. */
export interface RemoteAccount extends EvmAccount {
  /** 32 bytes; root of its storage trie, where a proof gave it. */
  readonly storageRoot?: Bytes | undefined;
}

/** An account and slots of it, 20 and 32 bytes each. */
export interface StateKeys {
  readonly address: Bytes;
  readonly slots: readonly Bytes[];
}

/**
 * The state after one remote block. It never changes: what has been read is kept, in memory and in the cache.
 *
 * Reads made in the same turn of the event loop go out in one wave; a read under way is not made twice. What is in memory
 * or in the cache is answered at once, not by a promise. An account whose nonce and balance are zero and that has no code
 * is absent. What fails is asked anew by the next read.
 */
export interface PinnedState extends StateReader {
  readonly block: RemoteBlockId;
  /** The account; undefined where there is none. Its code comes with it. */
  getAccount(address: Bytes): MaybePromise<RemoteAccount | undefined>;
  /** True if some slot of the account is not zero, as far as the upstream can tell: where it proves nothing, false. */
  hasStorage(address: Bytes): MaybePromise<boolean>;
  /** True where the read of an account, or of a slot of it, would be answered at once. */
  isKnown(address: Bytes, slot?: Bytes): boolean;
  /**
   * Fetches accounts and slots in one wave: those that are not known yet.
   *
   * Keys are guesses: what cannot be fetched is left to the read that needs it.
   */
  prefetch(keys: Iterable<StateKeys>, options?: RequestOptions): Promise<void>;
  /** RLP of a trie node that a verified proof had; undefined for all others, and always without `verify`. */
  getTrieNode(hash: Bytes): Bytes | undefined;
}

/** The block that a fork begins at. */
export interface PinnedBlock extends RemoteBlockId {
  /** seconds */
  readonly timestamp: bigint;
  readonly stateRoot: Bytes;
  /** The block with whole transactions, as the upstream gave it (eth_getBlockByHash). */
  readonly json: Readonly<Record<string, unknown>>;
  /** True where the upstream said that it is final. */
  readonly isFinal: boolean;
  /**
   * Transactions of the next block, as JSON, that come before the one which was named by its hash, and that one: they are
   * to be run on top of the pin, in that block's environment ({@link nextBlock}). Empty for any other pin.
   */
  readonly transactions: readonly Readonly<Record<string, unknown>>[];
  /** The block that holds {@link transactions}; undefined for any other pin. */
  readonly nextBlock: Readonly<Record<string, unknown>> | undefined;
}

/** How much the cache has served. */
export interface RemoteCacheStats {
  /** Accounts, slots, codes and answers that came from the cache. */
  readonly hits: number;
  /** Those that were asked of the upstream. */
  readonly misses: number;
}

/** A remote chain up to the block at which a fork begins. */
export interface RemoteChain {
  readonly upstream: Upstream;
  readonly chainId: bigint;
  readonly pin: PinnedBlock;
  readonly cacheStats: RemoteCacheStats;
  /** The state after the pin. */
  readonly state: PinnedState;
  /** The state after a block at or below the pin. */
  stateAt(block: RemoteBlockId): PinnedState;
  /**
   * Answer of a call about what lies at or below the pin and cannot change: blocks, transactions and receipts by hash or by a
   * number at or below the pin, logs of such a range. It is kept in the cache, unless it is null.
   *
   * @param params - without tags such as "latest"
   * @throws {RemoteError} as {@link Upstream.request}; `REMOTE_OFFLINE` where it is not in the cache and `offline` is set
   */
  history(method: string, params: readonly unknown[], options?: RequestOptions): Promise<unknown>;
  close(): Promise<void>;
}

/** Anything that answers JSON-RPC in this process (EIP-1193). */
export interface RemoteProvider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** How a client of an upstream behaves. */
export interface UpstreamOptions {
  /** http(s) and ws(s) URLs, and paths of socket files. The first is asked; the others where it fails. */
  readonly urls?: readonly string[] | undefined;
  /** Instead of URLs. */
  readonly provider?: RemoteProvider | undefined;
  /** Sent with each HTTP post and WebSocket upgrade. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long one attempt may take, milliseconds. 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** How often a call that failed is sent again. 5 by default. */
  readonly retries?: number | undefined;
  /** Wait before the first of them, milliseconds; it doubles. 500 by default. */
  readonly retryBackoffMs?: number | undefined;
  /** The pace that the provider allows; unless given, the pace is found out. */
  readonly computeUnitsPerSecond?: number | undefined;
  /** How long a node that lags behind is given to learn of a block, milliseconds. 6,000 by default. */
  readonly lagMs?: number | undefined;
}

/** Which block of which upstream, and what is kept and checked. */
export interface RemoteOptions extends UpstreamOptions {
  /** The block: a number, `latest` (the default), or negative to count back from it. */
  readonly blockNumber?: bigint | "latest" | undefined;
  readonly blockHash?: Hex | undefined;
  /** The state after this transaction: see {@link PinnedBlock.transactions}. */
  readonly transactionHash?: Hex | undefined;
  /** What the chain id has to be; it need not be asked then where the block is known too. */
  readonly chainId?: bigint | undefined;
  /** Where answers are kept; nowhere for false. */
  readonly cache?: boolean | RemoteCacheOptions | undefined;
  /** Checks headers, accounts, slots and codes against the block's hash. */
  readonly verify?: boolean | undefined;
  /** Asks nothing: all comes from the cache. */
  readonly offline?: boolean | undefined;
}

/** Where the cache is and how large it may become. */
export interface RemoteCacheOptions {
  /** By default `hindcast/fork` in the user's folder for caches. */
  readonly folder?: string | undefined;
  /** 2 GiB by default. */
  readonly maxBytes?: number | undefined;
}
