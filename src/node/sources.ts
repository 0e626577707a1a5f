/** Opens the look-up of verified sources that the options name. Its code is loaded only then. */
import type { VerifiedContracts } from "../sources/verified-contracts.ts";
import type { NodeOptions } from "./options/options.ts";

/**
 * The contracts of the servers; undefined without the option.
 *
 * @param chainId - of the chain whose contracts they are asked for
 */
export async function openSources(options: NodeOptions, chainId: () => bigint): Promise<VerifiedContracts | undefined> {
  const { sources, fork, onNotice } = options;
  if (sources === undefined) return undefined;
  const [{ VerifiedContracts }, { sourceFolderOf }] = await Promise.all([
    import("../sources/verified-contracts.ts"),
    import("../remote/cache/source-cache.ts"),
  ]);
  const { urls, timeoutMs } = typeof sources === "object" && "urls" in sources ? sources : { urls: sources };
  return new VerifiedContracts({
    urls: [urls].flat(),
    timeoutMs,
    chainId,
    // A local chain is made anew, so that its contracts are not to be found again.
    cacheFolder: fork === undefined ? undefined : sourceFolderOf(fork.cache),
    isOffline: fork?.offline === true,
    onNotice,
  });
}
