/** Of which chain a node is a fork, and from which block on. */
import type { RemoteCacheOptions, RemoteProvider } from "../../remote/upstream.ts";

/** The option `fork` of a node. One of `url`, `urls` and `provider` says where the other chain is. */
export interface ForkOptions {
  /** http(s) or ws(s) URL of a node of the other chain, or the path of its socket file. */
  readonly url?: string;
  /** Several of them that hold the same chain: the first is asked, the others where it fails. */
  readonly urls?: readonly string[];
  /** Instead: any EIP-1193 provider, such as that of another node. */
  readonly provider?: RemoteProvider;
  /** Block to go on from: its number, `latest` (the default), or a negative number that counts back from it. */
  readonly blockNumber?: bigint | number | "latest";
  /** The same by its hash, 32 bytes as DATA. */
  readonly blockHash?: string;
  /** The state after this transaction, 32 bytes as DATA: its block's transactions up to it are mined anew. */
  readonly transactionHash?: string;
  /** Chain id that the upstream has to have. */
  readonly chainId?: bigint | number;
  /** Sent with each HTTP request and WebSocket upgrade. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where answers are kept, and how many bytes of them; nowhere for false. */
  readonly cache?: boolean | RemoteCacheOptions;
  /** Checks headers, accounts, slots and codes against the block's hash; default false. */
  readonly verify?: boolean;
  /** Asks nothing: all has to be in the cache. */
  readonly offline?: boolean;
  /** How long one attempt of a request may take, milliseconds; default 30,000. */
  readonly timeoutMs?: number;
  /** How often a request that failed is sent again; default 5. */
  readonly retries?: number;
  /** Wait before the first of them, milliseconds, doubled each time; default 500. */
  readonly retryBackoffMs?: number;
  /** The pace that the provider allows; default: it is found out. */
  readonly computeUnitsPerSecond?: number;
}
