/** Options for forks: the chain to fork, and how it is read. */
import { isData } from "../../primitives/bytes/hex.ts";
import type { FlagsOf } from "./flag.ts";
import { expected, integer, type Reader, wholeNumber, words } from "./option-values.ts";

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
  readonly noStorageCaching: boolean;
  readonly cachePath: string;
  readonly forkVerify: boolean;
  readonly offline: boolean;
}

const MAX_MILLISECONDS = 2 ** 31 - 1;

const blockNumber: Reader<bigint | "latest"> = (text, label) => {
  if (text === "latest") return text;
  if (/^-?\d{1,20}$/.test(text) || /^0x[0-9a-f]{1,16}$/i.test(text)) return BigInt(text);
  throw expected(label, "a block number, a negative number that counts back from the newest block, or latest", text);
};

const hash: Reader<string> = (text, label) => {
  if (text.length === 66 && isData(text)) return text;
  throw expected(label, "a hash: 0x and 64 hex digits", text);
};

/** One text per flag; several flags, or a list in the configuration file, are joined. */
const oneOfMany: Reader<readonly string[]> = (text, label) => [words(text, label)];

const header: Reader<readonly string[]> = (text, label) => {
  if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+:\s*\S/.test(text)) return [text];
  // The value may be a secret, so the error shows only the name.
  throw expected(label, 'a header such as "Authorization: Bearer …"', text.split(":", 1)[0] ?? "");
};

export const FORK_FLAGS: FlagsOf<ForkValues> = {
  forkUrl: {
    flags: "-f, --fork-url <url>",
    help: "fork another chain: http(s) or ws(s) URL, or a socket file; several for fail-over (default: none)",
    read: oneOfMany,
    isText: true,
    isList: true,
    aliases: ["--rpc-url"],
  },
  forkBlockNumber: {
    flags: "--fork-block-number <number>",
    help: "block to fork at; negative counts back from the newest (default: latest)",
    read: blockNumber,
  },
  forkBlockHash: {
    flags: "--fork-block-hash <hash>",
    help: "hash of the block to fork at (default: by number)",
    read: hash,
    isText: true,
  },
  forkTransactionHash: {
    flags: "--fork-transaction-hash <hash>",
    help: "fork at the state after a transaction (default: after a block)",
    read: hash,
    isText: true,
  },
  forkChainId: {
    flags: "--fork-chain-id <id>",
    help: "required chain id of the forked chain (default: any)",
    read: integer(1n),
  },
  forkHeader: {
    flags: "--fork-header <header>",
    help: 'HTTP header for each request, such as "Authorization: Bearer …"; several add up (default: none)',
    read: header,
    isText: true,
    isList: true,
  },
  forkVerify: { flags: "--fork-verify", help: "verify what is read by proofs against the block's hash (default: off)" },
  offline: { flags: "--offline", help: "send no requests: read only from the cache (default: off)" },
  timeout: {
    flags: "--timeout <milliseconds>",
    help: "time for one attempt of a request (default: 30000)",
    read: wholeNumber(1, MAX_MILLISECONDS),
  },
  retries: {
    flags: "--retries <number>",
    help: "times that a failed request is repeated (default: 5)",
    read: wholeNumber(0, 1_000),
  },
  forkRetryBackoff: {
    flags: "--fork-retry-backoff <milliseconds>",
    help: "wait before the first repetition; it doubles (default: 500)",
    read: wholeNumber(0, MAX_MILLISECONDS),
  },
  computeUnitsPerSecond: {
    flags: "--compute-units-per-second <number>",
    help: "rate limit of the provider (default: detected)",
    read: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    aliases: ["--cups"],
  },
  noStorageCaching: { flags: "--no-storage-caching", help: "do not cache the forked chain on disk (default: cached)" },
  cachePath: {
    flags: "--cache-path <folder>",
    help: "folder of that cache (default: in the user's cache folder)",
    read: words,
    isText: true,
  },
};
