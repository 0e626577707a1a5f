/** The hardforks that a header's members show. */
import { foreignHistory } from "../../chainspec/genesis/foreign-history.ts";
import { publicChain } from "../../chainspec/genesis/public-chains.ts";
import { type Hardfork, isAtLeast, NEWEST_STABLE_HARDFORK } from "../../chainspec/hardforks/hardforks.ts";
import type { Header } from "../../chainspec/header/header.ts";

/** The range of hardforks that a block may have. */
export interface ShownHardforks {
  readonly oldest: Hardfork;
  readonly newest: Hardfork;
  /** The one to assume: the newest of the range that is not experimental, or the first of several with the same instructions. */
  readonly likely: Hardfork;
  /** True if all hardforks of the range have the same instructions. */
  readonly isSure: boolean;
}

/** Seconds; mainnet's Shanghai. Headers of Ethereum have had a withdrawals root since then. */
const SHANGHAI_TIME = 1_681_338_455n;
/** Chain ids of development nodes. Their headers are those of Ethereum, whenever they were mined. */
const DEVELOPMENT_CHAINS: ReadonlySet<bigint> = new Set([1_337n, 31_337n]);

/** The last hardfork whose headers have the form of Prague's. */
const LAST_LIKE_PRAGUE: Hardfork = "bpo5";

/** The hardforks whose headers have the form of this one. */
export function shownBy(header: Header, chainId: bigint): ShownHardforks {
  if (header.blockAccessListHash !== undefined) return only("amsterdam");
  if (header.requestsHash !== undefined) return upTo(LAST_LIKE_PRAGUE, "prague");
  if (header.excessBlobGas !== undefined) return only("cancun");
  if (header.withdrawalsRoot !== undefined) return only("shanghai");
  const hasEthereumHeaders = DEVELOPMENT_CHAINS.has(chainId) || publicChain(chainId) !== undefined;
  const isLate = header.timestamp >= SHANGHAI_TIME && !hasEthereumHeaders;
  // Chains with headers of their own have newer instructions than their headers show.
  if (isLate || foreignHistory(chainId) !== undefined) {
    return upTo(LAST_LIKE_PRAGUE, header.baseFeePerGas === undefined ? "chainstart" : "london");
  }
  if (header.difficulty === 0n) return only("paris");
  if (header.baseFeePerGas === undefined) return upTo("berlin", "chainstart");
  return { oldest: "london", newest: "grayGlacier", likely: "london", isSure: true };
}

const only = (hardfork: Hardfork): ShownHardforks => ({
  oldest: hardfork,
  newest: hardfork,
  likely: hardfork,
  isSure: true,
});

function upTo(newest: Hardfork, oldest: Hardfork): ShownHardforks {
  const likely = isAtLeast(newest, NEWEST_STABLE_HARDFORK) ? NEWEST_STABLE_HARDFORK : newest;
  return { oldest, newest, likely, isSure: false };
}
