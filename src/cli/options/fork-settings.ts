/** The options of a fork that the flags give. */
import type { ForkOptions } from "../../node/options/fork-options.ts";
import { given } from "../../primitives/validation/given.ts";
import type { GivenValues } from "../flags/flags.ts";

/** A URL that ends with the number of a block. */
const WITH_BLOCK = /^(.+:\/\/.+)@(\d{1,20})$/;

/**
 * Undefined without a URL of a chain to fork.
 *
 * As in Anvil, the number of the block may end a URL: `http://localhost:8545@1400000`.
 */
export function forkOf(values: GivenValues): ForkOptions | undefined {
  const { forkUrl, forkBlockHash: blockHash, forkTransactionHash: transactionHash, cachePath } = values;
  if (forkUrl === undefined) return undefined;
  const blockInUrl = forkUrl.map((url) => WITH_BLOCK.exec(url)?.[2]).find((block) => block !== undefined);
  const isNamed = blockHash !== undefined || transactionHash !== undefined;
  const headers = values.forkHeader?.map((line) => /^([^:]+):\s*(.*)$/s.exec(line)?.slice(1) ?? []);
  return given({
    urls: forkUrl.map((url) => WITH_BLOCK.exec(url)?.[1] ?? url),
    blockNumber: values.forkBlockNumber ?? (isNamed || blockInUrl === undefined ? undefined : BigInt(blockInUrl)),
    blockHash,
    transactionHash,
    chainId: values.forkChainId,
    headers: headers && (Object.fromEntries(headers) as Record<string, string>),
    verify: values.forkVerify,
    offline: values.offline,
    timeoutMs: values.timeout,
    retries: values.retries,
    retryBackoffMs: values.forkRetryBackoff,
    computeUnitsPerSecond: values.computeUnitsPerSecond,
    traceUpstream: values.traceUpstream,
    cache: values.noStorageCaching !== true && (cachePath === undefined || { folder: cachePath }),
  }) as ForkOptions;
}
