/** The hardforks that a header's members show. */
import { type Hardfork, NEWEST_STABLE_HARDFORK } from "../../chainspec/hardforks/hardforks.ts";
import type { Header } from "../../chainspec/header/header.ts";

/** The range of hardforks that a block may have. They are the same if its header leaves no doubt. */
export interface ShownHardforks {
  readonly oldest: Hardfork;
  readonly newest: Hardfork;
}

/** Seconds; mainnet's Shanghai. Headers of Ethereum have had a withdrawals root since then. */
const SHANGHAI_TIME = 1_681_338_455n;
/** Chain ids of development nodes. Their headers are those of Ethereum, whenever they were mined. */
const DEVELOPMENT_CHAINS: ReadonlySet<bigint> = new Set([1_337n, 31_337n]);

/** Hardforks that change neither headers nor instructions are left out. */
export function shownBy(header: Header, chainId: bigint): ShownHardforks {
  const only = (hardfork: Hardfork): ShownHardforks => ({ oldest: hardfork, newest: hardfork });
  if (header.blockAccessListHash !== undefined) return only("amsterdam");
  if (header.requestsHash !== undefined) return { oldest: "prague", newest: NEWEST_STABLE_HARDFORK };
  if (header.excessBlobGas !== undefined) return only("cancun");
  if (header.withdrawalsRoot !== undefined) return only("shanghai");
  // Chains with headers of their own have newer instructions than their headers show.
  if (header.timestamp >= SHANGHAI_TIME && !DEVELOPMENT_CHAINS.has(chainId)) {
    return { oldest: "chainstart", newest: NEWEST_STABLE_HARDFORK };
  }
  if (header.difficulty === 0n) return only("paris");
  return header.baseFeePerGas === undefined ? { oldest: "chainstart", newest: "berlin" } : only("london");
}
