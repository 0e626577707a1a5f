/** Options for forks: the chain to fork, and how it is read. */
import { z } from "zod";
import { once } from "../../primitives/once.ts";
import type { FlagsOf } from "./flag.ts";
import { fromText, integer, wholeNumber, words } from "./option-values.ts";

/** Values by option. */
export interface ForkValues {
  readonly forkUrl: readonly string[];
  readonly forkBlockNumber: bigint | "latest";
  readonly forkBlockHash: string;
  readonly forkTransactionHash: string;
  readonly forkChainId: bigint;
  readonly forkHeader: readonly string[];
  /** milliseconds */
  readonly forkRetryBackoff: number;
  readonly retries: number;
  /** milliseconds */
  readonly timeout: number;
  readonly computeUnitsPerSecond: number;
  readonly traceUpstream: boolean;
  readonly noStorageCaching: boolean;
  readonly cachePath: string;
  readonly forkVerify: boolean;
  readonly offline: boolean;
}

const MAX_MILLISECONDS = 2 ** 31 - 1;

const blockNumber = fromText<bigint | "latest">(
  "a block number, a negative number that counts back from the newest block, or latest",
  (text) => {
    if (text === "latest") return text;
    return /^-?\d{1,20}$/.test(text) || /^0x[0-9a-f]{1,16}$/i.test(text) ? BigInt(text) : undefined;
  },
);

const hash = once(() => z.string().regex(/^0x[0-9a-f]{64}$/i, "expected a hash: 0x and 64 hex digits"));

/** One text per flag; several flags, or a list in the configuration file, are joined. */
const oneOfMany = once(() => words().transform((text): readonly string[] => [text]));

const header = fromText<readonly string[]>(
  'a header such as "Authorization: Bearer …"',
  (text) => (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+:\s*\S/.test(text) ? [text] : undefined),
  (text) => text.split(":", 1)[0] ?? "",
);

/** The options of this group, in the order of the help. */
export const FORK_FLAGS: FlagsOf<ForkValues> = {
  forkUrl: {
    flags: "-f, --fork-url <url>",
    help: "fork another chain: http(s) or ws(s) URL, or a socket file; several for fail-over (default: none)",
    shape: oneOfMany,
    isText: true,
    isList: true,
    aliases: ["--rpc-url"],
  },
  forkBlockNumber: {
    flags: "--fork-block-number <number>",
    help: "block to fork at; negative counts back from the newest (default: latest)",
    shape: blockNumber,
  },
  forkBlockHash: {
    flags: "--fork-block-hash <hash>",
    help: "hash of the block to fork at (default: by number)",
    shape: hash,
    isText: true,
  },
  forkTransactionHash: {
    flags: "--fork-transaction-hash <hash>",
    help: "fork at the state after a transaction (default: after a block)",
    shape: hash,
    isText: true,
  },
  forkChainId: {
    flags: "--fork-chain-id <id>",
    help: "required chain id of the forked chain (default: any)",
    shape: integer(1n),
  },
  forkHeader: {
    flags: "--fork-header <header>",
    help: 'HTTP header for each request, such as "Authorization: Bearer …"; may be repeated (default: none)',
    shape: header,
    isText: true,
    isList: true,
  },
  forkVerify: { flags: "--fork-verify", help: "verify what is read by proofs against the block's hash (default: off)" },
  offline: { flags: "--offline", help: "send no requests: read only from the cache (default: off)" },
  timeout: {
    flags: "--timeout <milliseconds>",
    help: "time for one attempt of a request (default: 30000)",
    shape: wholeNumber(1, MAX_MILLISECONDS),
  },
  retries: {
    flags: "--retries <number>",
    help: "times that a failed request is repeated (default: 5)",
    shape: wholeNumber(0, 1_000),
  },
  forkRetryBackoff: {
    flags: "--fork-retry-backoff <milliseconds>",
    help: "wait before the first repetition; it doubles (default: 500)",
    shape: wholeNumber(0, MAX_MILLISECONDS),
  },
  computeUnitsPerSecond: {
    flags: "--compute-units-per-second <number>",
    help: "rate limit of the provider (default: detected)",
    shape: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    aliases: ["--cups"],
  },
  traceUpstream: {
    flags: "--trace-upstream",
    help: "ask the forked node for traces of its blocks (default: made here)",
  },
  noStorageCaching: { flags: "--no-storage-caching", help: "do not cache the forked chain on disk (default: cached)" },
  cachePath: {
    flags: "--cache-path <folder>",
    help: "folder of that cache (default: in the user's cache folder)",
    shape: words,
    isText: true,
  },
};
