/** Limits of the next block that are known before it is built. */
import type { ChainBlocks, ChainRules } from "../../chain/readable-chain.ts";
import type { Rules } from "../../chainspec/hardforks/rules.ts";
import type { Clock } from "../../miner/clock.ts";
import type { Miner } from "../../miner/miner.ts";
import type { AdmissionContext } from "../../txpool/admission.ts";

/** The rules of the hardfork that a block mined now would have. */
export function rulesOfNextBlock({
  chain,
  clock,
}: {
  readonly chain: ChainBlocks & ChainRules;
  readonly clock: Clock;
}): Rules {
  return chain.rulesAfter(chain.head, clock.timestampAfter(chain.head.header.timestamp));
}

interface CommandContext {
  readonly chain: ChainBlocks & ChainRules;
  readonly clock: Clock;
  readonly miner: Miner;
}

/** Conditions that a transaction must meet for the next block. */
export function limitsOfNextBlock({ chain, clock, miner }: CommandContext): Omit<AdmissionContext, "maxBlobs"> {
  return {
    rules: rulesOfNextBlock({ chain, clock }),
    gasLimit: miner.settings.gasLimit ?? chain.head.header.gasLimit,
    capsGas: chain.spec.capsSentGas,
  };
}
