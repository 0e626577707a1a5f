/** What is known of the block that would be mined now, before it is built. */
import type { Chain } from "../../chain/chain.ts";
import type { Rules } from "../../chainspec/hardforks/hardforks.ts";
import type { Clock } from "../../miner/clock.ts";
import type { Miner } from "../../miner/miner.ts";

export function rulesOfNextBlock({ chain, clock }: { readonly chain: Chain; readonly clock: Clock }): Rules {
  return chain.rulesAfter(chain.head, clock.timestampAfter(chain.head.header.timestamp));
}

/** In gas. */
export function gasLimitOfNextBlock({ chain, miner }: { readonly chain: Chain; readonly miner: Miner }): bigint {
  return miner.settings.gasLimit ?? chain.head.header.gasLimit;
}
