/** Options for forks: the chain to fork, and how it is read. */
import type { FetchProgress, RemoteCacheOptions, RemoteProvider } from "../../remote/upstream.ts";

/**
 * The option `fork` of a node. One of `url`, `urls` and `provider` is required, and at most one of `blockNumber`,
 * `blockHash` and `transactionHash` is given.
 */
export interface ForkOptions {
  /** http(s) or ws(s) URL of a node of the chain to fork, or the path of its socket file. */
  readonly url?: string;
  /** Several nodes of the same chain: the first is used, the others if it fails. */
  readonly urls?: readonly string[];
  /** An EIP-1193 provider instead of a URL, such as that of another node. */
  readonly provider?: RemoteProvider;
  /** Number of the block to fork at, `latest` (the default), or a negative number that counts back from it. */
  readonly blockNumber?: bigint | number | "latest";
  /** Hash of the block to fork at, 32 bytes as DATA. */
  readonly blockHash?: string;
  /**
   * Forks at the state after this transaction, given as 32 bytes of DATA: the transactions of its block up to it are
   * mined again.
   */
  readonly transactionHash?: string;
  /** Required chain id of the forked chain. */
  readonly chainId?: bigint | number;
  /** HTTP headers of each request and WebSocket upgrade; not for a `provider`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Folder and size of the cache of answers; false for no cache. */
  readonly cache?: boolean | RemoteCacheOptions;
  /** Verifies headers, accounts, slots and codes by the block's hash; default false. */
  readonly verify?: boolean;
  /** Sends no requests: everything must be in the cache. */
  readonly offline?: boolean;
  /**
   * Time limit of one attempt of a request, in milliseconds, and of the time for which a node may refuse all requests
   * because of its rate limit; default 30,000.
   */
  readonly timeoutMs?: number;
  /**
   * Number of times that a failed request is repeated; default 5. 0: a block that a node does not know is not waited for
   * either. A request that is refused because of a rate limit has not failed: `timeoutMs` bounds how long it is repeated.
   */
  readonly retries?: number;
  /** Wait before the first repetition in milliseconds, doubled for each further one; default 500. */
  readonly retryBackoffMs?: number;
  /** Rate limit of the provider; default: detected. */
  readonly computeUnitsPerSecond?: number;
  /**
   * Asks the upstream node for traces of its blocks, by number, hash or transaction, and passes its answers on; by
   * default they are made here. Methods of JSON-RPC only.
   */
  readonly traceUpstream?: boolean;
  /** Called every five seconds with the requests that have not been answered since. */
  readonly onProgress?: (progress: FetchProgress) => void;
}
